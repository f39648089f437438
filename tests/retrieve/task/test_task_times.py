"""Time references become bounds, relative ones against the given now."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from haversack.retrieve.task.lines import read_lines
from haversack.retrieve.task.times import Times, find_times

NOW = datetime(2024, 5, 15, 12, 0, tzinfo=UTC)  # a Wednesday


def times(text: str) -> Times:
    return find_times(read_lines(text), NOW.timestamp())


def day(moment: float | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")


@pytest.mark.parametrize(
    ("text", "after", "before"),
    [
        ("broken since 2024-03-01", "2024-03-01", None),
        ("what changed before 2024/03/01?", None, "2024-03-01"),
        ("changes between 2024-01-01 and 2024-02-01", "2024-01-01", "2024-02-02"),
        ("from March 5, 2024 until 7 April 2024", "2024-03-05", "2024-04-08"),
        ("the release of March 2024", "2024-03-01", "2024-04-01"),
        ("2024년 3월 5일 이후 실패", "2024-03-05", None),
        ("2024年3月以前の変更", None, "2024-03-01"),
        ("2023年以来的错误", "2023-01-01", None),
        ("after 2024-06-01 and before 2024-05-01", "2024-05-02", "2024-06-01"),
        ("yesterday it broke", "2024-05-14", "2024-05-15"),
        ("works today", "2024-05-15", "2024-05-16"),
        ("broke last week", "2024-05-06", "2024-05-13"),
        ("this week only", "2024-05-13", "2024-05-20"),
        ("last month's change", "2024-04-01", "2024-05-01"),
        ("this month", "2024-05-01", "2024-06-01"),
        ("last year", "2023-01-01", "2024-01-01"),
        ("어제 배포", "2024-05-14", "2024-05-15"),
        ("지난 주 변경", "2024-05-06", "2024-05-13"),
        ("上周的部署", "2024-05-06", "2024-05-13"),
        ("先月の変更", "2024-04-01", "2024-05-01"),
        ("letzte Woche kaputt", "2024-05-06", "2024-05-13"),
        ("la semaine dernière", "2024-05-06", "2024-05-13"),
        ("la semana pasada", "2024-05-06", "2024-05-13"),
        ("in the last 3 days", "2024-05-12", None),
        ("the past two weeks", "2024-05-01", None),
        ("최근 3개월간 변경", "2024-02-15", None),
        ("最近7天的提交", "2024-05-08", None),
        ("過去2週間の変更", "2024-05-01", None),
        ("10 days ago it worked", "2024-04-30", "2024-05-10"),
        ("vor 10 Tagen", "2024-04-30", "2024-05-10"),
        ("hace 10 días", "2024-04-30", "2024-05-10"),
        ("10일 전에 됐다", "2024-04-30", "2024-05-10"),
        ("10天前还可以", "2024-04-30", "2024-05-10"),
    ],
)
def test_bounds(text: str, after: str | None, before: str | None) -> None:
    found = times(text)
    assert (day(found.after), day(found.before)) == (after, before)
    assert found.mentioned


@pytest.mark.parametrize("text", ["recently changed", "its history", "변경 이력", "最近的提交", "変更履歴"])
def test_time_may_matter_without_bounds(text: str) -> None:
    assert times(text) == Times(None, None, mentioned=True)


@pytest.mark.parametrize(
    "text",
    [
        "add a flag",
        "wait 3 days between retries",
        "2024-13-45 is no date, since 2024-02-31",
        "version 2024.1",
        "a bug in 3 files",
        "Title\n```\nsince 2024-03-01\n```",
        "12345 of them",
    ],
)
def test_no_time(text: str) -> None:
    assert times(text) == Times()


def test_now_is_now_unless_said_otherwise() -> None:
    found = find_times(read_lines("in the last 2 days"), None)
    assert found.after is not None
    assert found.after > NOW.timestamp()


def test_absurd_spans_stay_in_the_calendar() -> None:
    found = times("in the last 99999 years")
    assert found.after is not None
