"""The index remembers what the syntax tree said, so that code is elided by it without being parsed again."""

from __future__ import annotations

import pytest
from code_cases import LANGUAGES, text_of, units_of
from msgspec.structs import replace

from haversack.index.records import decode_units, encode_units
from haversack.model import Level, Unit
from haversack.pack.levels import Limits, StubInfo
from haversack.pack.levels.ladder import ladder
from haversack.sources.code.stored import stored_outline
from haversack.sources.code.syntax import outline
from haversack.tokens import counter

REMEMBERED = (
    "kind", "name", "qualname", "start", "end", "head", "body_start", "body_end", "doc_start", "doc_end", "signature",
    "decorators", "bases", "refs", "parent", "names",
)  # fmt: skip


def stored(text: str, lang: str) -> list[Unit]:
    """The file's units as they come back from the index."""
    blob = encode_units(units_of(text, lang), keep_text=False)
    return list(decode_units(blob, source="code", path="src/shop", lang=lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_outline_from_the_index_is_the_one_of_the_syntax_tree(lang: str) -> None:
    text = text_of(lang)
    parsed = outline(text, lang)
    found = stored_outline(stored(text, lang))
    assert found is not None, lang
    for what in REMEMBERED:
        assert [getattr(node, what) for node in found.nodes] == [getattr(node, what) for node in parsed.nodes], what
    assert (found.doc_end, found.lines, found.lang) == (parsed.doc_end, len(text.splitlines()), lang)
    first = parsed.nodes[0].start
    assert found.comment_lines == tuple(each for each in parsed.comment_lines if each[0] <= first)


def test_what_was_not_parsed_has_no_outline() -> None:
    assert stored_outline(stored("only words\n" * 5, "unheard-of")) is None
    assert stored_outline(stored("import os\n", "python")) is None


def detailed(text: str, lang: str, name: str) -> list[str]:
    """A definition at the level "detailed", as a packet shows it."""
    units = stored(text, lang)
    at = next(number for number, unit in enumerate(units) if unit.name == name)
    unit = units[at]
    span = unit.span
    assert span is not None
    inside = [unit, *(each for each in units[at + 1 :] if each.span and each.span.start <= span.end)]
    whole = "\n".join(text.split("\n")[span.start - 1 : span.end])
    rungs = ladder(
        replace(unit, text=whole),
        whole,
        outline=stored_outline(inside),
        first_line=span.start,
        terms=(),
        limits=Limits(),
        count=counter("o200k").count,
        info=StubInfo("src/shop", unit.kind, lang, None, len(span)),
    )
    return next(rung.text for rung in rungs if rung.level is Level.DETAILED).split("\n")


def steps(pattern: str, many: int = 12) -> str:
    return "".join(pattern.replace("@", str(number)) for number in range(many))


GROWING = steps("    value = value.grow(@, 'by some amount')\n")

# Functions a page long that indentation and brackets alone would cut in the wrong place: the lines kept above and
# below the elided body.
SHORT = {
    "a comment before the first statement": (
        "python",
        "run",
        f"def run(value):\n    # Not yet.\n{GROWING}    print(value)\n",
        ["def run(value):"],
        [],
    ),
    "a body that ends with a bracket": (
        "python",
        "run",
        f"def run(value):\n{GROWING}    print(\n        value,\n    )\n",
        ["def run(value):"],
        [],
    ),
    "a test called by a sentence": (
        "javascript",
        "test adds the numbers",
        "test('adds the numbers', async (t) => {\n" + steps("  t.equal(await add(@, 1), @ + 1, 'a sum')\n") + "})\n",
        ["test('adds the numbers', async (t) => {"],
        ["})"],
    ),
    "a clause below the parameters": (
        "java",
        "parse",
        "class A {\n  /** Reads. */\n  int parse(String text, int from)\n      throws IOException {\n"
        + steps("    from = from + text.charAt(@) * 31 + text.length();\n")
        + "    log(from);\n  }\n}\n",
        ["  /** Reads. */", "  int parse(String text, int from)", "      throws IOException {"],
        ["  }"],
    ),
    "a template above the declaration": (
        "cpp",
        "format",
        "template <typename T>\ninline std::string format(const T &value) {\n"
        + steps("    stream << value.part(@) << separator;\n")
        + "    flush();\n}\n",
        ["template <typename T>", "inline std::string format(const T &value) {"],
        ["}"],
    ),
    "an attribute of several lines that has the name": (
        "rust",
        "trailing",
        '#[deprecated(\n    note = "use last instead of trailing"\n)]\npub fn trailing(self, yes: bool) -> Self {\n'
        + steps("    self.setting(Setting::Number@, yes);\n")
        + "    self\n}\n",
        ["pub fn trailing(self, yes: bool) -> Self {"],
        ["}"],
    ),
}


@pytest.mark.parametrize("what", SHORT)
def test_the_shortest_function_is_elided_by_its_syntax(what: str) -> None:
    lang, name, text, head, tail = SHORT[what]
    shown = detailed(text, lang, name)
    mark = next(at for at, line in enumerate(shown) if "elided" in line)
    assert [line for line in shown[:mark] if line in head] == head
    assert shown[-len(tail) :] == tail if tail else "elided" in shown[-1]


def test_what_is_inside_a_definition_keeps_its_signature() -> None:
    method = f"    def grow(self, value: int) -> int:\n{GROWING.replace('    ', '        ')}        print(value)\n"
    shown = detailed(f"class Tree:\n    leaves = 3\n\n{method}\n\ndef other():\n    pass\n", "python", "Tree")
    assert shown[:4] == ["class Tree:", "    leaves = 3", "", "    def grow(self, value: int) -> int:"]
    assert "other" not in "".join(shown)
