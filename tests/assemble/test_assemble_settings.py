"""Settings of sources and presets that decide what a packet may hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack, Packet

TASK = "the session expires although refresh_session renews it"
MORE = {
    "shop/types.py": '"""Types of sessions."""\n\ntype SessionName = str\n',
    "web/session.d.ts": "/** A session that expires. */\nexport interface SessionState {\n  expires: number;\n}\n",
    "shop/clock.py": '"""Time."""\n\n\ndef moment_of_day() -> float:\n    """Since midnight."""\n    return 0.0\n',
    "shop/renewal.py": (
        '"""Renewal."""\n\nfrom shop.clock import moment_of_day\n\n\ndef renew_session_expiry(session) -> float:\n'
        '    """When the refreshed session expires."""\n    return rounded(moment_of_day())\n\n\n'
        "def rounded(value: float) -> float:\n    return value // 1\n"
    ),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = sample.make(tmp_path / "shop")
    for path, text in MORE.items():
        sample.write(root, path, text)
    return root


def pack(project: Path, flags: dict[str, object] | None = None, task: str = TASK, **options) -> Packet:
    with Haversack(project, data_dir=project.parent / "data", flags=flags) as opened:
        return opened.pack(task, budget=options.pop("budget", 6000), fill=options.pop("fill", True), **options)


def paths(packet: Packet) -> set[str | None]:
    return {item.path for item in packet.items}


def reasons(packet: Packet, path: str) -> set[str]:
    return {each.reason for each in packet.omitted if each.path == path}


@pytest.mark.parametrize(
    ("setting", "path"),
    [("include_tests", "tests/test_session.py"), ("include_types", "web/session.d.ts")],
)
def test_code_that_is_switched_off_is_left_out_and_the_receipt_says_so(project: Path, setting: str, path: str) -> None:
    assert path in paths(pack(project))
    without = pack(project, {f"sources.code.{setting}": False})
    assert path not in paths(without)
    assert reasons(without, path) == {"excluded"}


def test_what_the_task_names_and_what_is_pinned_comes_anyway(project: Path) -> None:
    off: dict[str, object] = {"sources.code.include_tests": False}
    named = pack(project, off, task=f"{TASK}, see tests/test_session.py")
    assert "tests/test_session.py" in paths(named)
    assert "tests/test_session.py" in paths(pack(project, off, pin=["tests/test_session.py"]))


def test_what_a_chosen_file_imports_comes_along_unless_it_is_switched_off(project: Path) -> None:
    task = "renew_session_expiry gives a wrong expiry"
    with Haversack(project, data_dir=project.parent / "data") as opened:
        brought = _depths(opened.pack(task, budget=6000, fill=True))
    without = _depths(pack(project, {"sources.code.include_imports": False}, task=task))
    assert brought["shop/clock.py moment_of_day"] > 0
    assert without.get("shop/clock.py moment_of_day", 0.0) == 0
    # What it uses of its own file is not imported.
    assert without["shop/renewal.py rounded"] > 0


def _depths(packet: Packet) -> dict[str, float]:
    return {f"{item.path} {item.title}": item.factors.get("dependency_depth", 0.0) for item in packet.items}
