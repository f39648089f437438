"""What stands between definitions is found and shown on its own: scripts, registrations, fields of long classes."""

from __future__ import annotations

import pytest
from code_cases import assert_sound

from haversack.model import Role

METHODS = "".join(f"    def step_{n}(self):\n        return {n}\n\n" for n in range(40))


def blocks(text: str, lang: str) -> list[str]:
    return [unit.text for unit in assert_sound(text, lang) if unit.kind == "block"]


def test_what_a_script_does_when_it_is_run_is_one_piece() -> None:
    main = (
        'if __name__ == "__main__":\n    import sys\n    args = parse()\n'
        "    with open(args.path) as file:\n        text = file.read()\n    print(text)\n"
    )
    units = assert_sound(f"def parse():\n    pass\n\n\n{main}", "python")
    assert [unit.kind for unit in units] == ["file", "function", "block"]
    assert units[-1].text.startswith('if __name__ == "__main__":')
    assert units[-1].text.endswith("print(text)")
    assert "parse" in units[-1].refs


def test_a_choice_of_values_is_one_constant() -> None:
    text = "if new:\n    NAME = 1\n    OTHER = 2\nelse:\n    NAME = 3\n\n\ndef f():\n    pass\n"
    units = assert_sound(text, "python")
    assert [(unit.kind, unit.meta.get("names")) for unit in units[1:2]] == [("constant", ("NAME", "OTHER"))]
    assert units[1].span is not None
    assert (units[1].span.start, units[1].span.end) == (1, 5)


def test_conditions_nested_too_deeply_for_recursion_are_cut_all_the_same() -> None:
    deep = "".join(f"{' ' * n}if a:\n" for n in range(400))
    units = assert_sound(f"{deep}{' ' * 400}NAME = 1\n\ndef f():\n    pass\n", "python")
    assert {"NAME", "f"} <= {unit.name for unit in units}


def test_what_a_condition_defines_or_imports_counts_as_without_it() -> None:
    text = "try:\n    import fast\nexcept ImportError:\n    fast = None\n\nif fast:\n    def f():\n        pass\n"
    units = assert_sound(text, "python")
    assert units[0].imports == ("fast",)
    assert [unit.name for unit in units[1:]] == ["fast", "f"]


def test_statements_between_definitions_are_a_piece() -> None:
    text = (
        "function a() {\n  return 1;\n}\n\n"
        "methods.forEach(function (method) {\n  app[method] = a;\n});\n\nfunction b() {\n  return 2;\n}\n"
    )
    assert blocks(text, "javascript") == ["methods.forEach(function (method) {\n  app[method] = a;"]


def test_a_lone_promise_of_a_function_is_a_piece_and_a_lone_call_is_none() -> None:
    struct = "struct size {\n  int width;\n};\n"
    promise = "LIB_API void report_unknown(char code, const char *type);"
    assert blocks(f"{struct}\n// Ends the run.\n{promise}\n\n{struct}", "c") == [f"// Ends the run.\n{promise}"]
    assert blocks(f"{struct}\nREGISTER(size);\n\n{struct}", "c") == []


def test_the_last_of_enumerated_names_belongs_to_them() -> None:
    names = "enum\n{\n  OPT_PATHS,\n  OPT_WIDTH"
    assert blocks(f"{names}\n}};\n\nint main() {{\n  return 0;\n}}\n", "c") == [names]


def test_the_comment_above_belongs_to_them() -> None:
    text = "def f():\n    pass\n\n\n# The usual ones.\nregister(f)\nregister(f, again=True)\n"
    assert blocks(text, "python") == ["# The usual ones.\nregister(f)\nregister(f, again=True)"]


def test_what_a_file_passes_on_is_no_import_of_its_own() -> None:
    offered = 'export { a, b } from "./abc"\nexport * from "./errors"'
    text = f'import {{ z }} from "./z"\n\n{offered}\nexport function f() {{\n  return z\n}}\n'
    assert blocks(text, "typescript") == [offered]
    file = assert_sound(text, "typescript")[0]
    assert file.imports == ("./z", "./abc", "./errors")
    assert file.anatomy is not None
    assert (file.anatomy.body_start, file.anatomy.body_end) == (1, 1)
    offered = "mod a;\npub use a::Shop;"
    assert blocks(f"use std::io;\n\n{offered}\n\nfn open() {{}}\n", "rust") == [offered]


def test_brackets_comments_imports_and_conditions_are_none() -> None:
    text = (
        "#include <map>\n\nnamespace shop {\nint a() { return 1; }\n}  // namespace shop\n\n#ifdef OLD\n"
        "# include <set>\n#endif\n\nSHOP_BEGIN_EXPORT\n\n// said\n// twice\n\nint b() { return 2; }\n"
    )
    assert blocks(text, "cpp") == []


def test_one_line_alone_stays_with_the_file() -> None:
    units = assert_sound("def f():\n    pass\n\n\nregister(f)\n", "python")
    assert [unit.kind for unit in units] == ["file", "function"]
    assert "register(f)" in units[0].text


def test_fields_of_a_long_class_are_found_on_their_own_and_called_as_it_is() -> None:
    fields = "    width: int = 80\n    height: int = 25\n"
    units = assert_sound(f'class Screen:\n    """A screen."""\n\n{fields}\n{METHODS}', "python")
    (block,) = (unit for unit in units if unit.kind == "block")
    screen = units[1]
    assert block.text == fields.rstrip("\n")
    assert (block.qualname, block.parent) == ("Screen", screen.id)
    assert '"""A screen."""' in screen.text
    assert "width" not in screen.text


def test_fields_of_a_short_class_stay_with_it() -> None:
    assert blocks("class Screen:\n    width = 80\n    height = 25\n\n    def f(self):\n        pass\n", "python") == []


def test_a_long_structure_is_cut_where_it_leaves_lines_blank() -> None:
    fields = "".join(f"    /// Field {n}.\n    field_{n}: u32,\n" + ("\n" if n % 20 == 19 else "") for n in range(80))
    found = blocks(f"pub struct Settings {{\n{fields}}}\n", "rust")
    assert len(found) >= 3
    assert "field_0: u32" in found[0]
    assert "field_79: u32" in found[-1]


def test_a_long_table_is_cut_into_pieces_that_are_called_as_it_is() -> None:
    rows = "".join(f'    "option_{n}": Option({n}),\n' + ("\n" if n % 30 == 29 else "") for n in range(150))
    units = assert_sound(f"OPTIONS = {{\n{rows}}}\n", "python")
    found = [unit for unit in units if unit.kind == "block"]
    assert len(found) >= 3
    assert {unit.qualname for unit in found} == {"OPTIONS"}
    assert '"option_149": Option(149)' in found[-1].text
    assert units[1].name == "OPTIONS"


def test_pieces_of_marked_tests_are_tests() -> None:
    fields = "".join(f"        field_{n}: u32,\n" for n in range(120))
    text = f"fn a() {{}}\n\n#[cfg(test)]\nmod tests {{\n    struct Case {{\n{fields}    }}\n}}\n"
    assert {unit.role for unit in assert_sound(text, "rust") if unit.kind == "block"} == {Role.TEST}


@pytest.mark.parametrize("prefix", ["", "template <class T>\n  "])
def test_friends_defined_in_a_class_are_found(prefix: str) -> None:
    friend = "friend int compare(Big a, Big b) {\n    return a.low - b.low;\n  }"
    text = f"class Big {{\n  int low;\n\n  {prefix}{friend}\n}};\n"
    assert "compare" in {unit.name for unit in assert_sound(text, "cpp")}
