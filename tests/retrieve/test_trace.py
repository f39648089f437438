"""Mentions become edges when they lead somewhere; what names things that are gone is stale."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from traced_project import make

from haversack.api import Haversack
from haversack.errors import NotFoundError
from haversack.sources.docs.mentions import codes, prose_mentions, refs_by_word, refs_of, typed_edges


@pytest.fixture(scope="module")
def haversack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Haversack]:
    folder = tmp_path_factory.mktemp("traced")
    with Haversack(make(folder / "project"), data_dir=folder / "data") as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("see @docs/a.md#part now", ("docs/a.md", "notes/docs/a.md")),
        ("@implements @src/x.py", ("src/x.py", "notes/src/x.py")),
        ("# @implements: @src/x.py", ("src/x.py", "notes/src/x.py")),
        ("in src/x.py:70 there is", ("src/x.py", "notes/src/x.py")),
        ("ADR-0005", ("ADR-5",)),
        ("ADR 5", ("ADR-5",)),
        ("UC-001", ("UC-001",)),
        ("NFR-PERF-002", ("NFR-PERF-002",)),
        ("fixes #12", ("#12",)),
        ("owner/repo#12", ("owner/repo#12",)),
        ("as SHOP-12 says", ("SHOP-12",)),
        ("AB2-7.", ("AB2-7",)),
        ("call shop.open_gate() twice", ("shop.open_gate", "open_gate")),
        ("the open_gate function", ("open_gate",)),
        ("class OpenGate", ("OpenGate",)),
    ],
)
def test_each_way_to_mention_a_thing(text: str, targets: tuple[str, ...]) -> None:
    (mention,) = prose_mentions(text, "notes/x.md")
    assert mention.targets == targets


@pytest.mark.parametrize(
    "text",
    [
        "me@example.org",
        "@decorator",
        "https://example.org/a.md",
        "word",
        "a &#12; b",
        "version 1.2",
        "@../../x.md",
        "UTF-8",
        "SHA-256",
        "CVE-2024-1234",
        "X-1",
        "a-SHOP-12",
    ],
)
def test_what_only_looks_like_a_mention(text: str) -> None:
    assert [each.targets for each in prose_mentions(text, "notes/x.md") if each.targets] == []


def test_lines_and_edges_are_kept() -> None:
    found = list(prose_mentions("one\n@depends @a/b.md\n\nsee c/d.md\n", "x.md"))
    assert [(each.line, each.edge, each.targets[0]) for each in found] == [
        (2, "depends", "a/b.md"),
        (4, "mentions", "c/d.md"),
    ]
    assert typed_edges("@depends @a/b.md and @c.md", "x.md") == ("depends a/b.md",)
    assert typed_edges("nothing", "x.md") == ()
    assert len(refs_of(" ".join(f"name_{n}" for n in range(900)), "x.md")) == 200


def test_trace_lists_what_bears_on_a_file_and_what_led_there(haversack: Haversack) -> None:
    found = {(each.kind, each.unit.title): each.edge for each in haversack.trace("src/shop/login.py")}
    assert found["decision", "Redirects stay on the site"] == "names redirect_target"
    assert found["learning", "Signing in is slow"] == "names src/shop/login.py"
    assert found["task", "Speed up login.py"] == "names login.py"
    assert found["requirement", "UC-001 Login"] == "src/shop/login.py:3 implements"
    assert found["adr", "2. Redirects"] == "src/shop/login.py:14 names it"
    assert found["adr", "1. Use files"].endswith("names ADR-1")
    assert found["decision", "Carts are summed late"].endswith("says decision:2")
    assert found["task", "Fix #7"].endswith("names #7, and so does this")
    assert found["commit", "Sign people in"] == "changed src/shop/login.py"
    kinds = [each.kind for each in haversack.trace("src/shop/login.py")]
    assert kinds == sorted(kinds, key=kinds.index)


def test_a_ticket_in_the_code_leads_to_the_document_the_task_and_whatever_names_it(haversack: Haversack) -> None:
    found = {(each.kind, each.unit.title): each.edge for each in haversack.trace("src/shop/basket.py")}
    assert found["document", "Rounding"] in ("src/shop/basket.py:1 names it", "names src/shop/basket.py")
    assert found["task", "Prove SHOP-12 right"] == "src/shop/basket.py:1 names it"
    assert found["task", "Answer acme/shop#3"] == "src/shop/basket.py:1 names it"


def test_a_mention_of_a_section_leads_to_the_section(haversack: Haversack) -> None:
    found = {each.unit.title: each.edge for each in haversack.trace("src/shop/basket.py")}
    assert found["Rounding > How much?"] == "src/shop/basket.py:2 names it"


def test_a_task_that_names_a_ticket_names_its_document(haversack: Haversack) -> None:
    packet = haversack.pack("finish SHOP-12")
    explicit = {item.path for item in packet.items if item.factors.get("explicit")}
    assert {"docs/SHOP-12-rounding.md", ".context/TASKS.md"} <= explicit


def test_ids_stand_for_titles_file_names_and_commits() -> None:
    assert codes("Fix SHOP-12 and ADR-0005 (#7)") == ("SHOP-12", "ADR-5", "#7")
    assert codes("UTF-8 and SHA-256") == () == codes("nothing here")
    assert codes(" ".join(f"#{n}" for n in range(50))) == (), "a list of everything points at nothing"


def test_paths_and_symbols_in_the_words_of_any_document_are_edges(haversack: Haversack) -> None:
    documents = [each for each in haversack.trace("src/shop/basket.py") if each.kind == "document"]
    assert next((each.unit.title, each.edge) for each in documents) == ("Rounding", "names src/shop/basket.py")
    assert refs_by_word("see lib/a.py and ADR 5", "docs/x.md") == ("lib/a.py", "docs/lib/a.py", "ADR-5")
    assert refs_by_word("(lib/a.py), do_it() https://x.org/a.py " + "x/" * 200, "docs/x.md") == (
        "lib/a.py", "docs/lib/a.py", "do_it",
    )  # fmt: skip
    assert len(refs_by_word(" ".join(f"name_{n}" for n in range(900)), "x.md")) == 200


def test_how_often_a_thing_is_mentioned_counts_for_code_and_documents(haversack: Haversack) -> None:
    rated = {
        each.scored.unit.title: each.scored.factors["mention_density"]
        for each in haversack.score("src/shop/login.py", "sign in")
    }
    assert rated["redirect_target"] > 0, "the file and the function are named in decisions and tasks"
    (whole, *_) = haversack.score("tests/test_login.py", "sign in")
    assert whole.scored.factors["mention_density"] > 0


def test_trace_of_lines_keeps_to_them(haversack: Haversack) -> None:
    found = {each.unit.title for each in haversack.trace("src/shop/login.py:6-10")}
    assert "Redirects stay on the site" not in found
    assert "2. Redirects" not in found
    assert "Signing in is slow" in found


def test_trace_says_when_there_is_no_such_file_or_several(haversack: Haversack) -> None:
    with pytest.raises(NotFoundError, match="no file is called 'nowhere"):
        haversack.trace("nowhere.py")
    with pytest.raises(NotFoundError, match="files are called 'docs/adr'"):
        haversack.trace("docs/adr")


def test_an_entry_that_names_what_is_gone_is_stale_with_the_reason(haversack: Haversack) -> None:
    found = {entry.unit.title: entry for entry in haversack.knowledge()}
    assert found["Carts are summed late"].status == "stale"
    assert found["Carts are summed late"].unit.meta["stale"] == "src/shop/old_cart.py no longer here"
    assert found["Gates"].unit.meta["stale"] == "Gate.close_gate no longer here"
    assert found["Sums"].unit.meta["stale"] == "sum_cart no longer here", "a name that never was is not gone"
    assert found["Redirects stay on the site"].status == "live"
    assert found["Write src/shop/new_file.py"].status == "live", "a task may speak of what is to be"


def test_stale_entries_rank_lower_are_labelled_and_can_be_left_out(haversack: Haversack) -> None:
    packet = haversack.agent(task="carts and redirects of the site")
    assert "(stale: src/shop/old_cart.py no longer here) Carts are summed late" in packet.text
    assert "Carts are summed late" not in haversack.agent(task="carts", strict=True).text
    task = "why are carts summed late"
    shown = haversack.pack(task, fill=True)
    assert "Carts are summed late" in shown.text
    assert "stale" in shown.text
    assert not any(item.kind == "file" and item.path == ".context/DECISIONS.md" for item in shown.items)
    strict = haversack.pack(task, fill=True, strict=True)
    assert any(left.reason == "stale" for left in strict.omitted)
    assert not any(item.title == "Carts are summed late" for item in strict.items)


def test_the_doctor_lists_mentions_that_lead_nowhere(haversack: Haversack) -> None:
    found = [finding.message for finding in haversack.doctor() if finding.name == "mentions"]
    assert found == [
        "README.md:3 points at ADR-9, which is not there",
        "README.md:3 points at docs/gone.md, which is not there",
        "README.md:3 points at docs/guide.md, which is not there",
        "docs/SHOP-12-rounding.md:7 points at docs/SHOP-12-rounding.md#gone, which is not there",
    ]


def test_the_doctor_says_when_every_mention_leads_somewhere_and_counts_when_many_do_not(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "README.md").write_text("# A\n")
    with Haversack(project, data_dir=tmp_path / "data") as haversack:
        assert "leads somewhere" in next(f.message for f in haversack.doctor() if f.name == "mentions")
        (project / "README.md").write_text("".join(f"[x](gone/{n}.md)\n" for n in range(30)))
        assert [f.message for f in haversack.doctor() if f.name == "mentions"][-1] == "10 more mentions lead nowhere"


def test_an_entry_that_names_what_the_task_names_is_one_step_away(haversack: Haversack) -> None:
    packet = haversack.agent(task="make redirect_target in src/shop/login.py stay on the site")
    records = {item.title: item.factors for section in packet.receipt.sections for item in section.items}
    assert records["Redirects stay on the site"]["mention_density"] > records["Gates"]["mention_density"]
    assert records["Redirects stay on the site"]["dependency_depth"] > records["Gates"]["dependency_depth"]
    assert records["Signing in is slow"]["dependency_depth"] > 0


def test_links_between_entries_and_typed_edges_are_kept(haversack: Haversack) -> None:
    shown = haversack.trace("tests/test_login.py")
    assert [(each.kind, each.edge) for each in shown if each.kind == "requirement"] == [
        ("requirement", "tests tests/test_login.py")
    ]
    assert json.dumps([each.edge for each in shown])
