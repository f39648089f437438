"""A language model says which of the first pieces would be changed: asked once, never needed, and shown no secrets."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.answering import Model, answering
from tests.index.made import unit

from haversack import Haversack
from haversack.errors import ConfigError
from haversack.hook.desk import Desk
from haversack.receipt.packet import Packet
from haversack.retrieve.model_reader import LONGEST_PIECE, LONGEST_TASK, MOST_NAMED, asked, moved_up, named

TASK = "opening an account fails when the name is empty"
SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


@pytest.fixture
def model() -> Iterator[Model]:
    with answering() as said:
        said.answer = "[1]"
        yield said


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    for name, does in (("accounts", "open an account with a name"), ("letters", "write a letter"), ("bells", "ring")):
        (folder / f"{name}.py").write_text(f'def {name}(name):\n    """{does.capitalize()}."""\n    return name\n')
    return folder


def packed(root: Path, data: Path, model: Model | None, task: str = TASK) -> Packet:
    flags = {"index.reader.endpoint": model.endpoint, "index.reader.model": "small"} if model else {}
    with Haversack(root, data_dir=data, flags=flags) as project:
        return project.pack(task, budget=2_000)


def question(model: Model) -> str:
    messages = model.asked[-1]["messages"]
    assert isinstance(messages, list)
    return str(messages[-1]["content"])


def number_of(name: str, model: Model) -> int:
    return next(
        int(line[1 : line.index("]")])
        for line in question(model).splitlines()
        if line.startswith("[") and line.endswith(f" {name}")
    )


def code(packet: Packet) -> list[str]:
    return [item.path or "" for item in sorted(packet.items, key=lambda item: -item.score) if item.source == "code"]


def test_what_the_model_names_comes_first_and_the_receipt_says_who_read(
    root: Path, tmp_path: Path, model: Model
) -> None:
    assert code(packed(root, tmp_path / "data", None))[0] == "accounts.py"
    packed(root, tmp_path / "data", model)
    model.answer = f"Probably [{number_of('accounts', model)}]; no: [{number_of('bells', model)}]"
    packet = packed(root, tmp_path / "other", model)
    assert code(packet)[0] == "bells.py"
    told = packet.receipt.reranked
    assert told is not None
    assert (told.by, told.known) == ("small", 0)
    assert told.candidates == told.seen > 0


def test_the_same_question_is_asked_once(root: Path, tmp_path: Path, model: Model) -> None:
    first = packed(root, tmp_path / "data", model)
    again = packed(root, tmp_path / "data", model)
    assert again.text == first.text
    assert len(model.asked) == 1
    assert again.receipt.reranked is not None
    assert again.receipt.reranked.known == again.receipt.reranked.seen
    (root / "bells.py").write_text("def bells(name):\n    return None\n")
    packed(root, tmp_path / "data", model)
    assert len(model.asked) == 2, "another text is another question"


@pytest.mark.parametrize(
    ("answer", "status", "body", "said"),
    [
        ("I cannot say.", 200, None, "small answered without a list of numbers"),
        ("[1]", 500, None, "small did not answer: HTTP Error 500"),
        ("[1]", 302, None, "small did not answer: HTTP Error 302"),
        ("[1]", 200, b"no JSON", "small did not answer"),
        ("[1]", 200, b'{"choices": []}', "small did not answer"),
    ],
)
def test_without_an_answer_the_packet_is_as_it_would_be(
    root: Path, tmp_path: Path, model: Model, answer: str, status: int, body: bytes | None, said: str
) -> None:
    plain = packed(root, tmp_path / "plain", None)
    model.answer, model.status, model.body = answer, status, body
    packet = packed(root, tmp_path / "data", model)
    assert [(item.id, item.score) for item in packet.items] == [(item.id, item.score) for item in plain.items]
    assert packet.receipt.reranked is None
    problem = next(each for each in packet.receipt.problems if each.where == "index.reader")
    assert problem.what.startswith(said)
    assert problem.fix
    model.answer, model.status, model.body = "[1]", 200, None
    assert packed(root, tmp_path / "data", model).receipt.reranked is not None, "a failure is not kept"


def test_an_empty_list_changes_nothing(root: Path, tmp_path: Path, model: Model) -> None:
    plain = packed(root, tmp_path / "plain", None)
    model.answer = "[]"
    packet = packed(root, tmp_path / "data", model)
    assert [(item.id, item.score) for item in packet.items] == [(item.id, item.score) for item in plain.items]
    assert packet.receipt.reranked is not None


def test_secrets_are_not_sent(root: Path, tmp_path: Path, model: Model) -> None:
    (root / "accounts.py").write_text(f'def accounts(name):\n    token = "{SECRET}"\n    return token\n')
    packed(root, tmp_path / "data", model, f"{TASK}, as with {SECRET}")
    assert SECRET not in question(model)
    assert "accounts.py:1-3" in question(model)


def test_a_question_has_bounds() -> None:
    long = unit("a.py", "f", "x" * 10_000)
    told = asked("y" * 100_000, [(long, long.text)] * 3)
    assert len(told) < LONGEST_TASK + 3 * (LONGEST_PIECE + 100)
    assert told.count("…") == 3


def test_numbers_are_those_of_the_last_list_that_are_pieces_each_once() -> None:
    assert named("first [9], rather [3, 2, 3, 0, 99]", 5) == [3, 2]
    assert named("[3, 2]: [3] opens accounts, [2] calls it", 5) == [3, 2]
    assert named("[ ]", 5) == []
    assert named("none of them", 5) is None
    assert named("[1.5]", 5) is None
    assert named(str(list(range(1, 60))), 60) == list(range(1, MOST_NAMED + 1))


def test_who_is_named_is_ahead_of_all_others_in_that_order() -> None:
    ranked = {10: 1.0, 11: 0.9, 12: 0.5, 13: 0.1}
    found = moved_up([13, 11], ranked)
    assert sorted(found, key=lambda position: -found[position]) == [13, 11, 10, 12]
    assert max(found.values()) == found[13] == 1.0
    assert found[12] / found[10] == pytest.approx(0.5), "among the others nothing changes"
    assert moved_up([], ranked) == ranked


def program(folder: Path, text: str) -> str:
    file = folder / "program.py"
    file.write_text(text)
    return f"{sys.executable} {file}"


def test_a_command_may_answer_and_does_not_run_in_the_project(root: Path, tmp_path: Path) -> None:
    says = "import os, sys\nassert os.listdir() == []\nopen(sys.argv[1], 'w').write(sys.stdin.read())\nprint('[1]')\n"
    command = f"{program(tmp_path, says)} '{tmp_path / 'the question'}'"
    with Haversack(root, data_dir=tmp_path / "data", flags={"index.reader.command": command}) as project:
        told = project.pack(TASK, budget=2_000).receipt.reranked
    assert told is not None
    assert told.by == Path(sys.executable).name
    question = (tmp_path / "the question").read_text()
    assert question.startswith("A developer is to do the task below")
    assert "accounts.py:1-3" in question


@pytest.mark.parametrize(
    ("says", "said"),
    [
        ("import sys\nprint('no key', file=sys.stderr)\nsys.exit(3)\n", "did not answer: no key"),
        ("import time\ntime.sleep(60)\n", "did not answer: it took longer than 0.5 seconds"),
        ("import os, time\nos.fork()\ntime.sleep(20)\n", "did not answer: it took longer than 0.5 seconds"),
        ("raise SystemExit(7)\n", "did not answer: exit code 7"),
        ("print('I would rather not.')\n", "answered without a list of numbers"),
    ],
)
def test_a_command_that_fails_is_told_by_its_last_words(root: Path, tmp_path: Path, says: str, said: str) -> None:
    flags = {"index.reader.command": program(tmp_path, says), "index.reader.timeout_seconds": 0.5}
    if "sleep" not in says:
        flags["index.reader.timeout_seconds"] = 60.0
    with Haversack(root, data_dir=tmp_path / "data", flags=flags) as project:
        packet = project.pack(TASK, budget=2_000)
    assert code(packet)[0] == "accounts.py"
    assert any(said in each.what for each in packet.receipt.problems if each.where == "index.reader")


@pytest.mark.parametrize("command", ["no-such-program-here", "'unbalanced", " "])
def test_a_command_that_cannot_be_run_breaks_no_packet(root: Path, tmp_path: Path, command: str) -> None:
    with Haversack(root, data_dir=tmp_path / "data", flags={"index.reader.command": command}) as project:
        packet = project.pack(TASK, budget=2_000)
    assert code(packet)[0] == "accounts.py"
    assert [each.where for each in packet.receipt.problems].count("index.reader") == bool(command.strip())


def test_whoever_waits_sees_for_how_long(root: Path, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    command = program(tmp_path, "import time\ntime.sleep(0.5)\nprint('[1]')\n")
    flags = {"index.reader.command": command, "index.reader.model": "slow"}
    with Haversack(root, data_dir=tmp_path / "data", flags=flags, progress=lambda *told: seen.append(told)) as project:
        project.pack(TASK, budget=2_000)
    assert ("slow reads", 0, 60) in seen
    assert seen[-1] == ("", 0, 0)


def test_a_project_cannot_have_its_text_sent_anywhere(root: Path, tmp_path: Path) -> None:
    for line in ('endpoint = "https://example.org/v1"', 'command = "curl https://example.org"'):
        (root / "haversack.toml").write_text(f"[index.reader]\n{line}\n")
        with pytest.raises(ConfigError, match=r"index\.reader\.(endpoint|command)"):
            Haversack(root, data_dir=tmp_path / "data")


def test_a_prompt_does_not_wait_for_a_model(root: Path, model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAVERSACK_INDEX__READER__ENDPOINT", model.endpoint)
    monkeypatch.setenv("HAVERSACK_INDEX__READER__MODEL", "small")
    monkeypatch.setenv("HAVERSACK_INDEX__READER__COMMAND", "true")
    desk = Desk()
    project, _ = desk._project(root)
    assert project.reranker is None
    desk.close()
    with Haversack(root) as asked_for:
        assert asked_for.reranker is not None


def test_the_doctor_asks_whether_it_is_there(root: Path, tmp_path: Path, model: Model) -> None:
    flags = {"index.reader.endpoint": model.endpoint, "index.reader.model": "small"}
    with Haversack(root, data_dir=tmp_path / "data", flags=flags) as project:
        assert next(each for each in project.doctor() if each.name == "reader").state == "ok"
        model.status = 500
        found = next(each for each in project.doctor() if each.name == "reader")
    assert found.state == "problem"
    assert "small did not answer" in found.message
    assert found.fix
