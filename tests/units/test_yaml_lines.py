"""YAML by its lines: every value has its path and its place, whatever state the file is in."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haversack.units.yaml_lines import DEEPEST, entries


def values(text: str) -> dict[str, str]:
    return {".".join(entry.path): text[entry.start : entry.end] for entry in entries(text)}


def test_keys_lists_and_scalars_have_their_paths() -> None:
    text = "a:\n  b: one # note\n  \"c d\": 'two'\n  list:\n  - x\n  - name: y\n    more: z\nend: 1\n"
    assert values(text) == {
        "a": "",
        "a.b": "one",
        "a.c d": "two",
        "a.list": "",
        "a.list.#0": "x",
        "a.list.#1": "",
        "a.list.#1.name": "y",
        "a.list.#1.more": "z",
        "end": "1",
    }


def test_block_scalars_are_one_value_with_all_their_lines() -> None:
    text = "script: |\n  first: line\n\n  second\nnext: >-\n  folded\n"
    found = list(entries(text))
    assert [(entry.path, entry.line, entry.last) for entry in found] == [(("script",), 0, 3), (("next",), 4, 5)]
    assert text[found[0].start : found[0].end] == "  first: line\n\n  second"


def test_values_over_several_lines_are_one_value() -> None:
    text = 'plain: one\n  two\nquoted: "a\n  b"\nempty:\n  below\nlast: x\n'
    assert values(text) == {"plain": "one\n  two", "quoted": "a\n  b", "empty": "below", "last": "x"}


def test_flow_and_json_are_read_alike() -> None:
    text = '{"a": {"b": [1, "two", {"c": null}]},\n "d": "e, f: {g}", "": {}}\n'
    assert values(text) == {"a.b.#0": "1", "a.b.#1": "two", "a.b.#2.c": "null", "d": "e, f: {g}"}
    assert values("x: {p: 1, q: [r, s]}\ny: 2\n") == {"x": "", "x.p": "1", "x.q.#0": "r", "x.q.#1": "s", "y": "2"}
    assert [entry.line for entry in entries(text)] == [0, 0, 0, 1]


def test_documents_are_told_apart_and_comments_are_nothing() -> None:
    text = "# top\na: 1\n---\nb: 2\n--- {c: 3}\n...\n%YAML 1.2\n---\nd: 4\n"
    found = [(entry.document, entry.path, text[entry.start : entry.end]) for entry in entries(text)]
    assert [(path, value) for _, path, value in found] == [(("a",), "1"), (("b",), "2"), (("c",), "3"), (("d",), "4")]
    assert len({document for document, _, _ in found}) == 4


def test_anchors_are_named_and_never_expanded() -> None:
    text = "base: &b\n  k: !!str v\nuse: *b\n<<: *b\n"
    found = list(entries(text))
    assert [entry.anchor for entry in found] == ["b", "", "", ""]
    assert values(text) == {"base": "", "base.k": "v", "use": "*b", "<<": "*b"}


def test_templates_do_not_stop_the_reading() -> None:
    text = (
        '{{- if .Values.x }}\nname: {{ .Release.Name }}-web\n{{- end }}\nimage: "{{ .a }}:{{ .b }}"\nlist:\n- {{ x }}\n'
    )
    assert values(text) == {
        "name": "{{ .Release.Name }}-web",
        "image": "{{ .a }}:{{ .b }}",
        "list": "",
        "list.#0": "{{ x }}",
    }


def test_a_quote_that_is_never_closed_ends_with_its_line() -> None:
    assert values('a: "open\nb: 2\nc: "x"\n') == {"a": '"open', "b": "2", "c": "x"}


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x,x,x,x]\n" + "".join(f"b{n}: &b{n} [*a,*a,*a,*a,*a,*a,*a,*a]\n" for n in range(2000)),
        "[" * 200_000,
        "{a: " * 100_000,
        "- " * 200_000 + "x",
        "".join(" " * n + "k:\n" for n in range(800)),
        'a: "' * 50_000,
        "a: |\n" + "  x\n" * 100_000,
        "x" * 400_000 + ": 1\n",
        "? " * 100_000,
    ],
)
def test_what_is_made_to_be_slow_is_read_in_bounded_time(text: str) -> None:
    """Anything quadratic would take minutes here."""
    assert all(len(entry.path) <= DEEPEST for entry in entries(text))


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab:- \n{}[],'\"|>#&*\t?%!", max_size=120))
def test_any_text_is_read_and_every_place_is_in_it(text: str) -> None:
    lines = text.count("\n")
    for entry in entries(text):
        assert 0 <= entry.start <= entry.end <= len(text)
        assert 0 <= entry.line <= entry.last <= lines
        assert entry.key is not None
