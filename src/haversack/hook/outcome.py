"""What a tool call was and how it ended, from the forms in which hosts report it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from haversack.patterns import lazily

FAILURES = frozenset({"PostToolUseFailure", "postToolUseFailure"})
RESULTS = ("tool_response", "tool_output", "tool_result", "error", "error_message")
SAID = ("stdout", "stderr", "output", "aggregated_output", "llmContent", "content", "text", "error", "message")
CODES = ("exit_code", "exitCode", "exit_status", "returnCode", "code")
DEEPEST = 4  # results are nested once or twice

_CODE = lazily(r"(?:exit(?:ed)?(?: with)?(?: (?:code|status)){1,2}:?|status code) +(-?\d{1,10})\b", re.IGNORECASE)


def outcome(event: str, payload: Mapping[str, object]) -> tuple[str, str, bool | None]:
    """The command of a tool call, what it printed, and whether it failed: None when nothing says."""
    said: list[str] = []
    codes: list[int] = []
    for name in RESULTS:
        _collect(payload.get(name), said, codes, DEEPEST)
    output = "\n".join(said)
    if not codes and (found := _CODE.search(output)):
        codes.append(int(found[1]))
    failed = True if event in FAILURES or any(codes) else False if codes else None
    return _command(payload.get("tool_input")), output, failed


def _command(given: object) -> str:
    if isinstance(given, str):
        given = _parsed(given)
    if not isinstance(given, Mapping):
        return ""
    command = given.get("command", given.get("cmd"))
    if isinstance(command, list):
        return " ".join(str(word) for word in command)
    return command if isinstance(command, str) else ""


def _collect(value: object, said: list[str], codes: list[int], depth: int) -> None:
    """Texts and exit codes, wherever they stand in a result."""
    if isinstance(value, str):
        inner = _parsed(value)
        if isinstance(inner, Mapping) and depth:
            _collect(inner, said, codes, depth - 1)
        elif value:
            said.append(value)
    elif isinstance(value, list) and depth:
        for each in value:
            _collect(each, said, codes, depth - 1)
    elif isinstance(value, Mapping) and depth:
        codes += [code for name in CODES if isinstance(code := value.get(name), int) and not isinstance(code, bool)]
        if isinstance(inner := value.get("metadata"), Mapping):
            _collect(inner, [], codes, depth - 1)
        for name in SAID:
            _collect(value.get(name), said, codes, depth - 1)


def _parsed(text: str) -> object:
    """What a text that looks like JSON holds; the text itself otherwise."""
    if not text.startswith("{"):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
