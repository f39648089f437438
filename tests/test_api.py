"""What a Python user sees: one class, everything fresh, errors that help."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from haversack import Haversack, Unit
from haversack.config import load
from haversack.errors import NotFoundError, OutsideProjectError, StoreError, UsageError
from haversack.retrieve.search import View
from tests import sample

TASK = "refresh_session must renew an expired session"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return sample.make(tmp_path / "shop")


@pytest.fixture
def haversack(project: Path, tmp_path: Path) -> Iterator[Haversack]:
    with Haversack(project, data_dir=tmp_path / "data") as opened:
        yield opened


def test_index_reports_what_it_read(haversack: Haversack) -> None:
    seen: list[tuple[str, int, int]] = []
    report = haversack.index(progress=lambda *step: seen.append(step))
    assert report.files == len(sample.FILES)
    assert report.read == len(sample.FILES) + 3  # and the commits
    assert report.units > len(sample.FILES)
    assert seen
    assert not haversack.index().changed
    assert haversack.index(rebuild=True).read == report.read


@pytest.mark.parametrize(
    ("query", "view", "path"),
    [
        ("renew an old login of a user", "hybrid", "shop/session.py"),
        ("refresh_session", "hybrid", "shop/session.py"),
        ("sum of all prices", "lexical", "shop/cart.py"),
        ("sum of prices", "semantic", "shop/cart.py"),
        ("Session.expired", "symbolic", "shop/session.py"),
        ("web/api.ts", "symbolic", "web/api.ts"),
        ("refresh_session", "relational", "shop/session.py"),
        ("an item needs a name", "exact", "shop/cart.py"),
        (r"raise \w+Error\(", "regex", "shop/cart.py"),
    ],
)
def test_every_view_finds_what_it_is_for(haversack: Haversack, query: str, view: View, path: str) -> None:
    hits = haversack.search(query, view=view)
    assert hits
    assert hits[0].unit.path == path


def test_search_filters(haversack: Haversack) -> None:
    assert {h.unit.lang for h in haversack.search("cart", lang="typescript")} == {"typescript"}
    assert {h.unit.kind for h in haversack.search("session", kind="method")} == {"method"}
    assert {h.unit.path for h in haversack.search("session", path="tests")} == {"tests/test_session.py"}
    assert {h.unit.path for h in haversack.search("cart", path="**/*.ts")} <= {"web/cart.ts", "web/api.ts"}
    assert {h.unit.source for h in haversack.search("sessions", kind="commit")} == {"commits"}
    since = haversack.search("sessions release", since=1_700_150_000.0)
    assert {h.unit.title for h in since} == {"Release 1.0"}
    assert len(haversack.search("session", limit=2)) == 2


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"query": "  "}, "empty"),
        ({"query": "x", "view": "psychic"}, "unknown view"),
        ({"query": "x", "kind": "poem"}, "unknown kind"),
        ({"query": "(", "view": "regex"}, "not a regular expression"),
    ],
)
def test_wrong_searches_say_what_is_wrong(haversack: Haversack, wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        haversack.search(**wrong)


def test_an_edit_is_seen_by_the_next_search(haversack: Haversack, project: Path) -> None:
    haversack.search("session")
    sample.write(project, "shop/session.py", sample.FILES["shop/session.py"] + "\n\ndef brand_new_thing():\n    pass\n")
    (hit, *_) = haversack.search("brand_new_thing")
    assert hit.unit.name == "brand_new_thing"
    (project / "shop/session.py").rename(project / "shop/login.py")
    (hit, *_) = haversack.search("brand_new_thing")
    assert hit.unit.path == "shop/login.py"
    sample.git(project, "stash", "-u")
    assert all(h.unit.name != "brand_new_thing" for h in haversack.search("brand_new_thing"))


def test_show_opens_anything_that_has_a_name(haversack: Haversack) -> None:
    by_symbol = haversack.show("refresh_session")
    assert by_symbol.text.startswith("def refresh_session")
    assert by_symbol.unit is not None
    assert haversack.show(by_symbol.unit.id).text == by_symbol.text
    assert haversack.show("shop/cart.py").text == sample.FILES["shop/cart.py"]
    assert haversack.show("shop/cart.py:1").text == '"""Carts."""'
    assert haversack.show("shop/cart.py:1-3").text.count("\n") == 2
    assert str(haversack.show("shop/cart.py:1-3").citation) == "shop/cart.py:1-3"
    commit = sample.git(haversack.project.root, "rev-parse", "HEAD").strip()
    assert haversack.show(commit[:10]).title == "Release 1.0"
    assert haversack.show("Cart").unit is not None
    assert haversack.show("session.py").unit is not None


def test_show_says_what_it_cannot_open(haversack: Haversack, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"did you mean shop/session\.py"):
        haversack.show("sesion.py")
    with pytest.raises(NotFoundError, match="has 22 lines"):
        haversack.show("shop/cart.py:400")
    with pytest.raises(NotFoundError, match="haversack search"):
        haversack.show("zzzzzz")
    (tmp_path / "outside.txt").write_text("x")
    with pytest.raises(OutsideProjectError):
        haversack.show("../outside.txt:1")


def test_graph_knows_the_neighbours(haversack: Haversack) -> None:
    found = haversack.graph("refresh_session")
    assert [u.path for u in found.definitions] == ["shop/session.py"]
    assert [u.name for u in found.tests] == ["test_a_fresh_session_is_kept"]
    assert "Session" in {u.name for u in found.callees}
    assert "shop/cart.py" in found.imported_by
    assert found.co_changes
    by_path = haversack.graph("shop/cart.py")
    assert by_path.imports == ("shop/session.py",)
    with pytest.raises(NotFoundError, match="no symbol or file"):
        haversack.graph("nothing_like_this")


def test_status_says_what_is_stale_without_reading_it(haversack: Haversack, project: Path) -> None:
    haversack.index()
    assert haversack.status().fresh
    sample.write(project, "shop/new.py", "x = 1\n")
    (project / "web/api.ts").unlink()
    status = haversack.status()
    assert (status.changed, status.gone) == (("shop/new.py",), ("web/api.ts",))
    assert not status.fresh
    assert status.sources["code"] > 0


def test_doctor_finds_a_sound_project_sound(haversack: Haversack) -> None:
    haversack.index()
    assert {finding.state for finding in haversack.doctor()} == {"ok"}


def test_doctor_names_a_broken_index(haversack: Haversack) -> None:
    haversack.index()
    for path in (haversack.store.folder / "segments").glob("*.seg"):
        path.write_bytes(b"broken")
    problems = [finding for finding in haversack.doctor() if finding.state == "problem"]
    assert problems
    assert any("--rebuild" in finding.fix for finding in problems)


def test_a_damaged_index_is_rebuilt_by_itself(project: Path, tmp_path: Path) -> None:
    with Haversack(project, data_dir=tmp_path / "data") as first:
        first.index()
        folder = first.store.folder
    for path in (folder / "segments").glob("*.seg"):
        path.write_bytes(b"broken")
    with Haversack(project, data_dir=tmp_path / "data") as second:
        assert second.search("refresh_session")[0].unit.name == "refresh_session"
        assert "damaged" in second.store.rebuilt_because


def test_a_packet_carries_its_account(haversack: Haversack) -> None:
    packet = haversack.pack(TASK, budget=2000)
    assert str(packet) == packet.text
    assert packet.items[0].path == "shop/session.py"
    assert haversack.why(packet.packet_id, "shop/session.py")
    assert haversack.why()
    assert haversack.report().packets == 1
    haversack.budget(TASK)
    assert haversack.report().packets == 1
    with pytest.raises(NotFoundError):
        haversack.why("ffffffff")


def test_the_async_twin_gives_the_same(haversack: Haversack) -> None:
    assert asyncio.run(haversack.apack(TASK, budget=900)).text == haversack.pack(TASK, budget=900).text


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "enrichment"},
        {"preset": "learning"},
        {"preset": "hydrate"},
        {"profile": "aiwg"},
        {"profile": "ringmaster"},
        {"overflow": "summarize"},
        {"overflow": "truncate"},
        {"fill": True},
        {"show_scores": True},
        {"type": "test"},
        {"model": "gpt-4"},
        {"soft": True},
        {"include": ["shop/**"]},
        {"exclude": ["**/*.md"]},
        {"pin": ["Cart.total", "README.md"]},
    ],
)
def test_options_of_a_packet_all_keep_the_budget(haversack: Haversack, options: dict[str, Any]) -> None:
    packet = haversack.pack(TASK, budget=700, **options)
    assert packet.items
    assert packet.tokens <= 700
    assert all(item.path != "README.md" for item in packet.items) or "exclude" not in options


def test_what_is_pinned_is_there_and_what_is_excluded_is_not(haversack: Haversack) -> None:
    pinned = haversack.pack(TASK, budget=700, pin=["web/api.ts"])
    assert "web/api.ts" in {item.path for item in pinned.items}
    with pytest.raises(NotFoundError, match="nothing to pin"):
        haversack.pack(TASK, pin=["nowhere.py"])
    only = haversack.pack(TASK, budget=3000, include=["web/**"], fill=True)
    assert {item.path for item in only.items} <= {"web/api.ts", "web/cart.ts"}


def test_settings_of_a_project_are_used(project: Path, tmp_path: Path) -> None:
    sample.write(
        project,
        "haversack.toml",
        '[pack]\nbudget = 900\npreset = "mine"\nprofile = "words"\n'
        '[presets.mine.sections.all]\nweight = 1\nsources = ["code", "docs", "commits"]\n'
        '[profiles.words]\nmethod = "keyword"\n[profiles.words.weights]\ntask_alignment = 1.0\n'
        '[sources.docs]\nalways_include = ["README.md"]\n[sources.commits]\nenabled = false\n',
    )
    with Haversack(project, data_dir=tmp_path / "data") as haversack:
        packet = haversack.pack(TASK)
        assert packet.budget == 900
        assert {item.section for item in packet.items} == {"all"}
        assert "README.md" in {item.path for item in packet.items}
        assert "commits" not in {item.source for item in packet.items}
        assert packet.receipt.settings["pack.budget"].origin.startswith("haversack.toml")


def test_a_user_preset_may_change_a_built_in_one(project: Path, tmp_path: Path) -> None:
    sample.write(
        project, "haversack.toml", '[presets.task.sections.history]\ncap = "1%"\n[presets.task]\nitem_cap = "50%"\n'
    )
    with Haversack(project, data_dir=tmp_path / "data") as haversack:
        packet = haversack.pack(TASK, budget=1000)
        history = sum(item.tokens for item in packet.items if item.section == "history")
        assert history <= 10


def test_thresholds_that_do_not_fall_are_refused(project: Path, tmp_path: Path) -> None:
    config = load(project, flags={"relevance.thresholds.primary": 0.1})
    with (
        Haversack(project, data_dir=tmp_path / "data", config=config) as haversack,
        pytest.raises(UsageError, match="fall"),
    ):
        haversack.pack(TASK)


def test_scores_and_summaries_of_one_file(haversack: Haversack) -> None:
    rated = haversack.score("shop/session.py", TASK)
    assert rated[0].scored.unit.name == "refresh_session"
    assert sum(part.points for part in rated[0].parts) >= rated[0].scored.score - 1e-6
    with pytest.raises(NotFoundError):
        haversack.score("nowhere.py", TASK)
    assert "refresh_session" in haversack.summarize("shop/session.py", "summary").text
    assert haversack.summarize("shop/session.py", "full").text == sample.FILES["shop/session.py"].rstrip("\n")
    assert haversack.summarize("README.md", "stub").text.startswith("README.md")
    with pytest.raises(UsageError, match="unknown level"):
        haversack.summarize("README.md", "poem")
    with pytest.raises(NotFoundError):
        haversack.summarize("nowhere.md")


def test_an_empty_task_is_refused(haversack: Haversack) -> None:
    with pytest.raises(UsageError, match="task is empty"):
        haversack.pack("  \n ")


def test_a_project_without_anything_gives_an_empty_packet(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with Haversack(tmp_path / "empty", data_dir=tmp_path / "data") as haversack:
        packet = haversack.pack("anything at all")
        assert packet.items == ()
        assert packet.tokens <= packet.budget
        assert haversack.search("anything") == ()


def test_a_file_that_changes_while_it_is_packed_is_read_again(
    haversack: Haversack, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    haversack.index()
    refresh, turns = haversack.refresh, []

    def refresh_then_edit() -> object:
        report = refresh()
        if not turns:
            turns.append(1)
            sample.write(project, "shop/session.py", "# one more line\n" + sample.FILES["shop/session.py"])
        return report

    monkeypatch.setattr(haversack, "refresh", refresh_then_edit)
    packet = haversack.pack(TASK, budget=2000)
    item = next(item for item in packet.items if "def refresh_session" in item.text)
    assert item.start is not None
    lines = (project / "shop/session.py").read_text().split("\n")
    assert item.text.rstrip("\n") == "\n".join(lines[item.start - 1 : item.end]).rstrip("\n")


def test_a_file_that_never_stops_changing_is_left_out_and_named(
    haversack: Haversack, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    haversack.index()
    refresh, turns = haversack.refresh, []

    def refresh_then_edit() -> object:
        report = refresh()
        turns.append(1)
        sample.write(project, "shop/session.py", f"# turn {len(turns) ** 5}\n" + sample.FILES["shop/session.py"])
        return report

    monkeypatch.setattr(haversack, "refresh", refresh_then_edit)
    packet = haversack.pack(TASK, budget=2000)
    assert all(item.path != "shop/session.py" for item in packet.items)
    assert any(problem.where == "shop/session.py" for problem in packet.receipt.problems)


def test_a_data_folder_that_cannot_be_written_is_named(project: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="data folder"):
        Haversack(project, data_dir=tmp_path / "file").index()


def test_without_a_writable_cache_the_index_goes_to_a_temporary_folder(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with Haversack(project) as haversack:
        packet = haversack.pack(TASK, budget=500)
        assert packet.items
        assert any("HAVERSACK_DATA_DIR" in problem.fix for problem in packet.receipt.problems)


def test_an_index_that_another_process_changes_is_asked_again(
    haversack: Haversack, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    haversack.search("session")
    store, turns = haversack.store, []
    units = store.units

    def changed_meanwhile(items: Sequence[int]) -> dict[int, Sequence[Unit]]:
        if not turns:
            turns.append(1)
            text = sample.FILES["shop/session.py"] + "\n\ndef refresh_sessions():\n    pass\n"
            sample.write(project, "shop/session.py", text)
            with Haversack(project, data_dir=tmp_path / "data") as other:
                other.index()
            store._decoded.clear()
        return units(items)

    monkeypatch.setattr(store, "units", changed_meanwhile)
    assert haversack.search("refresh_sessions")[0].unit.name == "refresh_sessions"


def test_paths_in_prose_that_lead_anywhere_break_no_packet(project: Path, tmp_path: Path) -> None:
    words = "The session is explained in `/docs/gone.md`, `../../etc/passwd`, [here](/web/none.ts) and `~/x/y.py`."
    sample.write(project, "AGENTS.md", f"# Sessions\n\n{words}\n")
    sample.write(project, ".context/DECISIONS.md", f"## [2026-01-02] Session length\n\n**Decision**: {words}\n")
    with Haversack(project, data_dir=tmp_path / "data") as haversack:
        assert haversack.pack("how long is a session", budget=3000).items
        assert haversack.agent(budget=2000).text
        assert haversack.knowledge()
        assert haversack.doctor()


def test_research_is_read_from_the_folders_that_are_named(project: Path, tmp_path: Path) -> None:
    sample.write(project, "spike-results/tokens.md", "# Token spike\n\n## Conclusion\n\nSigned tokens are enough.\n")
    with Haversack(project, data_dir=tmp_path / "data") as haversack:
        assert haversack.search("token spike")[0].unit.source == "docs"
    sample.write(project, "haversack.toml", '[sources.research]\nfolders = ["spike-results"]\n')
    with Haversack(project, data_dir=tmp_path / "data") as haversack:
        assert haversack.search("token spike conclusion")[0].unit.source == "research"


def test_words_of_any_script_are_found(project: Path, tmp_path: Path) -> None:
    words = {
        "ko": "세션이 만료되면 다시 로그인합니다",
        "zh": "会话过期后重新登录",
        "ja": "セッションが切れたら再ログイン",
    }
    words["fr"] = "La session expirée est renouvelée"
    for name, text in words.items():
        sample.write(project, f"docs/{name}.md", f"# {name}\n\n{text}\n")
    with Haversack(project, data_dir=tmp_path / "data") as haversack:
        for query, name in (("만료", "ko"), ("过期", "zh"), ("ログイン", "ja"), ("expiree", "fr")):
            assert haversack.search(query, view="lexical")[0].unit.path == f"docs/{name}.md"


def test_semantic_search_can_be_switched_off(project: Path, tmp_path: Path) -> None:
    with Haversack(project, data_dir=tmp_path / "data", flags={"index.semantic": False}) as haversack:
        assert haversack.search("refresh_session")[0].unit.name == "refresh_session"
        assert haversack.search("refresh_session", view="semantic") == ()
        assert haversack.pack(TASK, budget=800).items
        assert any(f.name == "model" and f.state == "warning" for f in haversack.doctor())
