"""Packets as a stranger checks them: the campaign of bench/opened.py on a small project with things hard to quote."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from msgspec.structs import replace

from haversack import Haversack
from tests import sample

OPENED = runpy.run_path(str(Path(__file__).parents[1] / "bench" / "opened.py"))
TASK = "Users are logged out although refresh_session in shop/session.py should renew an expired session"
STEPS = "".join(f"    session.note({number}, 'a step of the session that is renewed')\n" for number in range(40))
FILES = {
    "shop/long.py": f'"""Renews."""\n\n\ndef renew_session(session):\n    """Renew."""\n{STEPS}    return session\n',
    "shop/one_line.py": "SESSIONS = [" + "'expired session', " * 3000 + "]\n",
    "docs/session.md": "# Session\n\n"
    + "A session expires. It is renewed by `refresh_session`. ~~~\n\n````\n```\nsession\n" * 9,
    "docs/fences.rst": "Session\n=======\n\n````\n```\n~~~\n\n.. code::\n\n    refresh_session()\n",
    "shop/windows.py": "def refresh_session_again(session):\r\n    return session\r\n",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = sample.make(tmp_path_factory.mktemp("opened") / "shop")
    for path, text in FILES.items():
        sample.write(root, path, text)
    return root


@pytest.mark.parametrize("form", OPENED["FORMATS"])
@pytest.mark.parametrize("overflow", ["prioritize", "summarize", "truncate"])
def test_every_citation_opens_and_says_what_the_packet_says(
    project: Path, tmp_path: Path, form: str, overflow: str
) -> None:
    with Haversack(project, data_dir=tmp_path) as haversack:
        for budget in (60, 150, 400, 900, 2000, 6000):
            counted = "cl100k" if budget == 900 else "o200k"
            packet = haversack.pack(TASK, budget=budget, format=form, counter=counted, overflow=overflow)
            assert OPENED["faults"](project, packet, budget, form) == []
    assert {item.source for item in packet.items} >= {"code", "docs", "commits"}


@pytest.mark.parametrize("level", ["full", "light", "detailed", "summary", "stub"])
def test_every_level_stands_where_it_says(project: Path, tmp_path: Path, level: str) -> None:
    item, fault = OPENED["Item"], OPENED["fault"]
    with Haversack(project, data_dir=tmp_path) as haversack:
        for path in ("shop/long.py", "shop/cart.py", "web/cart.ts", "shop/windows.py"):
            text = haversack.summarize(path, level).text
            assert fault(project, item(path, f"code file, {level}", text)) == ""


@pytest.mark.parametrize("change", ["a word", "a line", "a number", "a token"])
def test_the_check_notices_a_packet_that_is_wrong(project: Path, tmp_path: Path, change: str) -> None:
    with Haversack(project, data_dir=tmp_path) as haversack:
        packet = haversack.pack(TASK, budget=2000)
    text = packet.text
    wrong = {
        "a word": replace(packet, text=text.replace("Give the user a new", "Give the user one new")),
        "a line": replace(packet, text=text.replace("        return Session(session.user)\n", "")),
        "a number": replace(packet, text=re.sub(r"(?<=^### `shop/session.py:)\d+", "2", text, flags=re.MULTILINE)),
        "a token": replace(packet, tokens=packet.tokens - 1),
    }[change]
    assert wrong != packet
    assert OPENED["faults"](project, wrong, 2000, "markdown")


@pytest.mark.parametrize("steps", [1, 40])
def test_a_file_that_is_one_function_is_shown_once_and_whole(tmp_path: Path, steps: int) -> None:
    root = sample.make(tmp_path / "shop")
    body = "".join(f"    session.note({number}, 'renewed')\n" for number in range(steps))
    sample.write(root, "shop/renewal.py", f"def renewal(session):\n{body}")
    with Haversack(root, data_dir=tmp_path / "data") as haversack:
        packet = haversack.pack("the renewal of a session is noted wrongly", budget=6000)
    shown = [item for item in packet.items if item.path == "shop/renewal.py"]
    assert [str(item.level) for item in shown] == ["full"]
    assert body in packet.text
