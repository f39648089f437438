"""Macros that no parser knows do not swallow what follows them, and a header may be C or C++."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.sources.code import grammar, parsed
from haversack.sources.code.languages.c import LONGEST_CHOICE
from haversack.sources.code.macros import without_attributes, without_macros
from haversack.sources.code.syntax import outline

HEADER = """\
#ifndef SHOP_H_
#define SHOP_H_
#define SHOP_INLINE inline \\
    SHOP_ATTRIBUTE unsigned

SHOP_BEGIN_NAMESPACE
namespace detail {

template <typename T>
SHOP_CONSTEXPR SHOP_INLINE auto price(T item) SHOP_NOEXCEPT -> int {
  return item.price;
}

class SHOP_API cart {
 public:
  SHOP_DEPRECATED("use add") void put(int item) SHOP_NOEXCEPT {
    add(item);
  }
  SHOP_CONSTEXPR20 ~cart() SHOP_NOEXCEPT {}
};

}  // namespace detail
SHOP_END_NAMESPACE
#endif
"""


def defined(text: str, lang: str) -> list[tuple[str, int, int]]:
    return [(node.qualname, node.start, node.end) for node in outline(text, lang).nodes if node.kind != "constant"]


def test_a_header_full_of_macros_has_its_definitions() -> None:
    expected = [
        ("detail.price", 9, 12),
        ("detail.cart", 14, 20),
        ("detail.cart.put", 16, 18),
        ("detail.cart.~cart", 19, 19),
    ]
    assert defined(HEADER, "cpp") == expected
    # `.h` says nothing about the language: it is taken for C, and then for what has fewer faults.
    assert defined(HEADER, "c") == expected


CHOICES = """\
#ifndef SHOP_H_
#define SHOP_H_
#include <till.h>
// Not with old compilers.
#if SHOP_HAS(noreturn) && \\
    !defined(OLD)
#  define SHOP_NORETURN [[noreturn]]
#else
#  define SHOP_NORETURN
#  ifdef WIDE
#    define SHOP_WIDE(x) x
#  endif
#endif

#ifdef SHOP_OPEN
#  define SHOP_HOURS 8
#  pragma warning(push)
#endif
#define SHOP_DAYS 6
#define SHOP_WEEKS 52
#endif
"""


@pytest.mark.parametrize("lang", ["c", "cpp"])
def test_a_short_choice_of_definitions_is_one_node(lang: str) -> None:
    nodes = outline(CHOICES, lang).nodes
    assert nodes[2].signature == "SHOP_HOURS"
    assert [(node.names, node.start, node.end) for node in nodes] == [
        (("SHOP_H_",), 2, 2),
        (("SHOP_NORETURN", "SHOP_WIDE"), 4, 13),
        (("SHOP_HOURS",), 15, 18),
        (("SHOP_DAYS", "SHOP_WEEKS"), 19, 20),
    ]


@pytest.mark.parametrize(
    "held",
    [
        "int add(int a) {\n  return a;\n}",
        "#include <stdio.h>",
        "#define ADD(a) \\\n  (a + 1)",
        "\n" * (LONGEST_CHOICE + 1),
    ],
)
def test_what_else_stands_in_a_choice_keeps_its_own_node(held: str) -> None:
    found = outline(f"#if A\n#define ONE 1\n{held}\n#else\n#define ONE 2\n#endif\n", "c")
    ones = [(node.start, node.end) for node in found.nodes if node.name == "ONE"]
    assert len(ones) == 2
    assert all(start == end for start, end in ones)
    assert found.imports == (("stdio.h",) if "include" in held else ())


def test_signatures_keep_the_macros() -> None:
    (price,) = (node for node in outline(HEADER, "cpp").nodes if node.name == "price")
    assert "SHOP_CONSTEXPR" in price.signature


def test_c_stays_c_where_it_is_understood() -> None:
    text = "struct class { int new; };\nint add(struct class *this)\n{\n\treturn this->new;\n}\n"
    assert [name for name, *_ in defined(text, "c")] == ["class", "add"]


@pytest.mark.parametrize(
    ("text", "tried"),
    [
        ("int add(int a);\n", ["c"]),
        ("int x = = 1;\nint add(int a);\n", ["c"]),
        ("LIB_API int add(int a);\n", ["c", "c"]),
        ("namespace a {\nint f(int x) {\n  return x;\n}\n}\n", ["cpp"]),  # as C it would be one function, without fault
        ("class Cart {\n};\nint x = = 1;\n", ["cpp", "c"]),
        ("int Cart::add(int a) { return a; }\n", ["cpp"]),
    ],
)
def test_another_language_is_tried_only_where_the_text_looks_like_it(
    text: str, tried: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def parse(data: bytes, name: str) -> object:
        asked.append(name)
        return grammar.parse(data, name)

    monkeypatch.setattr(parsed, "parse", parse)
    outline(text, "c")
    assert asked == tried


def test_a_macro_above_a_body_defines_something() -> None:
    text = "SYSCALL_DEFINE1(close, unsigned int, fd)\n{\n\treturn 0;\n}\nLIB_BEGIN\nint f(int a) {\n  return a;\n}\n"
    assert [name for name, *_ in defined(text, "c")] == ["close", "f"]


@pytest.mark.parametrize("lang", ["c", "cpp"])
@pytest.mark.parametrize(
    "head",
    [
        "static int printflike(7, 8)\nname(int a, const char *fmt, ...)",
        "void printflike(2, 3) name(struct a *a, const char *fmt, ...)",
        "static char *printflike(1, 2)\nname(const char *fmt, ...)",
        "struct shop *section(stock)\nname(struct cart *cart)",
        'static int section(".text.hot") name(void)',
        "int attribute(x)\nname(void)",  # as it stands the grammar finds no fault, and a function `attribute`
        "int PRINTF_LIKE(1,2)\nname(const char *fmt, ...)",
        "PRINTF_LIKE(1,2) int name(const char *fmt, ...)",
        "__attribute__((format(printf, 1, 2))) int name(const char *fmt, ...)",
        "static int __attribute__((noinline))\nname(void)",
        "API_EXPORT(int) name(int a)",
        "static API_EXPORT(int) name(int a)",
        "static_always_inline int name(int a)",
        "static_always_inline struct cart *\nname(int a)",
        "static noinline __init int name(void)",
        "void FLASH_ATTRIBUTE\nname(void)",
        "JNIEXPORT jint JNICALL name(int a)",
        'SEC("xdp")\nint name(struct context *context)',
        'SEC("lsm/open")\nint BPF_PROG(name, struct file *file)',
        "#ifdef SPLIT\nstatic void name(int a, int b)\n#else\nstatic void name(int a)\n#endif",
    ],
)
def test_a_function_is_found_behind_whatever_stands_before_its_name(head: str, lang: str) -> None:
    body = "\n{\n\treturn;\n}\n"
    text = f"int before(int a){body}\n{head}{body}\nstatic void\nafter(int a){body}"
    found = defined(text, lang)
    assert [name for name, *_ in found] == ["before", "name", "after"]
    last = 5 + head.count("\n") + body.count("\n")
    assert found[1][2] == last
    assert found[2][1:] == (last + 2, last + 6)


@pytest.mark.parametrize(
    "head",
    [
        "class EXPORT_API Cart {",
        "class Export Cart final : public Base {",
        'class __attribute__((visibility("default"))) Cart {',
        "class __declspec(dllexport) Cart : public Base {",
        "struct EXPORT(1) Cart {",
        "template <class T> class EXPORT Cart\n{",
    ],
)
def test_a_class_is_found_behind_what_exports_it(head: str) -> None:
    text = f"{head}\n public:\n  int add(int item) {{ return item; }}\n}};\nint after(int a) {{\n  return a;\n}}\n"
    assert [name for name, *_ in defined(text, "cpp")] == ["Cart", "Cart.add", "after"]


@pytest.mark.parametrize(
    "text",
    [
        "int add(a)\nint a;\n{\n}\n",  # parameters as they were declared before 1989
        "void put(int item) printflike(1, 2);\n",
        "void put(void) section(x);\n",
        "\telse if (a) put(b);\n",
        "\treturn first(a) second(b);\n",
        "\tput(a);\n\ttake(b);\n",
        "BEGIN(shop)\nput(int a)\n",
        "Cart(int a) : items(a), price(b) {}\n",
        "static LIB_API(int) put(int a)\n",
        "class Cart final {\n",
        "class Cart : public Base {\n",
        "  struct Cart cart : 3;\n",
        "struct Cart cart = {\n",
        "struct Cart cart {1, 2};\n",
    ],
)
def test_what_is_no_attribute_stays(text: str) -> None:
    assert without_attributes(text.encode()).decode() == text


def test_a_comment_inside_a_macro_does_not_end_it() -> None:
    text = (
        "#define TABLE \\\n    /* the first */ \\\n    { ONE(1), TWO(2) }, \\\n    { THREE(3) } \\\n\n"
        "int f(int a) {\n  return a;\n}\n"
    )
    assert defined(text, "c") == [("f", 6, 8)]


def test_an_attribute_behind_a_variable_hides_nothing() -> None:
    text = 'const int table[] __attribute__((section(".table"))) = {\n  1,\n};\n\nvoid reset(void) {\n  f();\n}\n'
    assert defined(text, "c") == [("reset", 5, 7)]
    assert [node.name for node in outline(text, "c").nodes] == ["table", "reset"]


def test_directives_stay_and_nothing_moves() -> None:
    bare = without_macros(HEADER.encode()).decode()
    assert bare.splitlines()[:4] == HEADER.splitlines()[:4]
    assert not re.search("SHOP_(?:BEGIN|END|CONSTEXPR|NOEXCEPT|API|DEPRECATED)", bare)
    assert list(map(len, bare.splitlines())) == list(map(len, HEADER.splitlines()))


@pytest.mark.parametrize("without", [without_macros, without_attributes])
@given(text=st.text("AB_ (){}#\\\n;xé1,*/", max_size=200))
def test_any_text_keeps_its_lines_and_columns(without: Callable[[bytes], bytes], text: str) -> None:
    data = text.encode()
    bare = without(data)
    assert len(bare) == len(data)
    assert all(one in (other, ord(" ")) for one, other in zip(bare, data, strict=True))
    assert [n for n, byte in enumerate(bare) if byte == 10] == [n for n, byte in enumerate(data) if byte == 10]


def test_a_million_capitals_take_no_time_worth_mentioning() -> None:
    for text in (b"A_" * 500_000, b"A_B " * 250_000, b"A_(" * 300_000, b"#" + b"\\\n" * 500_000, b" " * 1_000_000):
        assert len(without_macros(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        b"a " * 500_000, b"a b(" * 250_000, b"a b(1," * 200_000, b"a b(1)\n" * 150_000, b"a" + b" " * 1_000_000,
        b"a b(" + b"1 " * 500_000, b"a *" * 300_000, b"a b(c(" * 150_000, b"a b(1) c" * 100_000, b"a\n" * 500_000,
        b"#if\n" * 250_000, b"#if\n" + b")\n" * 500_000, b"#if\n)\n#else\n" * 60_000, b"__attribute__((" * 60_000,
        b"#define a \\\n" + b"/*" * 500_000, b"#define a \\\n" + b"/**/" * 250_000, b'a b("' * 200_000,
        b"class a b:" * 100_000, b"class a b " * 100_000, b"class a b\n" * 100_000, b"class a" + b" " * 1_000_000,
        b"template<" * 100_000, b"template<>\n" * 100_000, b"template" + b">" * 500_000,
    ],
)  # fmt: skip
def test_hostile_text_takes_no_time_worth_mentioning(text: bytes) -> None:
    began = time.process_time()
    assert len(without_macros(text)) == len(without_attributes(text)) == len(text)
    assert time.process_time() - began < 5.0
