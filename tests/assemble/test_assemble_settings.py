"""Settings of sources and presets that decide what a packet may hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack, Packet
from haversack.errors import ConfigError

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
    for path in ("shop/renewal.py", "shop/clock.py"):
        sample.write(project, path, MORE[path] + sample.UNRELATED)
    with Haversack(project, data_dir=project.parent / "data") as opened:
        brought = _depths(opened.pack(task, budget=6000, fill=True))
    without = _depths(pack(project, {"sources.code.include_imports": False}, task=task))
    assert brought["shop/clock.py moment_of_day"] > 0
    assert without.get("shop/clock.py moment_of_day", 0.0) == 0
    # What it uses of its own file is not imported.
    assert without["shop/renewal.py rounded"] > 0


def _depths(packet: Packet) -> dict[str, float]:
    return {f"{item.path} {item.title}": item.factors.get("dependency_depth", 0.0) for item in packet.items}


def test_a_preset_of_ones_own_starts_from_the_one_it_extends(project: Path) -> None:
    (project / "haversack.toml").write_text(
        '[presets.mine]\nextends = "task"\n[presets.mine.sections.history]\ntitle = "Changes"\nweight = 10\n'
        '[presets.rich]\nextends = "enrichment"\n'
    )
    plain, mine, rich = (pack(project, preset=name) for name in ("task", "mine", "rich"))
    assert {item.section for item in mine.items} == {item.section for item in plain.items}
    assert "## Changes" in mine.text
    # The home of each source and the usual size come along.
    assert {item.section for item in rich.items} <= {"code", "documentation"}
    with Haversack(project, data_dir=project.parent / "data") as opened:
        assert opened.budget(TASK, preset="rich").budget == 20_000
        assert opened.budget(TASK, preset="mine").budget == opened.budget(TASK).budget


def test_a_preset_may_extend_another_of_ones_own(project: Path) -> None:
    (project / "haversack.toml").write_text(
        '[presets.team]\nextends = "enrichment"\n[presets.team.sections.code]\ntitle = "Our code"\n'
        '[presets.mine]\nextends = "team"\n[presets.mine.sections.notes]\nsources = ["docs"]\nweight = 3\n'
    )
    made = pack(project, preset="mine")
    assert "## Our code" in made.text
    assert {item.section for item in made.items if item.source == "docs"} == {"notes"}
    with Haversack(project, data_dir=project.parent / "data") as opened:
        assert opened.budget(TASK, preset="mine").budget == 20_000


@pytest.mark.parametrize(("mine", "other"), [("other", "mine"), ("mine", "task")])
def test_presets_that_extend_each_other_in_a_circle_are_refused(project: Path, mine: str, other: str) -> None:
    (project / "haversack.toml").write_text(
        f'[presets.mine]\nextends = "{mine}"\n[presets.other]\nextends = "{other}"\n'
    )
    with pytest.raises(ConfigError, match=r"mine extends .*mine"):
        pack(project, preset="mine")


def test_a_change_to_a_built_in_preset_may_say_that_it_extends_it(project: Path) -> None:
    (project / "haversack.toml").write_text(
        '[presets.task]\nextends = "task"\n[presets.task.sections.history]\ntitle = "Changes"\n'
    )
    assert "## Changes" in pack(project, preset="task").text


def test_a_preset_that_extends_nothing_known_is_refused(project: Path) -> None:
    (project / "haversack.toml").write_text('[presets.mine]\nextends = "tusk"\n')
    with pytest.raises(ConfigError, match=r"preset 'mine'.extends"):
        pack(project, preset="mine")


def test_a_preset_with_a_primary_section_places_by_score_whatever_else_it_has(project: Path) -> None:
    (project / "haversack.toml").write_text(
        "[presets.mine.sections.primary]\nweight = 70\n[presets.mine.sections.reference]\nweight = 30\n"
    )
    assert {item.section for item in pack(project, preset="mine").items} == {"primary", "reference"}


def test_a_receipt_records_what_was_set_and_where(project: Path) -> None:
    (project / "haversack.toml").write_text("[sources.docs]\nmax_tokens = 300\n[relevance.weights]\nrecency = 0.2\n")
    flags: dict[str, object] = {"levels.detailed.max_tokens": 900, "levels.cache.enabled": False}
    settings = pack(project, flags).receipt.settings
    assert (settings["sources.docs.max_tokens"].value, settings["sources.docs.max_tokens"].origin) == (
        300,
        "haversack.toml:2",
    )
    assert settings["relevance.weights.recency"].value == 0.2
    assert settings["levels.detailed.max_tokens"].value == 900
    assert settings["sources.code.include_tests"].origin == "default"
    assert "levels.cache.enabled" not in settings
