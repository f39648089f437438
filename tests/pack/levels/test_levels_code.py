"""Code at its levels, as a reader sees it."""

from __future__ import annotations

import pytest
from level_cases import SOURCE, climb, count, file_unit, node_unit, outlined

from haversack.model import Level, Span, Unit
from haversack.pack.levels import Limits, StubInfo, Terms, levels_version
from haversack.pack.levels.ladder import ladder, summarize_file
from haversack.pack.levels.marks import Marks
from haversack.pack.levels.summary.code import code_paragraph, short_signature
from haversack.sources.code.outline import Node, Outline

OUTLINE = outlined(SOURCE)
LINES = SOURCE.split("\n")
INFO = StubInfo("orchard.py", "file", "python", 1_790_000_000.0, len(LINES) - 1)


def node_of(qualname: str) -> tuple[Unit, str]:
    node = next(node for node in OUTLINE.nodes if node.qualname == qualname)
    return node_unit(node), "\n".join(LINES[node.start - 1 : node.end])


def test_full_is_the_text_itself() -> None:
    rung = climb(file_unit(SOURCE), SOURCE, outline=OUTLINE)[Level.FULL]
    assert rung.text == SOURCE.removesuffix("\n")
    assert rung.span == Span(1, len(LINES) - 1)
    assert not rung.elided


def test_what_is_not_to_be_shortened_is_whole_or_one_line() -> None:
    long = SOURCE * 3
    options = {"outline": None, "first_line": 1, "terms": ["kind"], "limits": Limits(), "count": count, "info": INFO}
    rungs = ladder(file_unit(long), long, shortened=False, **options)
    assert [rung.level for rung in rungs] == [Level.FULL, Level.STUB]
    assert Level.DETAILED in {rung.level for rung in ladder(file_unit(long), long, **options)}


def test_detail_keeps_structure_and_elides_bodies() -> None:
    rung = climb(file_unit(SOURCE), SOURCE, outline=OUTLINE, terms=["kind"])[Level.DETAILED]
    assert rung.elided
    for kept in (
        '"""Keeps apples. Counts them, weighs them, hands them out.',
        "import json",
        "class Basket(dict):",
        '            if entry["kind"] == "apple":',
        '    """A basket of apples. It never leaks."""',
        "    size: int = 3",
        "    def __init__(self, path: Path, *, size: int = 3) -> None:",
        '        """Open the basket at a path."""',
        "    # Glued to the method below.",
        "    @property",
        "def hand_out(basket: Basket, people: list[str]) -> dict[str, float]:",
    ):
        assert kept in rung.text.split("\n"), kept
    assert "nobody was forgotten" not in rung.text


def test_detail_keeps_the_lines_of_the_task_under_the_heads_of_their_blocks() -> None:
    unit, text = node_of("Basket.__init__")
    rung = climb(unit, text, outline=OUTLINE, terms={"grams": 2.0})[Level.DETAILED]
    shown = rung.text.split("\n")
    at = shown.index('                weight = entry["grams"] / 1000')
    assert shown[at - 1] == '            if entry["kind"] == "apple":'
    assert shown[at - 2] == "        for entry in json.loads(path.read_text()):"
    assert shown[-1] == "        # … lines 28-31 elided"


def test_detail_keeps_the_ways_out_of_a_function() -> None:
    unit, text = node_of("hand_out")
    assert "    return shares" in climb(unit, text, outline=OUTLINE)[Level.DETAILED].text.split("\n")


def test_a_way_out_comes_with_what_it_depends_on() -> None:
    unit, text = node_of("Basket.total")
    shown = climb(unit, text, outline=OUTLINE)[Level.DETAILED].text.split("\n")
    at = shown.index('            raise ValueError("the basket breaks")')
    assert shown[at - 1] == "        if total > LIMIT:"


def test_a_licence_is_not_worth_its_tokens() -> None:
    assert "Apache" not in climb(file_unit(SOURCE), SOURCE, outline=OUTLINE)[Level.DETAILED].text


def test_summary_says_purpose_and_public_names_first() -> None:
    made = summarize_file(SOURCE, "python", Level.SUMMARY, info=INFO, count=count, outline=OUTLINE)
    assert made.text.startswith(
        "Keeps apples. Counts them, weighs them, hands them out.\nDefines L14 class Basket(dict); "
    )
    assert "L49 def hand_out(basket: Basket, people: list[str]) -> dict[str, float]" in made.text
    tight = summarize_file(
        SOURCE, "python", Level.SUMMARY, info=INFO, count=count, outline=OUTLINE, limits=Limits(summary=70)
    )
    assert "hand_out" in tight.text
    assert "_private" not in tight.text
    assert tight.text.endswith(" more.")


def test_summary_of_a_function_is_its_signature_and_first_sentence() -> None:
    unit, text = node_of("hand_out")
    rung = climb(unit, text, outline=OUTLINE)[Level.SUMMARY]
    assert rung.text == (
        "def hand_out(basket: Basket, people: list[str]) -> dict[str, float]\nShare the apples among people."
    )


def test_summary_of_an_undocumented_function_says_what_it_uses() -> None:
    source = (
        "def mix(bowl):\n"
        + "".join(f"    stir(bowl, spoon, {n}, 'round and round')\n" for n in range(9))
        + "    return bowl\n"
    )
    outline = outlined(source)
    rung = climb(node_unit(outline.nodes[0]), source, outline=outline, terms=["spoon"])[Level.SUMMARY]
    assert rung.text == "def mix(bowl)\nUses spoon, bowl, stir."


def test_a_stub_says_where_what_how_long_and_when() -> None:
    rung = climb(file_unit(SOURCE), SOURCE, outline=OUTLINE)[Level.STUB]
    assert rung.text == "orchard.py:1-61 · python file · 62 lines · modified 2026-09-21"


def test_the_settings_say_what_stays_in_detail_and_what_a_stub_says() -> None:
    def detail(*preserve: str) -> str:
        made = climb(file_unit(SOURCE), SOURCE, outline=OUTLINE, limits=Limits(preserve=preserve))
        return made[Level.DETAILED].text

    assert "Share the apples" not in detail("function signatures", "class definitions")
    assert "def hand_out" in detail("function signatures", "class definitions")
    assert "def hand_out" not in detail("class definitions", "comments/docstrings")
    assert "class Basket" in detail("class definitions", "comments/docstrings")
    assert "class Basket" not in detail("function signatures")
    assert "size: int = 3\n" not in detail("function signatures")

    def stub(*include: str) -> str:
        return summarize_file("x", "", Level.STUB, info=INFO, count=count, limits=Limits(include=include)).text

    assert stub("file path") == "orchard.py"
    assert stub("line count", "file type") == "python file · 61 lines"
    assert stub("last modified") == "modified 2026-09-21"
    assert stub() == ""


@pytest.mark.parametrize("modified", [None, -1.0, 1e18])
def test_a_stub_without_a_usable_date_leaves_it_out(modified: float | None) -> None:
    info = StubInfo("a\nb.py", "file", "", modified, 1)
    assert summarize_file("", "", Level.STUB, info=info, count=count).text == "a\\nb.py · file · 1 line"


def test_a_long_path_in_a_stub_keeps_its_end() -> None:
    info = StubInfo("deep/" * 300 + "end.py", "file", "python", None, 0)
    made = summarize_file("x", "python", Level.STUB, info=info, count=count, limits=Limits(stub=40))
    assert made.tokens <= 40
    assert "end.py" in made.text
    assert summarize_file("x", "python", Level.STUB, info=info, count=count, limits=Limits(stub=3)).tokens <= 3
    assert summarize_file("x", "python", Level.STUB, info=info, count=count, limits=Limits(stub=0)).text == ""


def test_marks_are_comments_of_the_language() -> None:
    assert Marks.of_code("python").elided(4, 9, "  ") == "  # … lines 4-9 elided"
    assert Marks.of_code("rust").elided(4, 4) == "// … line 4 elided"
    assert Marks.of_code("css").elided(4, 5) == "/* … lines 4-5 elided */"
    assert Marks.of_code("html").elided(1, 2) == "<!-- … lines 1-2 elided -->"
    assert Marks.of_code("klingon").elided(1, 2) == "… lines 1-2 elided"
    assert Marks.of_code("lua", located=False).elided(1, 2) == "-- … 2 lines elided"
    assert Marks(located=False).elided(1, 1) == "… 1 line elided"
    assert Marks(located=False).cut_inside(1, 9) == "… cut here"
    assert Marks().cut_inside(3, 9) == "… line 3 cut here, lines 4-9 elided"


def test_numbers_stand_before_lines_when_asked_for() -> None:
    unit, text = node_of("Basket.total")
    rungs = climb(unit, text, outline=OUTLINE, numbered=True)
    assert rungs[Level.FULL].text.startswith(
        "33|     # Glued to the method below.\n34|     @property\n35|     def total"
    )
    assert "37|         total = 0.0" in rungs[Level.FULL].text
    assert "  |         # … lines 37-43 elided" in rungs[Level.DETAILED].text.split("\n")


def test_members_are_dropped_before_the_classes_they_are_in_and_come_back_whole() -> None:
    methods = "".join(
        f"    def method_{n}(\n        self,\n        argument_{n}: int,\n    ) -> int:\n        return {n} + 12345\n\n"
        for n in range(60)
    )
    source = f"class Big:\n    flag = 1\n\n{methods}\ndef last(value):\n    return value\n"
    rung = climb(
        file_unit(source), source, outline=outlined(source), terms=["argument_41"], limits=Limits(detailed=300)
    )[Level.DETAILED]
    shown = rung.text.split("\n")
    assert "class Big:" in shown
    assert "def last(value):" in shown
    at = shown.index("    def method_41(")
    assert shown[at : at + 4] == ["    def method_41(", "        self,", "        argument_41: int,", "    ) -> int:"]
    assert 200 <= rung.tokens <= 300


def test_a_structure_that_does_not_fit_is_cut_and_says_where() -> None:
    source = "".join(f"def function_number_{n}(value):\n    return value\n\n" for n in range(200))
    rung = climb(file_unit(source), source, outline=outlined(source), limits=Limits(detailed=60))[Level.DETAILED]
    assert rung.tokens <= 60
    last = rung.text.split("\n")[-1]
    assert last.startswith("# … lines ")
    assert last.endswith("-600 elided")


def test_long_enumerations_and_constants_are_shown_by_their_beginning() -> None:
    members = "".join(f"    MEMBER_{n} = {n}\n" for n in range(200))
    source = f"class Colours(Enum):\n{members}\nTABLE = [\n" + "    1,\n" * 50 + "]\n"
    outline = outlined(source)
    table = Node("constant", "TABLE", "TABLE", 203, 254, 203, 0, 0, "TABLE = [", "", 0, 0, (), (), (), -1)
    whole = Outline("python", (*outline.nodes, table), (), (), "", 0, (), (), 254, broken=False)
    text = climb(file_unit(source), source, outline=whole)[Level.DETAILED].text
    assert "MEMBER_30" in text
    assert "MEMBER_150" not in text
    assert text.count("    1,") < 10


def test_a_long_docstring_is_cut_after_its_beginning() -> None:
    doc = "".join(f"    Line {n} of a long story about apples.\n" for n in range(80))
    source = f'def story():\n    """Tell it.\n\n{doc}    """\n    return 1\n'
    text = climb(file_unit(source), source, outline=outlined(source))[Level.DETAILED].text
    assert "Line 3 of" in text
    assert "Line 70 of" not in text


def test_private_names_are_told_by_each_language_in_its_own_way() -> None:
    def outline(lang: str, *signatures: tuple[str, str]) -> Outline:
        nodes = tuple(
            Node("function", name, name, at, at, at, 0, 0, text, "", 0, 0, (), (), (), -1)
            for at, (name, text) in enumerate(signatures, 1)
        )
        return Outline(lang, nodes, (), (), "", 0, (), (), len(nodes), broken=False)

    cases = {
        "go": (("hidden", "func hidden(a int)"), ("Shown", "func Shown(a int)")),
        "rust": (("hidden", "fn hidden()"), ("shown", "pub fn shown()")),
        "java": (("hidden", "private void hidden()"), ("shown", "public void shown()")),
        "python": (("_hidden", "def _hidden()"), ("__len__", "def __len__(self) -> int")),
    }
    for lang, signatures in cases.items():
        text = "\n".join(signature for _, signature in signatures)
        made = summarize_file(
            text,
            lang,
            Level.SUMMARY,
            info=INFO,
            count=count,
            outline=outline(lang, *signatures),
            limits=Limits(summary=11),
        )
        assert signatures[1][0] in made.text, lang
        assert "hidden" not in made.text, lang


@pytest.mark.parametrize(
    ("signature", "short"),
    [
        ("def get(self, key: str) -> str:", "def get(key: str) -> str"),
        ("fn get(&self, key: &str) -> String {", "fn get(key: &str) -> String"),
        ("def run(\n    self,\n    a: int,\n) -> None:", "def run(a: int) -> None"),
        ("func Add(a int) int {", "func Add(a int) int"),
        ("x" * 300, "x" * 109 + "…"),
    ],
)
def test_signatures_are_cut_short(signature: str, short: str) -> None:
    assert short_signature(signature) == short


def test_a_long_parameter_list_keeps_its_result() -> None:
    long = "def f(" + ", ".join(f"parameter_{n}: int = {n}" for n in range(30)) + ") -> Result:"
    short = short_signature(long)
    assert short.startswith("def f(parameter_0: int = 0,")
    assert short.endswith(",…) -> Result")
    assert len(short) <= 110


def test_code_that_was_not_parsed_is_cut_by_its_shape() -> None:
    text = "\n".join(f"step {n} of a script without a head, long enough to matter" for n in range(40))
    unit = Unit(
        id="r",
        source="code",
        kind="function",
        title="f",
        text="",
        path="a.x",
        span=Span(1, 40),
        name="absent",
        lang="x",
    )
    rungs = climb(unit, text)
    assert rungs[Level.DETAILED].text.startswith("step 0 of")
    assert rungs[Level.SUMMARY].tokens < rungs[Level.DETAILED].tokens


def test_terms_can_be_prepared_once_for_many_units() -> None:
    terms = Terms.of({"apples": 2.0, "": 1.0, "gone": 0.0})
    assert Terms.of(terms) is terms
    assert [needle for needle, _ in terms.needles] == ["apples"]
    assert levels_version >= 1


def test_closing_brackets_stay_so_that_it_still_reads_as_code() -> None:
    body = "".join(f"    this.total += parts[{n}].weight * this.factor;\n" for n in range(8))
    text = (
        "export class Basket {\n  private total = 0;\n\n"
        f"  add(parts: Part[]): number {{\n{body}    return this.total;\n  }}\n\n"
        f"  clear(): void {{\n{body}  }}\n}}\n"
    )
    nodes = (
        Node("class", "Basket", "Basket", 1, 26, 1, 2, 25, "export class Basket", "", 0, 0, (), (), (), -1),
        Node("method", "add", "Basket.add", 4, 14, 4, 5, 13, "add(parts: Part[]): number", "", 0, 0, (), (), (), 0),
        Node("method", "clear", "Basket.clear", 16, 25, 16, 17, 24, "clear(): void", "", 0, 0, (), (), (), 0),
    )
    outline = Outline("typescript", nodes, (), (), "", 0, (), (), 26, broken=False)
    rung = climb(file_unit(text, "basket.ts", "typescript"), text, outline=outline)[Level.DETAILED]
    assert rung.text.split("\n") == [
        "export class Basket {",
        "  private total = 0;",
        "",
        "  add(parts: Part[]): number {",
        "    // … lines 5-12 elided",
        "    return this.total;",
        "  }",
        "",
        "  clear(): void {",
        "    // … lines 17-24 elided",
        "  }",
        "}",
    ]


@pytest.mark.parametrize(
    ("doc", "said"),
    [
        ("orchard.hooks\n~~~~~~~~~~~~~\n\nKeeps hooks.", "Keeps hooks."),
        ("Picks one.\n\n:param size: how large\n:rtype: str", "Picks one."),
        (":rtype: str", "Uses basket."),
        ("@param size how large", "Uses basket."),
    ],
)
def test_a_summary_says_what_a_docstring_adds_to_name_and_signature(doc: str, said: str) -> None:
    unit = Unit(
        "u", "code", "function", "pick", "", name="pick", qualname="pick", signature="def pick(size: int) -> str",
        doc=doc, refs=("basket",), lang="python", path="orchard.py", span=Span(1, 30),
    )  # fmt: skip
    assert code_paragraph(unit, 1, None, (), Terms.of(()), 400) == f"def pick(size: int) -> str\n{said}"
