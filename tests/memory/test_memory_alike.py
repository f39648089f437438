"""When two statements say the same, contradict each other, or have nothing to do with each other."""

from __future__ import annotations

import pytest

from haversack.memory.alike import compare
from haversack.memory.words import name_keys, signature, statement, subject_keys

SAME = [
    ("Use pnpm, not npm.", "use pnpm not npm"),
    ("Always run the tests before a commit", "Run tests before commit"),
    ("Do not use tabs", "Don't use tabs!"),
    ("We recieve webhooks through nginx", "We receive webhooks through nginx"),
    ("Releases are cut from main", "Releases are cut from main."),
    ("red green blue", "blue green red"),
    (
        "The importer reads every journal line, skips what is broken, names the line and goes on with the rest",
        "The importer reads every journal line, skips what is broken, names the line and quietly goes on with the rest",
    ),
]
CONTRADICTING = [
    ("The API listens on port 8080", "The API listens on port 9090"),
    ("The database is PostgreSQL 14", "The database is PostgreSQL 16"),
    ("The database is Postgres", "The database is MySQL"),
    ("User prefers tabs over spaces", "User prefers spaces over tabs"),
    ("User prefers tabs", "User prefers spaces"),
    ("Run tests before commit", "Never run tests before commit"),
    ("main branch is protected", "main branch is not protected"),
    ("The auth module is in src/auth", "The auth module is in lib/auth"),
    ("We use Redux for state", "We use Zustand for state"),
    ("We use PostgreSQL for persistence", "We migrated persistence from PostgreSQL to MySQL"),
    ("We use PostgreSQL", "We use MySQL instead of PostgreSQL"),
    ("We deploy with Docker", "We deploy with Kubernetes"),
    ("The build takes 5 minutes", "The build takes 12 minutes"),
    ("Python 3.11 is required", "Python 3.12 is required"),
    ("The theme is dark", "The theme is light"),
    ("The default theme is solarized", "The default theme is nord"),
    ("CI runs on GitHub Actions", "CI runs on GitLab"),
    ("Tests live in tests/", "Tests live in spec/"),
    ("The retry delay 5s", "The retry delay 30s"),
    ("API 서버는 포트 8080을 사용한다", "API 서버는 포트 9090을 사용한다"),
    ("数据库是PostgreSQL", "数据库是MySQL"),
    ("データベースはPostgreSQLです", "データベースはMySQLです"),
]
OTHER = [
    ("We use Redis", "We use Postgres"),
    ("Tests for auth are in tests/auth", "Tests for billing are in tests/billing"),
    ("The deploy script is slow", "The deploy script is flaky"),
    ("The auth module is in src/auth", "The auth module is slow"),
    ("PostgreSQL requires the pgcrypto extension", "We switched from PostgreSQL to MySQL"),
    ("Alice likes tea", "Bob likes tea"),
    ("Ticket 12 is about login", "Ticket 13 is about login"),
    ("We closed Ticket 12", "We closed Ticket 13"),
    ("Frontend runs on port 3000", "Backend runs on port 3000"),
    ("Deploy on Monday", "The cache is warmed by a job that reads the whole table every night at three"),
    ("short", "a much longer statement about entirely different things that goes on and on"),
]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_slips_of_the_pen_and_weak_words_change_nothing(old: str, new: str) -> None:
    assert compare(statement(new), statement(old)) == "same"


@pytest.mark.parametrize(("old", "new"), CONTRADICTING)
def test_another_value_in_the_same_place_contradicts(old: str, new: str) -> None:
    assert compare(statement(new), statement(old)) == "contradicts"


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_what_can_both_hold_is_left_alone(old: str, new: str) -> None:
    assert compare(statement(new), statement(old)) == "other"


@pytest.mark.parametrize(("old", "new"), SAME + CONTRADICTING)
def test_what_has_to_be_compared_is_found_by_its_keys(old: str, new: str) -> None:
    ours, theirs = statement(new), statement(old)
    asked = {*signature(ours), *name_keys(ours.left_behind)}
    assert asked & {*signature(theirs), *name_keys(theirs.names)}


def test_a_subject_that_was_named_decides() -> None:
    assert compare(statement("nine"), statement("eight"), same_subject=True) == "contradicts"
    assert subject_keys("The  API port") == subject_keys("the api PORT")
    assert subject_keys("") == []


def test_texts_without_words_are_compared_without_complaint() -> None:
    assert compare(statement("!!!"), statement("???")) == "same"
    assert signature(statement("…")) == ()


def test_very_long_texts_are_taken_apart_in_part_only() -> None:
    long = statement("word " * 100_000)
    assert len(long.words) == 4_000
    assert compare(long, statement("word " * 3_000)) == "other"
