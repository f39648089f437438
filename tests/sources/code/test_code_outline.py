"""What an outline says of a definition: signature, documentation, marks, body, names it uses."""

from __future__ import annotations

import pytest
from code_cases import text_of

from haversack.sources.code.outline import Node, Outline
from haversack.sources.code.refs import MOST_REFS
from haversack.sources.code.rules import LONG
from haversack.sources.code.syntax import outline
from haversack.sources.code.walk import GROUP_LINES


def node(found: Outline, qualname: str) -> Node:
    return next(node for node in found.nodes if node.qualname == qualname)


def test_a_python_class_with_everything() -> None:
    found = outline(text_of("python"), "python")
    order = node(found, "Order")
    assert order.signature == "class Order(Record, Generic[T], metaclass=Meta)"
    assert order.decorators == ("@dataclass(frozen=True)",)
    assert (order.start, order.head) == (22, 23)
    assert order.doc == "One order.\n\nIt never changes."
    assert (order.doc_start, order.doc_end) == (24, 27)
    send = node(found, "Order.send")
    assert send.signature == "async def send( self, to: Address, ) -> None"
    assert send.doc == "Glued above."
    assert (send.body_start, send.body_end) == (41, 44)
    assert send.refs == ("Address", "retry", "post", "Parcel")
    assert found.nodes[send.parent] == order


def test_a_module_says_what_it_is_for_and_not_its_licence() -> None:
    python = outline(text_of("python"), "python")
    assert (python.doc, python.doc_end) == ("Orders and the shop that takes them.", 2)
    c = outline(text_of("c"), "c")
    assert c.doc == "shop.c - sells things"
    assert outline(text_of("java"), "java").doc == ""
    assert outline(text_of("rust"), "rust").doc == "The shop."
    assert outline("// First.\n\n// Second.\n\nint x;\n", "c").doc == "First."


def test_a_comment_glued_to_a_definition_is_its_own_and_not_the_files() -> None:
    found = outline("// Adds.\nint add(int a)\n{\n\treturn a;\n}\n", "c")
    assert found.doc == ""
    assert found.nodes[0].doc == "Adds."
    assert outline("// Far.\n\nint add(int a)\n{\n\treturn a;\n}\n", "c").nodes[0].doc == ""


SENT = "/**\n * Sends.\n */\n\nres.send = function (body) {\n  return body;\n};\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("var res = {};\n\n" + SENT, ("Sends.", 3)),
        (SENT, ("", 5)),  # at the top of a file it may say what the file is
        ("var res = {};\n\n" + SENT.replace("*/\n", "*/\n\n"), ("", 8)),
        ("var res = {};\n\n" + SENT.replace("/**", "/*"), ("", 7)),
        ("var res = {};\n\n// Other.\n" + SENT, ("", 8)),
    ],
)
def test_a_doc_comment_may_leave_one_line_blank(text: str, expected: tuple[str, int]) -> None:
    sent = outline(text, "javascript").nodes[-1]
    assert (sent.doc, sent.start) == expected


def test_a_comment_behind_code_belongs_to_that_line() -> None:
    found = outline("int x; // counts\nint add(int a)\n{\n\treturn a;\n}\n", "c")
    assert [(entry.name, entry.start, entry.doc) for entry in found.nodes] == [("x", 1, ""), ("add", 2, "")]
    assert found.comment_lines == ()


def test_doc_comments_lose_their_markers() -> None:
    text = "/**\n * Adds <b>one</b>.\n *\n * @param x what\n */\nfunction add(x) {\n  return x;\n}\n"
    assert outline(text, "javascript").nodes[0].doc == "Adds one.\n\n@param x what"
    assert outline("/// Adds.\n/// Twice.\nfn add() {\n    x();\n}\n", "rust").nodes[0].doc == "Adds.\nTwice."
    assert outline("# ====\n# Adds.\n# ====\ndef add\n  1\nend\n", "ruby").nodes[0].doc == "Adds."


def test_marks_beside_before_and_among_modifiers() -> None:
    assert node(outline(text_of("rust"), "rust"), "Cart").decorators == ("#[derive(Debug, Clone)]",)
    java = node(outline(text_of("java"), "java"), "Cart.add")
    assert java.decorators == ("@Override", "@Deprecated")
    assert java.signature == "public <R> void add(T item) throws ShopException"
    assert (java.start, java.head) == (23, 26)
    assert outline("class A {\n  @Override\n  void f() {\n  }\n}\n", "java").nodes[1].signature == "void f()"
    csharp = node(outline(text_of("csharp"), "csharp"), "Cart.Add")
    assert csharp.decorators == ('[Obsolete("use Put")]',)


def test_a_body_is_what_may_be_elided() -> None:
    braces = outline("int f(int a,\n      int b)\n{\n\tg();\n\th();\n}\n", "c").nodes[0]
    assert (braces.body_start, braces.body_end) == (4, 5)
    one_line = outline("def f(): return 1\n", "python").nodes[0]
    assert (one_line.body_start, one_line.body_end) == (0, 0)
    ruby = outline(text_of("ruby"), "ruby")
    assert (node(ruby, "Shop").body_start, node(ruby, "Shop").body_end) == (7, 34)


def test_neighbouring_constants_are_one_node_that_names_them_all() -> None:
    found = outline(text_of("python"), "python").nodes[0]
    assert (found.kind, found.name, found.names) == ("constant", "logger", ("logger", "MAX_ITEMS", "CLOSING"))
    assert found.signature == "logger, MAX_ITEMS, CLOSING"
    many = outline("".join(f"A{n} = {n}\n" for n in range(12)), "python").nodes[0]
    assert many.signature.endswith("A7, …")


def test_two_blank_lines_or_a_screenful_part_constants() -> None:
    assert len(outline("A = 1\n\nB = 2\n", "python").nodes) == 1
    assert len(outline("A = 1\n\n\nB = 2\n", "python").nodes) == 2
    assert len(outline("A = 1\nf()\nB = 2\n", "python").nodes) == 2
    long = outline("".join(f"A{n} = {n}\n" for n in range(GROUP_LINES + 5)), "python").nodes
    assert [entry.end - entry.start + 1 for entry in long] == [GROUP_LINES, 5]


def test_a_comment_above_constants_documents_them() -> None:
    found = outline("import os\n\n# Limits.\nA = 1\nB = 2\n", "python").nodes[0]
    assert (found.doc, found.start, found.head) == ("Limits.", 3, 4)


def test_what_stands_in_strings_and_comments_is_not_used() -> None:
    text = 'def f():\n    """Calls nothing(): Nobody."""\n    x = "g()"  # h()\n    return real(x)\n'
    assert outline(text, "python").nodes[0].refs == ("real",)


def test_names_used_are_bounded_and_each_once() -> None:
    body = "\n".join(f"    call_{n % 300}()" for n in range(900))
    refs = outline(f"def f():\n{body}\n", "python").nodes[0].refs
    assert len(refs) == len(set(refs)) == MOST_REFS


def test_a_class_does_not_use_what_its_methods_use() -> None:
    found = outline("class A(Base):\n    x = make()\n\n    def f(self):\n        other()\n", "python")
    assert found.nodes[0].refs == ("Base", "make")
    assert found.nodes[1].refs == ("other",)


def test_imported_names_count_as_used_by_the_file() -> None:
    assert {"refill", "Shelf", "prices"} <= set(outline(text_of("python"), "python").refs)
    assert {"useState", "join"} <= set(outline(text_of("javascript"), "javascript").refs)


def test_functions_inside_functions_have_no_node_of_their_own() -> None:
    found = outline("def f():\n    def g():\n        return 1\n    return g\n", "python")
    assert [entry.name for entry in found.nodes] == ["f"]


def test_two_definitions_on_one_line_are_one_cut() -> None:
    found = outline("def f(): pass\nclass A { }\n", "python")
    assert found.nodes[0].end == 1
    java = outline("class A { void f() {} void g() {} }\nclass B { }\n", "java")
    assert [(entry.name, entry.start, entry.end) for entry in java.nodes] == [("A", 1, 1), ("B", 2, 2)]


def test_a_definition_that_begins_on_a_taken_line_begins_on_the_next() -> None:
    found = outline("int a; int f(void) {\n\treturn 1;\n}\n", "c").nodes
    assert [(entry.name, entry.start, entry.head, entry.end) for entry in found] == [("a", 1, 1, 1), ("f", 2, 2, 3)]


def test_scripts_keep_the_lines_of_the_page() -> None:
    page = outline(text_of("vue"), "vue")
    assert (node(page, "clear").start, node(page, "clear").end) == (21, 23)
    assert page.imports == ("./CartLine.vue", "@/stores/shop")
    other = '<script type="text/template">\nfunction no() {\n}\n</script>\n<script>\nlet x = 1\n</script>\n'
    assert [entry.name for entry in outline(other, "html").nodes] == ["x"]


def test_objects_that_hold_functions_are_like_classes() -> None:
    text = """export default {
  name: "Cart",
  data() {
    return 1;
  },
  methods: {
    add(item) {
      push(item);
    },
    drop: function () {
      remove();
    },
  },
};

const api = {
  get: async (url) => {
    return load(url);
  },
  limit: 3,
  depth: 4,
};

module.exports = {
  run: function () {
    go();
  },
  at: [1],
  on: 2,
};

const plain = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
};
"""
    assert [f"{entry.kind} {entry.qualname}" for entry in outline(text, "javascript").nodes] == [
        "class default", "method default.data", "method default.add", "method default.drop", "class api",
        "method api.get", "class exports", "method exports.run", "constant plain",
    ]  # fmt: skip


def test_types_of_flow_are_read_as_typescripts() -> None:
    text = "// @flow\ntype A = {x: number};\n\nexport function f(a: A): number {\n  return a.x;\n}\n"
    found = outline(text, "javascript")
    assert [entry.name for entry in found.nodes] == ["A", "f"]
    assert not found.broken


def test_text_beyond_ascii_keeps_names_and_lines() -> None:
    found = outline("# 주석 하나\n\nclass Größe:\n    def 더하기(self):\n        return 'é'\n", "python")
    assert [entry.qualname for entry in found.nodes] == ["Größe", "Größe.더하기"]
    assert found.nodes[1].signature == "def 더하기(self)"


def test_definitions_handed_to_a_macro_are_found() -> None:
    text = "cfg_io! {\n    use crate::a;\n\n    pub fn f() {\n        g();\n    }\n}\n\nfn after() {}\n"
    found = outline(text, "rust")
    assert [(entry.name, entry.start) for entry in found.nodes] == [("f", 4), ("after", 9)]
    assert found.imports == ("crate::a",)


def test_what_macros_define_is_named_by_their_first_word() -> None:
    text = "SYSCALL_DEFINE1(shut, int, fd)\n{\n\treturn done(fd);\n}\n\nTRACE_EVENT(sold,\n\tA(x),\n\tB(y)\n);\n"
    found = outline(text, "c").nodes
    assert [(entry.name, entry.start, entry.end) for entry in found] == [("shut", 1, 4), ("sold", 6, 9)]
    tests = outline("TEST_CASE(adds)\n{\n\tcheck();\n}\nTEST(Cart, sells) {\n  x();\n}\n", "cpp").nodes
    assert all(entry.is_test for entry in tests)


def test_a_body_that_is_hard_to_parse_does_not_hide_what_follows() -> None:
    text = "int f(void)\n{\n\tfor_each(x) {\n#ifdef A\n\t\tif (a) {\n#endif\n\t}\n}\n\nint g(void)\n{\n\treturn 1;\n}\n"
    found = outline(text, "c")
    assert [(entry.name, entry.start, entry.end) for entry in found.nodes] == [("f", 1, 8), ("g", 10, 13)]
    assert not found.broken
    assert found.nodes[0].refs == ("for_each",)


def test_an_outline_is_the_same_each_time() -> None:
    for lang in ("python", "typescript", "vue"):
        assert outline(text_of(lang), lang) == outline(text_of(lang), lang)


@pytest.mark.parametrize(
    ("lang", "head", "inner", "tail"),
    [
        ("typescript", "function make(options) {", "  const {0} = (x) => {{\n    return x\n  }}\n", "}"),
        ("javascript", "function make(options) {", "  function {0}(x) {{\n    return x\n  }}\n", "}"),
        ("python", "def make(options):", "    def {0}(x):\n        return x\n", "    return 1"),
    ],
)
def test_what_a_long_function_defines_inside_is_found_on_its_own(lang: str, head: str, inner: str, tail: str) -> None:
    def found(parts: int) -> list[tuple[str, str]]:
        text = "\n".join([head, *(inner.format(f"part{n}") for n in range(parts)), tail, ""])
        return [(node.kind, node.qualname) for node in outline(text, lang).nodes]

    assert found(3) == [("function", "make")]
    many = found(LONG // 3 + 2)
    assert many[:3] == [("function", "make"), ("function", "make.part0"), ("function", "make.part1")]
    assert len(many) == LONG // 3 + 3


def test_a_long_methods_own_functions_are_functions() -> None:
    steps = "".join(f"        step({n})\n" for n in range(LONG))
    found = outline(f"class Shop:\n    def open(self):\n        def key():\n            pass\n{steps}", "python")
    assert [(node.kind, node.qualname) for node in found.nodes] == [
        ("class", "Shop"), ("method", "Shop.open"), ("function", "Shop.open.key"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lang", "head", "value", "tail"),
    [
        ("java", "public enum Feature {", "    FAIL_{n}(true),", "    ;\n    Feature(boolean on) {{\n    }}\n}}"),
        ("rust", "pub enum Feature {", "    Fail{n}(bool),", "}}"),
        ("csharp", "public enum Feature {", "    Fail{n},", "}}"),
        ("php", "<?php\nenum Feature {", "    case Fail{n};", "}}"),
        ("typescript", "export enum Feature {", "  Fail{n} = {n},", "}}"),
        ("c", "enum Feature {", "  FAIL_{n},", "}};"),
        ("cpp", "enum class Feature {", "  FAIL_{n} = {n},", "}};"),
    ],
)
def test_the_values_of_a_long_list_are_found_on_their_own(lang: str, head: str, value: str, tail: str) -> None:
    def found(values: int) -> list[Node]:
        documented = (f"    /** Fails, {n}. */\n{value.format(n=n)}\n" for n in range(values))
        bare = f"{value.format(n=97)}\n{value.format(n=98)}\n"
        text = "\n".join((head, *documented, bare + tail.format()))
        return [node for node in outline(text + "\n", lang).nodes if node.kind == "constant"]

    assert found(5) == []
    nodes = found(LONG // 3 + 1)
    assert len(nodes) == LONG // 3 + 1
    first, last = nodes[0], nodes[-1]
    assert first.qualname in ("Feature.Fail0", "Feature.FAIL_0")
    assert first.doc == "Fails, 0."
    # Those without a word of their own go with the one before them.
    assert len(last.names) == 3
