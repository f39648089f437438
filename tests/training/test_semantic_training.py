"""What the semantic model is made of: what is fetched and what is refused, pairs mined from a package, and how a table
is measured on them. The training itself needs torch: training/semantic/README.md has the command for a sample."""

from __future__ import annotations

import importlib
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from tests.histories import make_history

from haversack.index.embed import SHIPPED

FOLDER = Path(__file__).parents[2] / "training" / "semantic"
MODULES = ("gather", "pairs", "mine", "vocabulary", "measure")

SESSIONS = '''"""Sessions of people who have signed in, and when they end."""


def renew(session, seconds):
    """Give a session more time before the user has to sign in again."""
    if session.ended:
        raise Expired(session.name)
    total = 0
    for part in session.parts:
        total += part.seconds
    # Sessions that live forever are a risk, so there is an upper bound.
    session.until = min(session.until + seconds, LONGEST)
    session.renewed = True
    return session


class Expired(Exception):
    """A session that has ended was used as if it were still alive."""

    def __init__(self, name):
        super().__init__(f"{name} has ended")
        self.name = name
'''
TESTS = "from sessions import renew\n\n\ndef test_renew_ended_session():\n    assert renew(ended(), 5)\n"
README = (
    "# Sessions\n\nThe function `renew` keeps people signed in while they work. "
    + "It is called by every request that a person makes, so that nobody loses what was typed. " * 3
)


@pytest.fixture(scope="module")
def scripts() -> Iterator[dict[str, ModuleType]]:
    """The modules of the training folder, which is a folder of scripts and no package."""
    sys.path.insert(0, str(FOLDER))
    try:
        yield {name: importlib.import_module(name) for name in MODULES}
    finally:
        sys.path.remove(str(FOLDER))
        for name in MODULES:
            sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def mined(scripts: dict[str, ModuleType]) -> list[dict[str, str]]:
    gather = scripts["gather"]
    package = gather.Package(
        "pypi", "made", "1", "MIT", {"sessions.py": SESSIONS, "tests/test_sessions.py": TESTS, "README.md": README}
    )
    return [
        {name: getattr(pair, name) for name in ("kind", "lang", "file", "said", "title", "text")}
        for pair in scripts["pairs"].pairs_of(package, random.Random(5))
    ]


def rows() -> list[list[str]]:
    return [line.split("\t") for line in (FOLDER / "manifest.tsv").read_text(encoding="utf-8").splitlines()[1:]]


def test_every_kind_of_pair_is_cut_from_a_package(mined: list[dict[str, str]]) -> None:
    by_kind = {pair["kind"]: pair for pair in mined}
    assert by_kind.keys() == {"docstring", "comment", "test", "readme", "section", "module"}
    said = next(pair for pair in mined if pair["title"] == "renew" and pair["kind"] == "docstring")
    assert said["said"] == "Give a session more time before the user has to sign in again."
    assert "sign in again" not in said["text"]  # the answer does not hold the question
    assert "session.until = min" in said["text"]
    assert by_kind["comment"]["said"].startswith("Sessions that live forever")
    assert by_kind["test"]["title"] == "renew"
    assert "renew" not in by_kind["readme"]["said"]


def test_a_commit_message_is_paired_with_the_functions_it_changed(
    scripts: dict[str, ModuleType], tmp_path: Path
) -> None:
    changed = SESSIONS.replace("session.renewed = True", "session.renewed = now()")
    message = "Remember when somebody was last seen (#12)\n\nSigned-off-by: Somebody <a@example.org>"
    make_history(tmp_path, [("Begin", {"sessions.py": SESSIONS}), (message, {"sessions.py": changed})])
    package = scripts["gather"].Package("git", "a/b", "1", "MIT", {"sessions.py": changed}, tmp_path)
    found = [pair for pair in scripts["pairs"].pairs_of(package, random.Random(5)) if pair.kind == "commit"]
    assert [(pair.said, pair.title) for pair in found] == [("Remember when somebody was last seen", "renew")]


def test_what_is_excluded_is_refused_by_name_and_by_where_it_points(scripts: dict[str, ModuleType]) -> None:
    gather = scripts["gather"]
    excluded = gather.Excluded.read(FOLDER / "excluded.txt")
    for name in ("django/django", "Django", "@django/anything"):
        with pytest.raises(gather.RefusedError):
            excluded.check(name)
    with pytest.raises(gather.RefusedError, match="belongs to excluded"):
        excluded.check("another-name", "https://github.com/django/django.git")
    excluded.check("bottle", "https://github.com/bottlepy/bottle")


@pytest.mark.parametrize("licence", ["", "GPL-3.0", "MIT AND GPL-2.0", "Mozilla Public License", "Proprietary"])
def test_what_is_not_permissive_is_refused(scripts: dict[str, ModuleType], licence: str) -> None:
    with pytest.raises(scripts["gather"].RefusedError, match="licence"):
        scripts["gather"]._permitted(licence)


def test_the_manifest_is_what_the_list_of_sources_asks_for(scripts: dict[str, ModuleType]) -> None:
    listed = set(scripts["gather"].listed(FOLDER / "sources.toml"))
    assert listed == {(part, origin, name) for part, origin, name, *_ in rows()}


def test_nothing_excluded_and_nothing_unlicensed_went_in(scripts: dict[str, ModuleType]) -> None:
    gather = scripts["gather"]
    excluded = gather.Excluded.read(FOLDER / "excluded.txt")
    used = [row for row in rows() if not row[4].startswith(("refused", "failed"))]
    assert len(used) > 500
    for _, _, name, version, licence, *_ in used:
        excluded.check(name)
        gather._permitted(licence)
        assert version != "-"


NAMESAKES = {"apache/arrow"}  # columns in memory; the package for measuring of that name is about dates


def test_packages_for_tuning_and_measuring_are_not_trained_on() -> None:
    parts = {part: {row[2].rpartition("/")[2].lower() for row in rows() if row[0] == part and row[2] not in NAMESAKES}
             for part in ("train", "tune", "evaluate")}  # fmt: skip
    assert not parts["train"] & (parts["tune"] | parts["evaluate"])
    assert not parts["tune"] & parts["evaluate"]


def test_the_card_tells_the_numbers_of_the_manifest_and_of_the_file() -> None:
    card = (FOLDER / "MODEL_CARD.md").read_text(encoding="utf-8")
    kinds = {kind for row in rows() if row[0] == "train" for kind in (part.split("=")[0] for part in row[7].split())}
    assert all(f"| {kind} |" in card for kind in kinds)
    assert f"{SHIPPED.stat().st_size / 1e6:.0f} MB" in card


def test_mined_pairs_are_read_once_and_a_table_is_measured_on_them(
    scripts: dict[str, ModuleType], mined: list[dict[str, str]], tmp_path: Path
) -> None:
    lines = [json.dumps(pair) for pair in (*mined, *mined)]
    (tmp_path / "pypi-made.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    read = scripts["vocabulary"].load(tmp_path)
    assert len(read) == len(mined)
    told = scripts["measure"].measured(read, SHIPPED)
    assert told["docstring"] > 0
    assert all(0 <= value <= 1 for value in told.values())


def test_the_vocabulary_is_what_most_packages_use(scripts: dict[str, ModuleType], tmp_path: Path) -> None:
    pair = {"kind": "docstring", "lang": "python", "file": "a.py", "title": "read"}
    often = [pair | {"said": f"peculiar {number}", "text": f"peculiar text {number}"} for number in range(9)]
    (tmp_path / "pypi-one.jsonl").write_text("".join(json.dumps(each) + "\n" for each in often), encoding="utf-8")
    for name in ("two", "three"):
        text = json.dumps(pair | {"said": f"shared saying of {name}", "text": f"shared text of {name}"})
        (tmp_path / f"pypi-{name}.jsonl").write_text(text + "\n", encoding="utf-8")
    (tmp_path / "pypi-nothing.jsonl").write_text("", encoding="utf-8")
    counts = scripts["vocabulary"].Counts()
    assert len(scripts["vocabulary"].load(tmp_path, counts)) == 11
    assert counts.packages["read"] == 3
    chosen = counts.chosen(4)
    assert "shared" in chosen
    assert "peculiar" not in chosen


def test_the_ranking_is_fitted_where_the_model_was_not_trained(scripts: dict[str, ModuleType]) -> None:
    gather = scripts["gather"]
    ranked = (FOLDER.parent / "ranking" / "repositories.txt").read_text(encoding="utf-8").split()
    trained = {row[2].lower() for row in rows()}
    assert len(ranked) >= 50
    assert not {name.lower() for name in ranked} & trained
    assert not {name.partition("/")[2].lower() for name in ranked} & trained
    for name in ranked:
        assert name.lower() not in gather.Excluded.read(FOLDER / "excluded.txt").repositories


def test_what_is_nearly_the_same_as_something_kept_back_is_found(
    scripts: dict[str, ModuleType], mined: list[dict[str, str]], tmp_path: Path
) -> None:
    vocabulary = scripts["vocabulary"]
    renew = next(pair for pair in mined if pair["kind"] == "docstring")
    renamed = {**renew, "text": renew["text"].replace("LONGEST", "LARGEST")}
    other = next(pair for pair in mined if pair["kind"] == "section")
    for name, pairs in (("train", [renamed, other]), ("kept", [renew])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs), encoding="utf-8")
    train, kept = vocabulary.load(tmp_path / "train"), vocabulary.load(tmp_path / "kept")
    assert vocabulary.near_duplicates(train.code, kept.code).tolist() == [True, False]
