"""Whatever a settings file says and however it is written: entries go in, say what they should, and come out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haversack.install import json_file
from haversack.install.agent import Entry
from haversack.install.edits import NotPossibleError, UnreadableError, insert, take_back
from haversack.install.jsonc import parse

SERVER = Entry(("servers", "ours"), {"command": "x", "args": ["a"]})
HOOK = Entry(("hooks", "Start"), {"hooks": [{"command": "x hook"}]}, element=True)

KEYS = st.sampled_from(["servers", "hooks", "Start", "ours", "a", "ключ"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def written(draw: st.DrawFn) -> str:
    """An object in any of the ways to write it down, comments and commas at the end included."""
    text = json.dumps(
        draw(st.dictionaries(KEYS, VALUES, max_size=4)),
        indent=draw(st.sampled_from([None, 0, 2, 4, "\t"])),
        ensure_ascii=draw(st.booleans()),
    )
    if draw(st.booleans()) and text.endswith("\n}"):
        text = text.removesuffix("\n}") + ", // last\n}"
    if draw(st.booleans()):
        text = f"// top\n{text}\n/* bottom */\n"
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "\ufeff"])) + text


@settings(deadline=None)
@given(written(), st.sampled_from([SERVER, HOOK]))
def test_what_goes_in_comes_out(text: str, entry: Entry) -> None:
    try:
        was = parse(text).value
        made = json_file.add(text, entry)
    except (UnreadableError, NotPossibleError):
        return
    longer = insert(text, made)
    held = parse(longer).value
    assert take_back(longer, made) == text
    found = held
    for key in entry.path:
        assert isinstance(found, dict)
        found = found[key]
    assert found[-1] == entry.value if entry.element and isinstance(found, list) else found == entry.value
    shorter = json_file.remove(longer, entry)
    assert len(shorter) < len(longer)
    left = parse(shorter).value
    assert isinstance(was, dict)
    assert isinstance(left, dict)
    assert {key: left[key] for key in was if key != entry.path[0]} == {
        key: was[key] for key in was if key != entry.path[0]
    }


def test_an_insertion_that_is_not_where_it_was_put_is_not_taken_back() -> None:
    made = json_file.add("{}", SERVER)
    assert take_back(" " + insert("{}", made), made) is None


def test_what_is_not_there_cannot_be_removed() -> None:
    with pytest.raises(NotPossibleError, match=r"servers\.ours"):
        json_file.remove('{"servers": {}}', SERVER)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"servers": {"ours": 1}}', '{"servers": {}}'),
        ('{"servers": {"ours": 1, "b": 2}}', '{"servers": { "b": 2}}'),
        ('{"servers": {"a": 2, "ours": 1}}', '{"servers": {"a": 2}}'),
        ('{"servers": {"a": 2, "ours": 1,}}', '{"servers": {"a": 2,}}'),
        ('{"servers": {\n  // first\n  "ours": 1 // ours\n}}', '{"servers": {\n  // first // ours\n}}'),
        ('{"servers": {\n  "a": 2, // a\n  "ours": 1\n}}', '{"servers": {\n  "a": 2 // a\n}}'),
        ('{"servers": {\n  "ours": 1,\n  // b\n  "b": 2\n}}', '{"servers": {\n  // b\n  "b": 2\n}}'),
    ],
)
def test_an_item_goes_with_its_comma_and_comments_stay(before: str, after: str) -> None:
    assert json_file.remove(before, Entry(("servers", "ours"), 1)) == after
