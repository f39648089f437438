"""The four views, on units made by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from haversack.index import relational, semantic, symbolic
from haversack.index.lexical import Asked, ask, bm25, item_bm25, presence
from haversack.index.prepare import NAME, last_part
from haversack.index.scan import innermost, required_literal
from haversack.index.semantic import similarities
from haversack.index.sqlite import SqliteStore
from haversack.index.units import UnitReader
from haversack.model import Role, Span, Unit
from tests.index.made import MODEL, commit, store_with, unit, write


def file_unit(path: str, *, imports: tuple[str, ...] = (), end: int = 100) -> Unit:
    return unit(path, "", "", kind="file", id=f"c:{path}", span=Span(1, end), imports=imports, citations=())


LOGIN = unit("auth/login.py", "log_in", "check the password and open a session", start=3, refs=("open_session",))
SESSION = unit("auth/session.py", "open_session", "make a token that expires", start=3)
TEST = unit("tests/test_login.py", "test_log_in", "assert log_in works", role=Role.TEST, refs=("log_in",))
PAINT = unit("ui/paint.py", "draw_circle", "pixels and colours", start=3)


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return store_with(
        tmp_path,
        [
            file_unit("auth/login.py", imports=("auth.session", "os")),
            LOGIN,
            file_unit("auth/session.py"),
            SESSION,
            file_unit("tests/test_login.py", imports=("auth.login",)),
            TEST,
        ],
        [
            file_unit("ui/paint.py"),
            PAINT,
            commit("aa" * 20, "sessions expire", ["auth/login.py", "auth/session.py"], 2.0),
            commit("bb" * 20, "login checks", ["auth/login.py", "auth/session.py", "ui/paint.py"], 3.0),
            commit("cc" * 20, "reformat all", ["auth/login.py", *(f"f{n}" for n in range(60))], 4.0),
        ],
    )


def names(store: SqliteStore, positions: list[int]) -> list[str]:
    return [u.name or u.path or u.title for u in UnitReader(store, store.snapshot()).at(positions)]


def weights(*terms: str, field: str = "") -> list[Asked]:
    return ask(dict.fromkeys(terms, 1.0), field)


def test_bm25_prefers_the_unit_that_says_it(store: SqliteStore) -> None:
    scores = bm25(store.snapshot(), weights("password", "session"))
    assert names(store, [int(scores.argmax())]) == ["log_in"]


def test_a_file_is_judged_by_all_its_units(store: SqliteStore) -> None:
    snapshot = store.snapshot()
    scores = item_bm25(snapshot, weights("token", "expires"))
    assert snapshot.items[int(scores.argmax())].key == "auth/session.py"


def test_other_forms_of_a_word_count_as_a_weaker_form_of_it(tmp_path: Path) -> None:
    store = store_with(
        tmp_path, [unit("a.py", "one", "cached"), unit("b.py", "two", "caches"), unit("c.py", "x", "dog")]
    )
    scores = bm25(store.snapshot(), weights("cached"))
    by_path = {store.snapshot().place(p)[0]: float(scores[p]) for p in np.flatnonzero(scores)}
    assert by_path["a.py"] > by_path["b.py"] > 0
    assert "c.py" not in by_path


def test_names_are_a_field_of_their_own(store: SqliteStore) -> None:
    scores = presence(store.snapshot(), weights("circle", field=NAME))
    assert names(store, np.flatnonzero(scores).tolist()) == ["draw_circle"]


def test_scores_do_not_depend_on_how_the_index_came_about(tmp_path: Path) -> None:
    units = [unit(f"f{n}.py", f"name{n}", f"shared words and w{n}") for n in range(6)]
    fresh = store_with(tmp_path / "fresh", units)
    grown = store_with(tmp_path / "grown", *[[u] for u in reversed(units)])
    write(grown, [unit("f2.py", "old", "something else entirely shared")], stamp="2")
    write(grown, [units[2]], stamp="3")
    query = weights("shared", "w2", "word", "name4")
    answers = []
    for store in (fresh, grown):
        snapshot = store.snapshot()
        scores = bm25(snapshot, query)
        answers.append(sorted((snapshot.place(p), float(scores[p])) for p in np.flatnonzero(scores)))
    assert answers[0] == answers[1]


def test_similar_meaning_is_near(store: SqliteStore) -> None:
    near = similarities(store.snapshot(), MODEL.embed(["paint shapes in color"])[0])
    assert names(store, [int(near.argmax())]) == ["draw_circle"]
    assert not similarities(store.snapshot(), np.zeros(MODEL.dimensions, dtype=np.float32)).any()


def test_symbols_are_found_exactly_and_by_their_words(store: SqliteStore) -> None:
    snapshot = store.snapshot()
    assert names(store, symbolic.defined(snapshot, ["open_session"])[0]) == ["open_session"]
    assert symbolic.defined(snapshot, ["nothing"]) == [[]]
    assert names(store, symbolic.named_like(snapshot, "openSession")) == ["open_session"]
    assert symbolic.named_like(snapshot, "///") == []
    position = symbolic.by_id(snapshot, LOGIN.id)
    assert position is not None
    assert names(store, [position]) == ["log_in"]
    assert symbolic.by_id(snapshot, "c:none") is None


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("auth/login.py", ["auth/login.py"]),
        ("./auth/login.py", ["auth/login.py"]),
        ("auth", ["auth/login.py", "auth/session.py"]),
        ("login.py", ["auth/login.py"]),
        ("session", ["auth/session.py"]),
        ("**/*.py", ["auth/login.py", "auth/session.py", "tests/test_login.py", "ui/paint.py"]),
        ("auth/*.py", ["auth/login.py", "auth/session.py"]),
        ("test_?ogin.py", ["tests/test_login.py"]),
        ("*/[lp]*.py", ["auth/login.py", "ui/paint.py"]),
        ("*/[!lp]*.py", ["auth/session.py", "tests/test_login.py"]),
        ("**", ["auth/login.py", "auth/session.py", "tests/test_login.py", "ui/paint.py"]),
        ("nowhere", []),
        ("odd[z-a].py", []),
    ],
)
def test_paths_are_found_by_any_usual_way_of_naming_them(store: SqliteStore, pattern: str, found: list[str]) -> None:
    snapshot = store.snapshot()
    keys = [snapshot.items[n].key for n in symbolic.paths(snapshot, pattern) if snapshot.items[n].source == "code"]
    assert keys == found


def test_commits_are_found_by_a_prefix_of_their_hash(store: SqliteStore) -> None:
    snapshot = store.snapshot()
    assert len(symbolic.commit(snapshot, "kaaaaaaa")) == 0
    assert symbolic.commit(snapshot, "aaa") == []
    assert symbolic.commit(snapshot, "not hex") == []


def test_items_that_hold_all_terms(store: SqliteStore) -> None:
    snapshot = store.snapshot()
    assert symbolic.holding(snapshot, []) is None
    found = symbolic.holding(snapshot, ["password", "session"])
    assert found is not None
    assert [snapshot.items[n].key for n in found] == ["auth/login.py"]


def test_users_and_uses(store: SqliteStore) -> None:
    snapshot = store.snapshot()
    assert names(store, relational.users(snapshot, ["log_in"])[0]) == ["test_log_in"]
    uses = relational.uses(snapshot, LOGIN)
    assert {name: names(store, found) for name, found in uses.items()} == {"open_session": ["open_session"]}
    tests = [relational.is_test(snapshot, p) for p in relational.users(snapshot, ["log_in"])[0]]
    assert tests == [True]


def test_imports_lead_to_files_and_back(store: SqliteStore) -> None:
    snapshot = store.snapshot()
    reader = UnitReader(store, snapshot)
    login = snapshot.positions_by_key["auth/login.py"]
    (first,) = reader.at([snapshot.first_position(login)])
    assert [snapshot.items[n].key for n in relational.imports(snapshot, first)] == ["auth/session.py"]
    assert [snapshot.items[n].key for n in relational.imported_by(snapshot, reader, login)] == ["tests/test_login.py"]
    assert relational.imports(snapshot, commit("dd" * 20, "no path", [], 1.0)) == []


@pytest.mark.parametrize(
    ("module", "importer", "target"),
    [
        ("./button", "web/ui/form.ts", "web/ui/button.tsx"),
        ("../lib/net.js", "web/ui/form.ts", "web/lib/net.js"),
        ("@/lib/net", "web/ui/form.ts", "web/lib/net.js"),
        (".helpers", "pkg/core/main.py", "pkg/core/helpers.py"),
        ("..models", "pkg/core/main.py", "pkg/models/__init__.py"),
        ("pkg.models.User", "pkg/core/main.py", "pkg/models/__init__.py"),
        ("crate::net::http", "src/main.rs", "src/net/http.rs"),
        ("net/sock.h", "kernel/a.c", "include/net/sock.h"),
        ("sock.h", "kernel/a.c", "include/net/sock.h"),
        ("com.acme.Thing", "src/java/com/acme/Main.java", "src/java/com/acme/Thing.java"),
    ],
)
def test_module_strings_of_many_languages_resolve(tmp_path: Path, module: str, importer: str, target: str) -> None:
    paths = [
        "web/ui/button.tsx", "web/ui/form.ts", "web/lib/net.js", "other/lib/net.js", "pkg/core/helpers.py",
        "pkg/core/main.py", "pkg/models/__init__.py", "src/net/http.rs", "src/main.rs", "include/net/sock.h",
        "kernel/a.c", "src/java/com/acme/Thing.java", "src/java/com/acme/Main.java", "elsewhere/helpers.py",
    ]  # fmt: skip
    snapshot = store_with(tmp_path, [file_unit(path) for path in paths]).snapshot()
    found = relational.resolve_import(snapshot, module, importer)
    assert [snapshot.items[n].key for n in found] == [target]


@pytest.mark.parametrize(
    ("module", "last"),
    [("a.b.c", "c"), ("./ui/button.js", "button"), ("net/sock.h", "sock"), ("sock.h", "sock"),
     ("gopkg.in/yaml.v3", "yaml"), ("crate::net::http", "http"), ("github.com/x/y", "y"), ("react", "react"),
     ("...", "...")],
)  # fmt: skip
def test_imports_are_looked_up_by_their_last_name(module: str, last: str) -> None:
    assert last_part(module) == last


def test_files_that_change_together(store: SqliteStore) -> None:
    snapshot = store.snapshot()
    found = relational.co_changes(snapshot, UnitReader(store, snapshot), "auth/login.py")
    # The sweeping commit does not count.
    assert [(c.path, c.times, c.share) for c in found] == [("auth/session.py", 2, 1.0), ("ui/paint.py", 1, 0.5)]


def test_a_line_belongs_to_the_innermost_unit(store: SqliteStore) -> None:
    snapshot = store.snapshot()
    item = snapshot.positions_by_key["auth/login.py"]
    inside = innermost(snapshot, item, Span(3, 3))
    assert inside is not None
    assert names(store, [inside]) == ["log_in"]
    outside = innermost(snapshot, item, Span(50, 50))
    assert outside is not None
    assert names(store, [outside]) == ["auth/login.py"]


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        (r"def resize_\w+\(", "def resize_"),
        (r"raise \w+Error", "raise "),
        (r"colou?r = x", "r = x"),
        (r"ab*c", "a"),
        (r"a|b", ""),
        (r"(?i)name", ""),
        (r"(foo)?bar", "bar"),
        (r"x[abc]yz", "yz"),
        (r"go{2}d", "g"),
        (r"\d+", ""),
    ],
)
def test_what_every_match_must_hold(pattern: str, literal: str) -> None:
    assert required_literal(pattern) == literal


def test_how_near_a_unit_is_does_not_depend_on_what_else_is_compared(tmp_path: Path) -> None:
    units = [unit(f"m{n}.py", f"part{n}", f"paint a shape {n} times in color {n * n}") for n in range(9)]
    query = MODEL.embed(["paint shapes in color"])[0]
    together = similarities(store_with(tmp_path / "all", units).snapshot(), query)
    for number, each in enumerate(units):
        alone = similarities(store_with(tmp_path / str(number), [each]).snapshot(), query)
        assert alone.tolist() == [together[number]]


def test_copies_of_one_text_are_equally_near_even_where_only_the_nearest_are_compared_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic, "REFINED", 1)
    units = [unit(f"{name}.py", "paint", "def paint(): draw shapes in color") for name in ("a", "b", "c")]
    snapshot = store_with(tmp_path, units).snapshot()
    near = similarities(snapshot, MODEL.embed(["draw shapes"])[0])
    assert len({float(each) for each in near[near > 0]}) == 1


def test_what_is_below_a_folder_is_told_from_what_only_begins_like_it(tmp_path: Path) -> None:
    paths = ("a.py", "a/b.py", "a/c/d.py", "a/c/e/f.py", "a/c-d/g.py", "a/c0/h.py", "a/cd/i.py")
    snapshot = store_with(tmp_path, [unit(path, "f", "words") for path in paths]).snapshot()

    def below(folder: str) -> set[str]:
        return {snapshot.items[number].key for number in snapshot.items_below(folder)}

    assert below("a") == set(paths) - {"a.py"}
    assert below("a/c") == {"a/c/d.py", "a/c/e/f.py"}
    assert below("a/c/e") == {"a/c/e/f.py"}
    assert below("a/nothing") == set()
    assert snapshot.folders_by_plain_name == {
        "a": ["a"], "c": ["a/c"], "cd": ["a/c-d", "a/cd"], "e": ["a/c/e"], "c0": ["a/c0"]
    }  # fmt: skip
