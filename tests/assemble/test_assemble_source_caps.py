"""No packet holds more of a source than its `max_tokens`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack, Packet
from haversack.errors import BudgetError

TASK = "the session expires although refresh_session renews it; carts keep the session"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample.make(tmp_path_factory.mktemp("capped") / "shop")


def pack(project: Path, caps: dict[str, int], **options) -> Packet:
    flags = {f"sources.{name}.max_tokens": most for name, most in caps.items()}
    with Haversack(project, data_dir=project.parent / "data", flags=flags) as opened:
        return opened.pack(TASK, **{"budget": 4000, "fill": True, **options})


def spent(packet: Packet) -> Counter[str]:
    found: Counter[str] = Counter()
    for item in packet.items:
        found[item.source] += item.tokens
    return found


@pytest.mark.parametrize("preset", ["task", "enrichment", "learning"])
@pytest.mark.parametrize("overflow", ["prioritize", "summarize", "truncate"])
def test_a_source_takes_no_more_than_its_cap(project: Path, preset: str, overflow: str) -> None:
    free = spent(pack(project, {}, preset=preset, overflow=overflow))
    for cap in (0, 30, 150, 333, 450):
        for budget in (300, 4000):
            caps = {"code": cap, "docs": cap // 2}
            packet = pack(project, caps, preset=preset, overflow=overflow, budget=budget)
            assert packet.tokens <= budget
            for source, most in caps.items():
                assert spent(packet)[source] <= most
    assert free["code"] > 450


def test_what_a_cap_keeps_out_is_named_with_the_reason(project: Path) -> None:
    packet = pack(project, {"code": 200})
    left = {each.reason for each in packet.omitted if (each.path or "").endswith(".py")}
    assert "source cap" in left
    assert 100 < spent(packet)["code"] <= 200
    assert all(each.enters_at_budget is None for each in packet.omitted if each.reason == "source cap")
    assert packet.receipt.overflow.occurred


def test_what_one_source_may_not_take_goes_to_the_others(project: Path) -> None:
    free, capped = (spent(pack(project, caps, budget=900)) for caps in ({}, {"code": 100}))
    assert capped["code"] <= 100
    assert capped["docs"] + capped["commits"] > free["docs"] + free["commits"]


def test_a_cap_that_does_not_bind_changes_nothing(project: Path) -> None:
    assert pack(project, {"code": 100_000, "docs": 100_000}).text == pack(project, {}).text


def test_only_what_is_pinned_exceeds_a_cap(project: Path) -> None:
    packet = pack(project, {"code": 5}, pin=["shop/session.py"])
    assert [item.path for item in packet.items if item.source == "code"] == ["shop/session.py"]


def test_asked_to_fail_it_fails_and_names_the_setting(project: Path) -> None:
    with pytest.raises(BudgetError, match=r"sources\.code\.max_tokens"):
        pack(project, {"code": 100}, overflow="error", budget=50_000)
