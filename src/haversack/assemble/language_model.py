"""A language model behind an OpenAI-compatible address or a command, when the user has configured one."""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING, Final

from haversack.errors import ModelError
from haversack.safe import one_line

if TYPE_CHECKING:
    from urllib.request import OpenerDirector

    from haversack.config.settings import ModelSettings

LARGEST_ANSWER: Final = 1 << 20


class LanguageModel:
    """Answers one question at a time; `key` is what its answers depend on beside the question."""

    def __init__(self, settings: ModelSettings) -> None:
        self._command = (settings.command or "").strip()
        self._endpoint = (settings.endpoint or "").rstrip("/")
        self._secret = os.environ.get(settings.key_variable, "") if settings.key_variable else ""
        self.timeout = settings.timeout_seconds
        self.name = settings.model or os.path.basename(self._command.partition(" ")[0])
        self.key = f"{self.name} {self._command or self._endpoint}"

    def ask(self, instruction: str, text: str, most_tokens: int) -> str:
        """The answer; ModelError when there is none."""
        try:
            return self._run(instruction, text) if self._command else self._post(instruction, text, most_tokens)
        except Exception as error:  # a network, a program and their answers may fail in any way; no packet needs them
            hint = "see whether it runs and answers, give it more time (timeout_seconds), or unset it"
            raise ModelError(f"{self.name} did not answer: {_said(error)}", hint=hint) from error

    def _run(self, instruction: str, text: str) -> str:
        import subprocess
        from tempfile import TemporaryDirectory

        # Not in the project: an agent's program would read its instructions and run its hooks.
        with TemporaryDirectory() as nowhere:
            done = subprocess.run(
                shlex.split(self._command),
                input=f"{instruction}\n\n{text}".encode("utf-8", "replace"),
                capture_output=True,
                timeout=self.timeout,
                cwd=nowhere,
                check=True,
            )
        return done.stdout[:LARGEST_ANSWER].decode("utf-8", "replace")

    def _post(self, instruction: str, text: str, most_tokens: int) -> str:
        from urllib.request import Request

        body = {
            "model": self.name,
            "temperature": 0,
            "seed": 0,
            "max_tokens": most_tokens,
            "messages": [{"role": "system", "content": instruction}, {"role": "user", "content": text}],
        }
        headers = {"Content-Type": "application/json"}
        if self._secret:
            headers["Authorization"] = f"Bearer {self._secret}"
        asked = Request(f"{self._endpoint}/chat/completions", json.dumps(body).encode(), headers, method="POST")
        with _opener().open(asked, timeout=self.timeout) as answer:
            said = json.loads(answer.read(LARGEST_ANSWER))
        return str(said["choices"][0]["message"]["content"])


def _said(error: Exception) -> str:
    """What went wrong; of a program its last words."""
    words = getattr(error, "stderr", None)
    last = words.decode("utf-8", "replace").strip().rpartition("\n")[2] if isinstance(words, bytes) else ""
    return one_line(last or str(error) or type(error).__name__)


def _opener() -> OpenerDirector:
    """One that follows no redirection: what is sent goes where the user said and nowhere else."""
    from urllib.request import HTTPRedirectHandler, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    return build_opener(Stay)
