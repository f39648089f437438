"""All that can be wrong with what runs beside a project, at once: the packet is there and its receipt names each."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from haversack import Haversack
from haversack.sources.conversation.formats.claude import slug

TRACE = """Traceback (most recent call last):
  File "/srv/app/shop/prices.py", line 2, in parse_amount
    return float(text)
ValueError: could not convert string to float: '1.234,50'
"""
STAMPS = (
    "2026-11-15T10:00:00.250Z", "2026-11-15 10:00:01,500", "[15/Nov/2026:10:00:02 +0000]", "Nov 15 10:00:03",
    "1794736804",
)  # fmt: skip
BOMB = "apiVersion: v1\nkind: ConfigMap\na: &b0 [x, x, x, x]\n" + "".join(
    f"b{n}: &b{n} [*b{n - 1}, *b{n - 1}, *b{n - 1}]\n" for n in range(1, 400)
)
TASK = "the checkout of k8s/bomb.yaml and k8s/template.yaml crashes with ValueError: could not convert string to float"


def write(root: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root, home = tmp_path / "shop", tmp_path / "home"
    good = json.dumps(
        {
            "type": "user",
            "cwd": str(root),
            "uuid": "a",
            "parentUuid": None,
            "sessionId": "s",
            "timestamp": "2026-11-15T09:00:00Z",
            "message": {"role": "user", "content": "Use euros."},
        }
    )
    write(
        root,
        {
            "shop/prices.py": "def parse_amount(text):\n    return float(text)\n",
            "logs/cut.jsonl": '{"time":"2026-11-15T10:00:00Z","level":"error","msg":"checkout"}\n' * 5
            + '{"level":"err',
            "logs/long.log": "2026-11-15 10:00:00 ERROR " + "x" * 3_000_000 + "\n2026-11-15 10:00:01 INFO after\n",
            "logs/binary.log": random.Random(3).randbytes(5000),
            "logs/times.log": "".join(f"{stamp} ERROR checkout failed\n" for stamp in STAMPS),
            "logs/timeless.log": "ERROR checkout failed\n" + TRACE,
            "junit.xml": '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">]><testsuite>&a;</testsuite>',
            "k8s/bomb.yaml": BOMB,
            "k8s/template.yaml": "apiVersion: v1\nkind: {{ .Kind }}\n{{ range .x }}\n- {{ . }}\n{{ end }}\n",
        },
    )
    write(
        home,
        {
            f".claude/projects/{slug(str(root))}/s.jsonl": f'{good}\n{{"type":"user","cw\n{good}\n{good[:60]}',
            ".local/share/opencode/opencode.db": b"",
        },
    )
    return root


def test_each_is_named_in_the_receipt_and_the_rest_is_in_the_packet(shop: Path, tmp_path: Path) -> None:
    database = tmp_path / "home/.local/share/opencode/opencode.db"
    with closing(sqlite3.connect(database)) as writer:
        writer.execute("CREATE TABLE session (id TEXT)")
        writer.execute("BEGIN EXCLUSIVE")
        flags = {"sources.conversation.home": str(tmp_path / "home")}
        with Haversack(shop, data_dir=tmp_path / "data", flags=flags) as haversack:
            packet = haversack.pack(TASK, budget=4000, type="bug")
    said = {Path(each.where).name: each.what for each in packet.receipt.problems}
    assert {name: what for name, what in said.items() if name != "opencode.db"} == {
        "s.jsonl": "line 2 is no JSON and left out",
        "junit.xml": "it has a document type, which may hide entities; it is not read",
        "binary.log": "is not text",
        "cut.jsonl": "1 lines are not complete json lines, the first is line 6",
        "long.log": "line 1 is too long: only its beginning is read",
        "timeless.log": "no line says when it was written; all of it counts as recent",
        "bomb.yaml": "refers to its own anchors all over; it is shown as written, not expanded",
        "template.yaml": "is a template; it is shown as written, without what fills it",
    }
    assert "database is locked" in said["opencode.db"]
    assert "ValueError: could not convert string to float" in packet.text, "the trace"
    assert "def parse_amount" in packet.text, "the code it leads to"
    assert "Use euros." in packet.text, "what was said"


def test_times_in_five_notations_are_one_pattern_from_the_first_to_the_last(shop: Path, tmp_path: Path) -> None:
    with Haversack(shop, data_dir=tmp_path / "data", flags={"sources.conversation.home": str(tmp_path)}) as haversack:
        haversack.index()
        unit = haversack.show("logs/times.log")
    assert "5 errors, 0 warnings, 0 stack traces (2026-11-15 10:00:00 to 2026-11-15 10:00:04)" in unit.title
    assert unit.text == "5× error checkout failed"
