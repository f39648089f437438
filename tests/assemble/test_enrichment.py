"""`[enrichment]` as seed 002 writes it: it loads, and every key of it does what it says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from enriched_project import SEED, TASK, make, talk

from haversack import Haversack, Packet
from haversack.errors import ConfigError
from haversack.model import Level

# Bars so low that everything the task has anything to do with is in: what a key takes away is then seen.
LOW = re.sub(
    r"threshold = .*",
    "threshold = 0.05",
    SEED.replace(SEED[SEED.index("[enrichment.thresholds]") : SEED.index("[enrichment.sources.conversation]")], ""),
)
BARS = re.sub(
    r"\nthreshold = .*",
    "",
    re.sub(r"(?m)^(conversation|research|documentation|code|deployment|logs) = .*", r"\1 = 0.05", SEED),
)
SOURCES = ("conversation", "research", "documentation", "code", "deployment", "logs")
OURS = {"documentation": "docs"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("enriched") / "project")


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return talk(tmp_path_factory.mktemp("talk"))


Pack = Callable[..., Packet]


@pytest.fixture
def pack(project: Path, transcript: Path, tmp_path: Path) -> Pack:
    def packed(settings: str, task: str = TASK, budget: int | None = None) -> Packet:
        (project / "haversack.toml").write_text(settings)
        flags = {"sources.conversation.files": [str(transcript)], "sources.conversation.agents": ["plain"]}
        with Haversack(project, data_dir=tmp_path / "data", flags=flags) as haversack:
            return haversack.pack(task, exclude=["haversack.toml"], budget=budget)

    return packed


def tokens_of(packet: Packet, source: str) -> int:
    return sum(item.tokens for _, item in packet.receipt.items() if item.source == OURS.get(source, source))


def paths_of(packet: Packet) -> set[str]:
    return {item.path for item in packet.items if item.path}


def changed(settings: str, source: str, key: str, value: str) -> str:
    """The settings with one key of one source's table replaced."""
    start = settings.index(f"[enrichment.sources.{source}]")
    end = settings.find("\n[", start + 1)
    table = settings[start : end if end > 0 else len(settings)]
    made = re.sub(rf"(?m)^{key} = .*$", f"{key} = {value}", table)
    assert made != table
    return settings.replace(table, made)


def test_the_seeds_own_file_loads_and_chooses_its_preset(pack: Pack) -> None:
    packet = pack(SEED)
    assert packet.budget == 24_000 - 4_000
    assert packet.receipt.settings["pack.preset"].value == "enrichment"
    assert {section.name for section in packet.receipt.sections} == set(SOURCES)
    assert not packet.receipt.problems
    assert {"project.md", "conventions.md", "src/login.py"} <= paths_of(packet)


def test_every_key_of_the_seed_has_a_test_here() -> None:
    tables = tomllib.loads(SEED)["enrichment"]
    keys = {key for name, table in tables["sources"].items() for key in table} | set(tables) - {"sources"}
    tested = Path(__file__).read_text(encoding="utf-8")
    assert [key for key in keys if tested.count(key) < 1] == []


def test_the_budget_and_the_headroom(pack: Pack) -> None:
    assert pack(SEED.replace("= 24000", "= 9000")).budget == 5_000
    assert pack(SEED.replace("min_headroom_tokens = 4000", "min_headroom_tokens = 1000")).budget == 23_000
    assert SEED.count("default_budget_tokens") == 1


@pytest.mark.parametrize("source", SOURCES)
def test_thresholds_enabled_threshold_and_max_tokens_of_each_source(pack: Pack, source: str) -> None:
    usual = tokens_of(pack(LOW), source)
    assert usual > 0
    assert tokens_of(pack(changed(LOW, source, "enabled", "false")), source) == 0
    assert tokens_of(pack(changed(LOW, source, "threshold", "1.0")), source) < usual
    assert tokens_of(pack(BARS), source) == usual
    assert tokens_of(pack(BARS.replace(f"\n{source} = 0.05", f"\n{source} = 1.0")), source) < usual
    if source != "documentation":  # what is always included is there whatever it costs
        assert tokens_of(pack(changed(LOW, source, "max_tokens", "60")), source) <= 60
    else:
        capped = changed(changed(LOW, source, "max_tokens", "60"), source, "always_include", "[]")
        assert tokens_of(pack(capped), source) <= 60 < usual


def test_recent_messages_verbatim_and_compress_older(pack: Pack) -> None:
    def levels(settings: str) -> list[Level]:
        packet = pack(changed(settings, "conversation", "max_tokens", "1200"), "write a poem about shoes")
        return [item.level for item in packet.items if item.kind == "message"]

    assert len(levels(SEED)) > len(levels(changed(SEED, "conversation", "recent_messages_verbatim", "2"))) >= 1
    assert levels(changed(SEED, "conversation", "recent_messages_verbatim", "0")) == []

    def older(settings: str) -> set[Level]:
        # Citations hold the transcript's path, whose length is not ours: one of these sizes leaves room for a part.
        none = changed(settings, "conversation", "recent_messages_verbatim", "0")
        packets = [pack(changed(none, "conversation", "max_tokens", str(most))) for most in range(150, 700, 50)]
        return {item.level for packet in packets for item in packet.items if item.kind == "message"}

    assert older(LOW) & {Level.LIGHT, Level.DETAILED, Level.SUMMARY}
    assert older(changed(LOW, "conversation", "compress_older", "false")) <= {Level.FULL, Level.STUB}


@pytest.mark.parametrize(
    ("source", "key", "path"),
    [
        ("research", "include_web_searches", "research/page.md"),
        ("research", "include_agent_outputs", "research/sessions.md"),
        ("code", "include_types", "src/session.pyi"),
        ("code", "include_tests", "tests/test_login.py"),
        ("deployment", "include_env_configs", ".env"),
        ("deployment", "include_k8s", "deploy/login.yaml"),
    ],
)
def test_what_is_not_to_be_included_is_not(pack: Pack, source: str, key: str, path: str) -> None:
    assert path in paths_of(pack(LOW))
    assert path not in paths_of(pack(changed(LOW, source, key, "false")))


def test_include_imports(pack: Pack) -> None:
    def factors(settings: str) -> float:
        packet = pack(settings, "fix the crash of sign_in")
        return next(
            (item.factors["dependency_depth"] for _, item in packet.receipt.items() if item.path == "src/tokens.py"),
            0.0,
        )

    assert factors(LOW) > factors(changed(LOW, "code", "include_imports", "false"))


def test_always_include(pack: Pack) -> None:
    assert {"project.md", "conventions.md"} <= paths_of(pack(SEED, "write a poem"))
    assert "project.md" not in paths_of(pack(changed(SEED, "documentation", "always_include", "[]"), "write a poem"))


def test_redact_secrets_cannot_be_turned_off(pack: Pack) -> None:
    with pytest.raises(ConfigError, match="secrets are redacted in every source"):
        pack(changed(SEED, "deployment", "redact_secrets", "false"))


def test_log_window_hours_and_filter_noise(pack: Pack) -> None:
    def logs(settings: str) -> str:
        packet = pack(settings, f"{TASK}: look at the heartbeat in the logs")
        return "\n".join(item.text for item in packet.items if item.source == "logs")

    assert "error, 2 times" in logs(LOW)
    assert "error, 4 times" in logs(changed(LOW, "logs", "log_window_hours", "100"))
    assert "heartbeat" not in logs(LOW)
    assert "heartbeat" in logs(changed(LOW, "logs", "filter_noise", "false"))


@pytest.mark.parametrize(
    ("written", "nearest"),
    [
        ("[enrichment]\ndefault_budget_token = 1\n", "default_budget_tokens"),
        ("[enrichment]\nmin_headroom = 1\n", "min_headroom_tokens"),
        ("[enrichment.sources.code]\ninclude_type = true\n", "include_types"),
        ("[enrichment.sources.documentatio]\nenabled = true\n", "documentation"),
        ("[enrichment.sources.logs]\nlog_window = 1\n", "log_window_hours"),
        ("[enrichment.thresholds]\nlog = 0.5\n", "logs"),
    ],
)
def test_an_unknown_key_is_an_error_that_names_the_nearest(pack: Pack, written: str, nearest: str) -> None:
    with pytest.raises(ConfigError) as refused:
        pack(written)
    assert nearest in str(refused.value)
