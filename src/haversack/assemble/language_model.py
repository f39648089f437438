"""A language model behind an OpenAI-compatible address or a command, when the user has configured one."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
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
        self.name = settings.model or Path(self._command.partition(" ")[0]).name
        self.key = f"{self.name} {self._command or self._endpoint}"

    def ask(self, instruction: str, text: str, most_tokens: int) -> str:
        """The answer; ModelError when there is none."""
        try:
            return self._run(instruction, text) if self._command else self._post(instruction, text, most_tokens)
        except Exception as error:  # a network, a program and their answers may fail in any way; no packet needs them
            hint = "see whether it runs and answers, give it more time (timeout_seconds), or unset it"
            said = one_line(str(error)) or type(error).__name__
            raise ModelError(f"{self.name} did not answer: {said}", hint=hint) from error

    def _run(self, instruction: str, text: str) -> str:
        import subprocess
        from tempfile import TemporaryDirectory

        # Through files: a pipe would be waited for as long as anything that the program started holds it.
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            question, answer, complaint = (Path(folder, name) for name in ("question", "answer", "complaint"))
            question.write_text(f"{instruction}\n\n{text}", encoding="utf-8", errors="replace")
            # Not in the project: an agent's program would read its instructions and run its hooks.
            nowhere = Path(folder, "nowhere")
            nowhere.mkdir()
            with question.open("rb") as asked, answer.open("wb") as said, complaint.open("wb") as complained:
                try:
                    done = subprocess.run(
                        shlex.split(self._command),
                        stdin=asked,
                        stdout=said,
                        stderr=complained,
                        timeout=self.timeout,
                        cwd=nowhere,
                        check=False,
                    )
                except subprocess.TimeoutExpired as error:  # which would tell the whole command
                    raise TimeoutError(f"it took longer than {self.timeout:g} seconds") from error
            if done.returncode:
                raise RuntimeError(_beginning(complaint).strip().rpartition("\n")[2] or f"exit code {done.returncode}")
            return _beginning(answer)

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


def _beginning(file: Path) -> str:
    with file.open("rb") as said:
        return said.read(LARGEST_ANSWER).decode("utf-8", "replace")


def _opener() -> OpenerDirector:
    """One that follows no redirection: what is sent goes where the user said and nowhere else."""
    from urllib.request import HTTPRedirectHandler, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    return build_opener(Stay)
