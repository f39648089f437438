"""The certificate: what the task asks about, what covers it, and why the rest is missing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from receipt_cases import choose, unit

from haversack.index.terms import terms
from haversack.model import Chosen, Level, Omitted, Span, Task, Unit
from haversack.receipt.certificate import Gap, certificate_json, certify, redundancy_of, requirements


def asked(text: str, **fields: Any) -> Task:
    """A task whose words all weigh the same."""
    return Task(text, terms=dict.fromkeys(terms(text), 1.0), **fields)


def packed(text: str, path: str = "src/other.py", level: Level = Level.FULL, **fields: object) -> Chosen:
    return choose(unit(f"in {path}", path, Span(1, 3), **fields), text, level)


def left(text: str, reason: str, enters: int | None = None, path: str = "src/left.py") -> tuple[Unit, Omitted]:
    what = unit(f"out {path}", path, text=text)
    return what, Omitted(what.id, what.title, reason, enters, "primary", 0.4, path)


def test_a_task_that_names_nothing_has_no_completeness() -> None:
    certificate = certify(Task("do it"), [packed("anything")])
    assert certificate.completeness is None
    assert certificate.requirements == ()
    assert certify(Task(""), []).completeness is None


def test_completeness_is_the_weighted_share_that_packed_items_cover() -> None:
    task = asked("TokenError while refreshing", identifiers=("TokenError",))
    certificate = certify(task, [packed("class TokenError(Exception): ...")])
    covered = {each.text: each.covered_by for each in certificate.requirements}
    assert covered == {"TokenError": "in src/other.py", "refreshing": None}
    assert certificate.completeness == round(1.0 / 1.5, 4)
    assert certificate.gaps == (Gap("refreshing", "term", "nothing found"),)


@pytest.mark.parametrize(
    ("identifier", "text", "covered"),
    [
        ("parse_config", "def parse_config(): ...", True),
        ("parse_config()", "x = parse_config(path)", True),
        ("parse", "def parse_config(): ...", False),
        ("Parser", "the parser reads", True),
        ("Parser.run", "class Parser:\n    def run(self): ...", True),
        ("Parser.run", "class Parser:\n    def walk(self): ...", False),
        ("std::sort", "using std::sort;", True),
        ("--pin", "use --pin PATH", True),
        ("größe", "def Größe(): ...", True),
        ("인증", "def 인증(): ...", True),
        (".", "...", False),
    ],
)
def test_an_identifier_is_covered_when_the_text_names_it(identifier: str, text: str, covered: bool) -> None:
    certificate = certify(Task("x", identifiers=(identifier,)), [packed(text)])
    assert (certificate.completeness == 1.0) is covered


@pytest.mark.parametrize(
    ("asked_for", "path", "level", "covered"),
    [
        ("src/auth/login.py", "src/auth/login.py", Level.FULL, True),
        ("./src/auth/login.py:12", "src/auth/login.py", Level.FULL, True),
        ("src\\auth\\login.py", "src/auth/login.py", Level.FULL, True),
        ("login.py", "src/auth/login.py", Level.SUMMARY, True),
        ("src/auth/", "src/auth/login.py", Level.FULL, True),
        ("auth", "src/auth/login.py", Level.FULL, True),
        ("src/auth/login.py", "src/auth/login.py", Level.STUB, False),
        ("src/auth/login.py", "src/auth/login_test.py", Level.FULL, False),
    ],
)
def test_a_path_is_covered_by_its_content_not_by_its_name(
    asked_for: str, path: str, level: Level, covered: bool
) -> None:
    certificate = certify(Task("x", paths=(asked_for,)), [packed("body", path, level)])
    assert (certificate.completeness == 1.0) is covered


def test_a_path_that_only_other_text_speaks_of_is_covered_by_that_text() -> None:
    certificate = certify(Task("x", paths=("src/new.py",)), [packed("we will add src/new.py for this")])
    assert certificate.completeness == 1.0


def test_a_commit_covers_a_path_with_its_diff_and_not_with_its_list_of_files() -> None:
    task = Task("x", paths=("src/till.py",))
    diff = "diff --git a/src/till.py b/src/till.py\n+a"
    listed = choose(unit("c1", None, source="commits", title="Fix the till"), "Fix the till\n\nsrc/till.py")
    changed = choose(unit("c1", None, source="commits"), f"Fix the till\n\nsrc/till.py\n\n{diff}")
    assert certify(task, [listed]).completeness == 0.0
    assert certify(task, [changed]).completeness == 1.0
    assert certify(task, [changed], held=("src/till.py",)).completeness == 1.0


@pytest.mark.parametrize(
    ("text", "path", "shown", "covered"),
    [
        ("fix /home/me/rich/rich/markup.py", "home/me/rich/rich/markup.py", "rich/markup.py", True),
        ("fix /opt/lib/rich/markup.py", "opt/lib/rich/markup.py", "src/rich/markup.py", True),
        ("fix /home/me/rich/rich/markup.py", "home/me/rich/rich/markup.py", "tests/markup.py", False),
        ("at github.com/go-task/task/v3/task.go:12", "github.com/go-task/task/v3/task.go", "task.go", True),
        ("at github.com/go-task/task/v3/task.go:12", "github.com/go-task/task/v3/task.go", "cmd/task.go", False),
        ("fix rich/rich/markup.py", "rich/rich/markup.py", "rich/markup.py", True),
        ("fix docs/setup.py", "docs/setup.py", "setup.py", False),
    ],
)
def test_a_path_from_elsewhere_is_covered_by_the_file_it_ends_in(
    text: str, path: str, shown: str, covered: bool
) -> None:
    assert (certify(Task(text, paths=(path,)), [packed("body", shown)]).completeness == 1.0) is covered


def test_no_other_file_covers_a_path_that_the_project_has() -> None:
    task = Task("x", paths=("setup.py",))
    assert certify(task, [packed("body", "docs/setup.py")]).completeness == 1.0
    assert certify(task, [packed("body", "docs/setup.py")], held=("setup.py",)).completeness == 0.0


@pytest.mark.parametrize(
    ("qualname", "covered"), [("Recv.ingest", True), ("Send.ingest", False), ("ingest", False), ("Recv", False)]
)
def test_a_definition_covers_its_name_with_all_modules_before_it(qualname: str, covered: bool) -> None:
    task = Task("x", identifiers=("quinn_proto.connection.Recv.ingest",))
    assert (certify(task, [packed("fn ingest() {}", qualname=qualname)]).completeness == 1.0) is covered
    assert certify(Task("x", identifiers=("os.path.join",)), [packed("def join(): ...", qualname="join")]).completeness


def test_addresses_and_numbers_are_no_requirements_and_nothing_is_required_twice() -> None:
    task = asked("NoneType at 0x0 in 0xdeadBEEF 12", identifiers=("NoneType", "0x0"), quoted=("NoneType", "0xdeadBEEF"))
    assert [each.requirement.text for each in requirements(task)] == ["NoneType"]


def test_quoted_text_is_found_whatever_its_spacing_and_case() -> None:
    task = Task("x", quoted=("Connection  refused", " "))
    assert certify(task, [packed("raise Oops('connection\n refused by peer')")]).completeness == 1.0
    assert certify(task, [packed("connection lost")]).completeness == 0.0


def test_the_frames_of_a_stack_trace_are_requirements() -> None:
    task = Task("x", frames=(("src/a.py", 3, "crash"), ("src/a.py", 9, "")))
    kinds = [(each.requirement.kind, each.requirement.text) for each in requirements(task)]
    assert kinds == [("path", "src/a.py"), ("identifier", "crash")]


def test_words_are_compared_as_the_index_compares_them() -> None:
    for text in ("a cache is slow", "def cacheLookup(): ...", "CACHE_SIZE = 3"):
        assert certify(asked("caching"), [packed(text)]).completeness == 1.0, text
    assert certify(asked("query"), [packed("all queries")]).completeness == 1.0
    assert certify(asked("parseconfig"), [packed("def parse_config(): ...")]).completeness == 1.0
    assert certify(asked("parseConfig"), [packed("parsing the config")]).completeness == 1.0
    assert certify(asked("art"), [packed("start the cart")]).completeness == 0.0
    assert certify(asked("cafés"), [packed("the cafe opens")]).completeness == 1.0


@pytest.mark.parametrize(
    ("task", "text", "covered"),
    [
        ("登录失败", "# 登录失败时重试", True),
        ("登录失败", "# 支付成功", False),
        ("로그인에서", "로그인 처리", True),
        ("ログイン処理", "ログインの処理", True),
    ],
)
def test_scripts_without_spaces_are_covered_by_most_of_their_pairs(task: str, text: str, covered: bool) -> None:
    assert (certify(asked(task), [packed(text)]).completeness == 1.0) is covered


def test_words_of_what_is_spelled_out_are_not_asked_for_twice() -> None:
    task = asked("fix parse_config crash", identifiers=("parse_config",))
    assert [each.requirement.text for each in requirements(task)] == ["parse_config", "crash", "fix"]


def test_only_the_weightiest_words_of_a_long_task_count() -> None:
    words = " ".join(f"topic{chr(97 + n)}word" for n in range(20))
    weights = dict.fromkeys(terms(words), 1.0) | {"aside": 0.1, "added": 5.0}
    wanted = requirements(Task(f"{words} aside", terms=weights))
    assert len(wanted) == 1  # five times heavier than all others
    assert (wanted[0].requirement.text, wanted[0].requirement.weight) == ("added", 0.5)
    level = requirements(Task(f"{words} aside", terms=dict.fromkeys(weights, 1.0)))
    assert len(level) == 12


def test_a_gap_says_why_it_is_there_and_what_would_fill_it() -> None:
    task = asked("payment refund invoice ledger")
    considered = [
        left("refund", "below threshold", path="src/weak.py"),
        left("refund", "budget", 9000, path="src/cut.py"),
        left("invoice", "below threshold", path="src/invoice.py"),
        left("ledger", "excluded", path="src/ledger.py"),
    ]
    gaps = certify(task, [packed("payment")], considered).gaps
    assert {gap.text: (gap.cause, gap.unit, gap.enters_at_budget) for gap in gaps} == {
        "refund": ("cut by budget", "out src/cut.py", 9000),
        "invoice": ("below threshold", "out src/invoice.py", None),
        "ledger": ("nothing found", None, None),
    }


def test_redundancy_is_the_share_of_telling_lines_said_before() -> None:
    line = "result = compute_everything(argument)"
    assert redundancy_of([line, line]) == 0.5
    assert redundancy_of([f"    {line}\n}}\n}}\n", f"{line}\n"]) == 0.5
    assert redundancy_of(["}\n}\n}\n"]) == 0.0
    assert redundancy_of([]) == 0.0


def test_the_json_of_a_certificate_is_plain() -> None:
    certificate = certify(asked("ledger \ud800x"), [])
    assert certificate_json(certificate) == {
        "completeness": 0.0,
        "redundancy": 0.0,
        "requirements": [{"text": "ledger", "kind": "term", "weight": 0.5, "covered_by": None}],
        "gaps": [{"text": "ledger", "kind": "term", "cause": "nothing found", "unit": None, "enters_at_budget": None}],
        "minimal": [],
    }
    assert certificate_json(None) is None


@given(st.text(max_size=60), st.text(max_size=30), st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_task_over_any_text_gives_a_share(task: str, name: str, text: str) -> None:
    certificate = certify(
        asked(task, identifiers=(name,), paths=(name,), quoted=(name,)), [packed(text)], [left(task, "budget", 1)]
    )
    assert certificate.completeness is None or 0.0 <= certificate.completeness <= 1.0
    missing = [each for each in certificate.requirements if each.covered_by is None]
    assert len(missing) == len(certificate.gaps)
