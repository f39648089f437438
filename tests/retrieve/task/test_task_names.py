"""Identifiers, paths, modules, quotes, tests and versions are found where people write them."""

from __future__ import annotations

from itertools import product

import pytest

from haversack.retrieve.task import names as module
from haversack.retrieve.task.lines import read_lines
from haversack.retrieve.task.names import Names, find_names, is_path


def names(text: str) -> Names:
    return find_names(read_lines(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the retryCount is wrong", ["retryCount"]),
        ("HttpServer hangs", ["HttpServer"]),
        ("max_retry_count is ignored", ["max_retry_count"]),
        ("MAX_SIZE is ignored", ["MAX_SIZE"]),
        ("calling flush() twice", ["flush"]),
        ("`flush` is broken", ["flush"]),
        ("Session.get_all() fails", ["Session.get_all", "get_all", "Session"]),
        ("ns::Widget::run crashes", ["ns.Widget.run", "run", "Widget"]),
        ("self._pending is None", ["_pending"]),
        ("both @JsonAnySetter and @app.task", ["JsonAnySetter", "app.task", "task"]),
        ("`order=` is ignored", ["order"]),
        ("use .getAll instead of a loop", ["getAll"]),
        ("session().getAll fails", ["getAll"]),
        ("pass a context to forEach", ["forEach"]),
        ("`foo(bar.baz)` fails", ["bar.baz", "baz", "foo"]),
    ],
)
def test_identifiers_in_code_style(text: str, expected: list[str]) -> None:
    found = names(text).ranked()
    assert set(expected) <= set(found), found


@pytest.mark.parametrize(
    "text",
    ["The HTTP API of GH", "e.g. this i.e. that", "Node.js and example.com", "Hi. There", "import", "foreach of them"],
)
def test_ordinary_words_are_no_identifiers(text: str) -> None:
    assert names(text).ranked() == ()


def test_the_title_outranks_examples() -> None:
    found = names("Fix parse_header\n```\nload_page(); load_page(); parse_other()\n```").ranked()
    assert found[0] == "parse_header"


def test_code_gives_what_it_calls_and_imports_but_not_what_it_defines() -> None:
    found = names(
        "Title\n```python\nfrom acme.web.router import Router, add_route\nimport acme.core\nmine = Router()\n"
        "def helper(): pass\nmine.mount(helper())\nconst x = require('./lib/util.js')\n#include \"src/io.h\"\n```"
    )
    assert {"Router", "add_route", "mount"} <= set(found.ranked())
    assert not {"helper", "mine"} & set(found.ranked())
    assert list(found.modules) == ["acme/web/router", "acme/core", "lib/util.js", "src/io.h"]


def test_a_dotted_name_in_prose_may_be_a_module() -> None:
    assert "acme/ext/autodoc" in names("Extension acme.ext.autodoc is broken").modules


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("see src/app/main.py for it", "src/app/main.py"),
        ("in `lib/x.rs`", "lib/x.rs"),
        ("conf.py is read twice.", "conf.py"),
        ("C:\\work\\proj\\app.cs is locked", "work/proj/app.cs"),
        ("pkg/cmd/root fails", "pkg/cmd/root"),
        ("look at ./src/util", "src/util"),
        ("at https://github.com/a/b/blob/main/core/io.c#L4", "core/io.c"),
    ],
)
def test_paths_with_and_without_lines(text: str, path: str) -> None:
    assert list(names(text).paths) == [path]


@pytest.mark.parametrize("text", ["and/or", "input/output", "v1.2", "yes/no"])
def test_slashes_alone_make_no_path(text: str) -> None:
    assert not is_path(text)
    assert not names(f"some {text} words").paths


def test_quotes_flags_and_messages() -> None:
    found = names(
        "It prints \"cannot open file\" with --dry-run and `v-model` or 'bad state'\n"
        "ValueError: expected 'foo_bar' but got `qux`\nerror[E0277]: the trait bound is not satisfied"
    )
    assert {"cannot open file", "bad state", "--dry-run", "v-model"} <= set(found.quoted)
    assert "expected 'foo_bar' but got `qux`" in found.quoted
    assert "the trait bound is not satisfied" in found.quoted
    assert {"ValueError", "foo_bar"} <= set(found.ranked())
    assert next(iter(found.errors)).startswith("ValueError")


def test_quoted_words_of_other_scripts() -> None:
    assert list(names("「設定ファイル」が読めない").quoted) == ["設定ファイル"]


def test_tests_and_versions() -> None:
    found = names(
        "test_retry fails in tests/test_io.py::TestIo::test_read, also ParserTest\nseen with acme 1.2.3 and v2.0rc1"
    )
    assert {"test_retry", "TestIo", "test_read", "ParserTest"} <= set(found.tests)
    assert list(found.versions) == ["1.2.3", "2.0rc1"]


def test_numbers_in_code_are_no_versions() -> None:
    assert not names("Title\n```\nx = 0.25\n```").versions


def test_what_is_found_is_bounded() -> None:
    called = ["".join(pair) for pair in product("abcdefghijklmnopqrst", repeat=2)]
    found = names("\n".join(f"call some_name_{each} in dir/sub/file{each}.py with `a b {each}`" for each in called))
    assert len(found.ranked()) == module.MOST_IDENTIFIERS
    assert len(found.paths) == len(found.quoted) == module.MOST_OTHERS
