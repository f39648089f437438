"""Units of a file: ids that stay, parents, roles, citations, blocks of what has no syntax."""

from __future__ import annotations

from itertools import pairwise

import pytest
from code_cases import assert_sound, file_of, text_of, units_of

from haversack.model import Role
from haversack.sources.code import CodeSource
from haversack.sources.code.blocks import MOST_CHARACTERS, MOST_LINES, blocks
from haversack.sources.code.cutting import LONGEST_DOC
from haversack.sources.code.stretches import MOST_BLOCKS
from haversack.sources.protocol import FileSource


def test_the_source_claims_what_is_left() -> None:
    source = CodeSource()
    assert isinstance(source, FileSource)
    assert source.claims("LICENSE", "")
    assert (source.name, source.threshold) == ("code", 0.5)
    assert list(source.compressors()) == ["light"]


def test_ids_stay_when_lines_move_and_when_bodies_change() -> None:
    text = text_of("python")
    before = {unit.qualname: unit.id for unit in units_of(text, "python")}
    moved = text.replace("import os", "\n\n\nimport os").replace('os.mkdir("shop")', 'os.mkdir("shops")')
    assert {unit.qualname: unit.id for unit in units_of(moved, "python")} == before


def test_equal_names_in_one_file_are_told_apart_by_their_order() -> None:
    text = "#if A\nint f(void) {\n\treturn 1;\n}\n#else\nint f(void) {\n\treturn 2;\n}\n#endif\n"
    first, second = (unit for unit in units_of(text, "c") if unit.name == "f")
    assert first.id != second.id
    assert [unit.id for unit in units_of("\n" + text, "c") if unit.name == "f"] == [first.id, second.id]


def test_a_unit_cites_its_lines_and_its_symbol() -> None:
    source = CodeSource()
    file, *rest = source.units(file_of(text_of("go"), "go", "shop/cart.go"))
    add = next(unit for unit in rest if unit.qualname == "Cart.Add")
    lines, symbol = source.cite(add)
    assert str(lines) == "shop/cart.go:33-37"
    assert symbol.as_json() == {"kind": "symbol", "id": add.id, "name": "Cart.Add", "file": "shop/cart.go"}
    assert str(source.cite(file)[0]) == "shop/cart.go:1-58"


def test_a_class_holds_its_methods_and_not_their_text() -> None:
    units = {unit.qualname: unit for unit in units_of(text_of("python"), "python") if unit.kind != "block"}
    order, total = units["Order"], units["Order.total"]
    assert total.parent == order.id
    assert order.parent == units[""].id
    assert "price_of" not in order.text
    assert "lines: list[Line]" in order.text
    assert order.bases == ("Record", "Generic")
    assert units[""].imports[0] == "os"
    assert units[""].name == "shop"


def test_a_group_of_constants_lists_its_names() -> None:
    group = next(unit for unit in units_of(text_of("python"), "python") if unit.kind == "constant")
    assert group.title == "logger, MAX_ITEMS, CLOSING"
    assert group.meta["names"] == ("logger", "MAX_ITEMS", "CLOSING")
    four = next(unit for unit in units_of("A = 1\nB = 2\nC = 3\nD = 4\n", "python") if unit.kind == "constant")
    assert four.title == "A, B, C, …"


def test_marked_tests_inside_a_source_file_are_tests() -> None:
    roles = {unit.qualname: unit.role for unit in units_of(text_of("rust"), "rust")}
    assert roles["tests.helper"] is roles["tests.sells"] is Role.TEST
    assert roles["open_shop"] is roles[""] is Role.SOURCE
    generated = {unit.role for unit in units_of(text_of("rust"), "rust", role=Role.GENERATED)}
    assert generated == {Role.GENERATED}


def test_a_name_alone_does_not_make_a_test() -> None:
    text = "def test_connection(host):\n    return ping(host)\n"
    assert {unit.role for unit in units_of(text, "python")} == {Role.SOURCE}


def test_long_documentation_is_shortened_at_a_line() -> None:
    text = 'def f():\n    """First.\n\n' + "    more words\n" * 200 + '    """\n'
    doc = next(unit for unit in units_of(text, "python") if unit.name == "f").doc
    assert doc.startswith("First.\n\nmore words")
    assert len(doc) <= LONGEST_DOC
    assert doc.endswith("words")
    assert len(units_of(f'"""{"x" * 3_000}"""\n', "python")[0].doc) == LONGEST_DOC


def test_a_long_function_stays_whole() -> None:
    text = "def f():\n" + "    step()\n" * 900
    assert [unit.kind for unit in units_of(text, "python")] == ["file", "function"]


def test_long_stretches_outside_definitions_become_blocks() -> None:
    script = "".join(f"step_{n}()\n" + ("\n" if n % 25 == 24 else "") for n in range(300))
    units = assert_sound(f"def f():\n    pass\n\n\n{script}", "python")
    kept = [unit for unit in units if unit.kind == "block"]
    assert len(kept) >= 5
    assert all(unit.parent == units[0].id for unit in kept)
    assert "step_299" in kept[-1].refs


@pytest.mark.parametrize("lang", ["", "ada", "text"])
def test_unknown_languages_are_cut_at_blank_lines(lang: str) -> None:
    text = "\n".join("word Word\n" * 9 + "" for _ in range(40))
    units = assert_sound(text, lang)
    assert len(units[0].text.splitlines()) <= MOST_LINES
    assert {unit.kind for unit in units[1:]} == {"block"}
    assert all(len(unit.text.splitlines()) <= MOST_LINES for unit in units)
    assert units[1].refs == ("Word",)


@pytest.mark.parametrize("lang", ["json", "csv", "yaml"])
def test_large_data_is_cut_into_a_bounded_number_of_blocks(lang: str) -> None:
    text = "\n".join(f'"key_{n}": {n},' for n in range(60_000))
    units = assert_sound(text, lang)
    assert MOST_BLOCKS // 2 < len(units) <= MOST_BLOCKS + 1
    assert not any(unit.refs for unit in units)


def test_small_data_is_known_by_its_keys() -> None:
    units = units_of(text_of("json"), "json")
    assert units[1].meta["names"] == ("name", "version", "scripts")


def test_a_line_of_a_megabyte_is_one_unit() -> None:
    (only,) = assert_sound("[" + "1," * 500_000 + "1]", "json")
    assert len(only.text) > 1_000_000


def test_blocks_cover_everything_once() -> None:
    lines = ["x" * (n % 90) if n % 13 else "" for n in range(1_000)]
    for most in (1, 3, 200):
        spans = blocks(lines, 11, 990, most)
        assert len(spans) <= most
        assert spans[0][0] == 11
        assert spans[-1][1] == 990
        assert all(after[0] == before[1] + 1 for before, after in pairwise(spans))
    assert blocks(lines, 5, 4, 10) == []
    assert blocks(lines, 1, 10, 0) == []


def test_records_on_long_lines_are_not_lumped_together() -> None:
    lines = ["y" * 5_000] * 10
    assert blocks(lines, 1, 10, 200) == [(n, n) for n in range(1, 11)]
    assert blocks(["z" * (MOST_CHARACTERS + 1)] * 2, 1, 2, 200) == [(1, 1), (2, 2)]


def test_a_file_knows_where_its_imports_are() -> None:
    late = "import os\n\nfrom a import (\n    b,\n)\n\n\ndef one():\n    pass\n" + "\n" * 20 + "import late\n"
    many = "".join(f"import m{n}\n" for n in range(200)) + "def one():\n    pass\n"
    for text, place in ((late, (1, 5)), (many, (1, 80)), ("def one():\n    pass\n", (0, 0))):
        anatomy = units_of(text, "python")[0].anatomy
        assert anatomy is not None
        assert (anatomy.body_start, anatomy.body_end) == place
