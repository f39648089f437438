"""Macros that no parser knows do not swallow what follows them, and a header may be C or C++."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.sources.code import grammar, parsed
from haversack.sources.code.macros import without_macros
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


def test_directives_stay_and_nothing_moves() -> None:
    bare = without_macros(HEADER.encode()).decode()
    assert bare.splitlines()[:4] == HEADER.splitlines()[:4]
    assert not re.search("SHOP_(?:BEGIN|END|CONSTEXPR|NOEXCEPT|API|DEPRECATED)", bare)
    assert list(map(len, bare.splitlines())) == list(map(len, HEADER.splitlines()))


@given(st.text("AB_ (){}#\\\n;xé", max_size=200))
def test_any_text_keeps_its_lines_and_columns(text: str) -> None:
    data = text.encode()
    bare = without_macros(data)
    assert len(bare) == len(data)
    assert all(one in (other, ord(" ")) for one, other in zip(bare, data, strict=True))
    assert [n for n, byte in enumerate(bare) if byte == 10] == [n for n, byte in enumerate(data) if byte == 10]


def test_a_million_capitals_take_no_time_worth_mentioning() -> None:
    for text in (b"A_" * 500_000, b"A_B " * 250_000, b"A_(" * 300_000, b"#" + b"\\\n" * 500_000, b" " * 1_000_000):
        assert len(without_macros(text)) == len(text)
