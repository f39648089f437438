"""Histories and tasks nobody would wish for: a sensible packet, an honest certificate, and it does not take forever."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from haversack import Haversack
from haversack.evaluate.measure import files_by_score
from haversack.index.units import UnitReader
from haversack.receipt.packet import Packet
from haversack.retrieve.candidates import Gatherer
from haversack.retrieve.understand import understand
from tests.histories import git, make_history

LEDGER = '"""Entries."""\n\n\ndef post(entry):\n    """Write it down."""\n    return [entry]\n'
BASKET = '"""Goods."""\n\n\ndef gather(thing):\n    """Take it along."""\n    return [thing]\n'
VOUCHER = '"""Rebates."""\n\n\ndef redeem(code):\n    """Make it cheaper."""\n    return [code]\n'
FILES: Mapping[str, str] = {"shop/ledger.py": LEDGER, "shop/basket.py": BASKET, "shop/voucher.py": VOUCHER}


def touched(text: str, number: int) -> str:
    return text.replace("return [", f"return [{number}, ")


def packed(root: Path, task: str, budget: int = 1_000) -> Packet:
    with Haversack(root, data_dir=root.parent / "data") as project:
        packet = project.pack(task, budget=budget)
    assert packet.tokens <= budget
    return packet


def code(packet: Packet) -> list[str]:
    return [path for path in files_by_score(packet) if path.endswith(".py")]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    return root


def test_before_the_first_commit_there_is_a_packet(root: Path) -> None:
    git(root, "init", "-q")
    (root / "shop").mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    packet = packed(root, "redeem a voucher code twice")
    assert code(packet)[0] == "shop/voucher.py"
    assert packet.certificate is not None
    assert packet.certificate.completeness is not None


def test_a_shallow_clone_uses_the_history_it_has(root: Path, tmp_path: Path) -> None:
    changes = [("Begin", FILES), ("Teach the quagga to sing", {"shop/ledger.py": touched(LEDGER, 1)}), ("Stop", {})]
    make_history(root, changes)
    git(tmp_path, "clone", "-q", "--depth", "3", root.as_uri(), "shallow")  # of the last one its files are not known
    packet = packed(tmp_path / "shallow", "the quagga sings out of tune")
    assert code(packet)[0] == "shop/ledger.py", "the commit that is there says which file has to do with a quagga"
    git(tmp_path, "clone", "-q", "--depth", "1", root.as_uri(), "shallowest")
    assert packed(tmp_path / "shallowest", "redeem a voucher code twice").items


def test_of_fifty_thousand_commits_the_newest_are_read(root: Path) -> None:
    changes: list[tuple[str, Mapping[str, str | None]]] = [("Begin", FILES)]
    changes += [("Count the zebras of the steppe", {"shop/basket.py": touched(BASKET, 1)})]
    changes += [("Turn the wheel once more", {}) for _ in range(50_000)]
    changes += [("Teach the quagga to sing", {"shop/ledger.py": touched(LEDGER, 1)})]
    make_history(root, changes)
    flags = {"index.commits_limit": 300}
    with Haversack(root, data_dir=root.parent / "data", flags=flags) as project:
        packet = project.pack("the quagga sings out of tune", budget=1_000)
        known = project.store.snapshot().sources["commits"]
    assert code(packet)[0] == "shop/ledger.py"
    assert int(known.sum()) == 300


def test_a_commit_of_ten_thousand_files_drowns_nothing(root: Path) -> None:
    flood = {f"gen/f{number}.txt": "x" for number in range(10_000)}
    make_history(
        root,
        [
            ("Begin", FILES),
            ("Teach the quagga to sing", {"shop/ledger.py": touched(LEDGER, 1)}),
            ("The quagga sings in every generated file", flood),
            ("No generated files any more", dict.fromkeys(flood)),
        ],
    )
    packet = packed(root, "the quagga sings out of tune")
    assert code(packet)[0] == "shop/ledger.py"
    assert not [item for item in packet.items if item.path and item.path.startswith("gen/")]


@pytest.mark.parametrize(
    ("message", "task"),
    [
        ("账本记录重复时删除旧的条目", "账本条目重复了"),
        ("帳簿の重複した項目を削除する", "帳簿に重複した項目がある"),
        ("Удалять повторные записи журнала", "Повторные записи остаются в журнале"),
        ("장부에서 중복 항목을 삭제", "장부에 중복 항목이 남는다"),
        ("حذف القيود المكررة من الدفتر", "القيود المكررة تبقى في الدفتر"),
    ],
)
def test_words_of_any_script_lead_to_the_files_they_changed(root: Path, message: str, task: str) -> None:
    make_history(
        root,
        [
            ("Begin", FILES),
            (message, {"shop/ledger.py": touched(LEDGER, 1)}),
            ("Gather twice", {"shop/basket.py": touched(BASKET, 1)}),
            ("Redeem twice", {"shop/voucher.py": touched(VOUCHER, 1)}),
        ],
    )
    with Haversack(root, data_dir=root.parent / "data") as project:
        packet = project.pack(task, budget=1_000)
        reader = UnitReader(project.store, project.store.snapshot())
        positions, columns = Gatherer(project.store, project.embedder).evidence(understand(task), reader)
        led = {unit.path for unit, led in zip(reader.at(positions), columns["history"], strict=True) if led}
    assert led == {"shop/ledger.py"}, "its words were said when this file was changed, and no other"
    assert "shop/ledger.py" in code(packet)
    assert next(item.title for item in packet.items if not item.path) == message


def test_history_follows_a_file_to_its_new_name(root: Path) -> None:
    text = touched(LEDGER, 1)
    make_history(
        root,
        [
            ("Begin", {**FILES, "shop/other.py": BASKET.replace("gather", "collect")}),
            ("Teach the quagga to sing", {"shop/ledger.py": text}),
            ("Books have a place of their own", {"shop/ledger.py": None, "accounts/books.py": text}),
            ("And another", {"accounts/books.py": None, "office/journal.py": text}),
        ],
    )
    assert code(packed(root, "the quagga sings out of tune"))[0] == "office/journal.py"


@pytest.mark.parametrize("task", ["ledger", "voucher", "redeem"])
def test_one_word_is_a_task(root: Path, task: str) -> None:
    make_history(root, [("Begin", FILES)])
    packet = packed(root, task)
    wanted = "shop/ledger.py" if task == "ledger" else "shop/voucher.py"
    assert code(packet)[0] == wanted
    assert packet.certificate is not None
    assert packet.certificate.completeness == 1.0


def test_a_task_of_a_hundred_kilobytes_is_read_for_what_it_says(root: Path) -> None:
    make_history(root, [("Begin", FILES)])
    log = "\n".join(f"12:00:{n % 60:02} worker {n} took item {n * 31} in {n % 97} ms" for n in range(2_200))
    packet = packed(root, f"redeem() takes a voucher code twice\n\n{log}\nTypeError: code is missing"[:100_000])
    assert code(packet)[0] == "shop/voucher.py"
    assert len(log) > 90_000


@pytest.mark.parametrize("task", ["x" * 100_000, "(" * 100_000, "a b " * 25_000, "`a`" * 33_000])
def test_a_hundred_kilobytes_of_nothing_are_a_task_too(root: Path, task: str) -> None:
    make_history(root, [("Begin", FILES)])
    packet = packed(root, task)
    assert packet.certificate is not None
    assert not packet.certificate.completeness, "nothing of it is there, and nothing else is claimed"


def test_of_files_that_do_not_exist_the_certificate_says_so(root: Path) -> None:
    make_history(root, [("Begin", FILES)])
    packet = packed(root, "frobnicate() in shop/void.py and src/gone/widgets.py raises ZorkError")
    assert packet.certificate is not None
    missing = {gap.text: gap.cause for gap in packet.certificate.gaps}
    for name in ("shop/void.py", "src/gone/widgets.py", "frobnicate", "ZorkError"):
        assert missing[name] == "nothing found"
    assert packet.certificate.completeness is not None
    assert packet.certificate.completeness < 0.5
    assert "shop/void.py" not in {item.path for item in packet.items}
