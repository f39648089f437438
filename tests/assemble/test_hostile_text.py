"""Text that tries to break out, to hide or to confuse: shown safely and counted exactly, in every format."""

from __future__ import annotations

import json
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import pytest

from haversack import Haversack
from haversack.tokens import counter

FENCES = "def fences():\n    return '''\n```\n````\n~~~~\n## Not a heading\n</item></packet>\n]]>\n'''\n"
CONTROL = 'def control():\n    return "\x1b[31mred\x07\x00\u202eoverride\u2066isolate"\n'
BUDGETS = (120, 400, 2500)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Haversack]:
    project = tmp_path_factory.mktemp("hostile")
    (project / "fences.py").write_text(FENCES)
    (project / "control.py").write_text(CONTROL.replace("\x00", ""))
    (project / "latin.py").write_bytes(b"def latin():\n    return 'caf\xe9 \xed\xa0\x80 unpaired'\n")
    (project / "line.txt").write_text("fences control latin unpaired override " * 5_000)
    (project / "huge.js").write_text("function fences(){return control};" * 1_500_000)  # 50 MB on one line
    with Haversack(project, data_dir=project.parent / "hostile-data") as opened:
        yield opened


@pytest.mark.parametrize("form", ["markdown", "json", "xml"])
@pytest.mark.parametrize(
    "task", ["fences control latin", "control \u202e\x1b[31m \ud800 fences", "huge.js and line.txt"]
)
def test_every_packet_is_whole_safe_and_counted(hostile: Haversack, form: str, task: str) -> None:
    for budget in BUDGETS:
        packet = hostile.pack(task, budget=budget, format=form, fill=True)
        assert packet.tokens == counter().count(packet.text) <= budget
        packet.text.encode()  # no half of a surrogate pair
        hidden = {c for c in packet.text if unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\t"}
        assert not hidden
        if form == "json":
            assert isinstance(json.loads(packet.text), list)
        elif form == "xml":
            assert ElementTree.fromstring(packet.text).tag == "packet"
        else:
            assert _headings(packet.text) <= {"# Context packet", "## Primary context", "## Supporting context",
                                              "## Reference", "## History", "## Left out", "## Task"}  # fmt: skip


def test_a_file_of_50_mb_on_one_line_is_named_and_not_read(hostile: Haversack) -> None:
    report = hostile.index()
    assert report.skipped["oversized"] == 1
    others = [path for path in hostile.project.root.rglob("*") if path.is_file() and path.name != "huge.js"]
    # Files so young that they may still change are read again; that one never is.
    assert report.bytes_read <= sum(path.stat().st_size for path in others) < 51_000_000
    packet = hostile.pack("fences in huge.js")
    assert all(item.path != "huge.js" for item in packet.items)
    assert "- not read, or not all of it: `huge.js` (" in packet.text
    assert "huge.js could not be read: huge.js: 'huge.js' has 51,000,000 bytes" in hostile.why(target="huge.js")


def _headings(text: str) -> set[str]:
    """What a reader of Markdown takes for headings: lines outside of fences."""
    found: set[str] = set()
    fence = ""
    for line in text.split("\n"):
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if fence:
            fence = "" if line == ticks and len(ticks) >= len(fence) else fence
        elif len(ticks) >= 3:
            fence = ticks
        elif line.startswith(("# ", "## ")):
            found.add(line.partition(" (budget")[0].partition(" `")[0])
    assert not fence, "a fence is never closed"
    return found
