"""A language model behind an OpenAI-compatible address, when the user has configured one."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Final

from haversack.errors import ModelError

if TYPE_CHECKING:
    from urllib.request import OpenerDirector

    from haversack.config.settings import ModelSettings

LARGEST_ANSWER: Final = 1 << 20


class LanguageModel:
    """Answers one question at a time; `key` is what its answers depend on beside the question."""

    def __init__(self, settings: ModelSettings) -> None:
        self.name = settings.model or ""
        self.timeout = settings.timeout_seconds
        self._endpoint = (settings.endpoint or "").rstrip("/")
        self._secret = os.environ.get(settings.key_variable, "") if settings.key_variable else ""
        self.key = f"{self.name} {self._endpoint}"

    def ask(self, instruction: str, text: str, most_tokens: int) -> str:
        """The answer; ModelError when there is none."""
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
        try:
            with _opener().open(asked, timeout=self.timeout) as answer:
                said = json.loads(answer.read(LARGEST_ANSWER))
            return str(said["choices"][0]["message"]["content"])
        except Exception as error:  # a network, a server and its JSON may fail in any way; no packet depends on them
            hint = "see whether it runs and answers, or unset its endpoint"
            raise ModelError(f"{self.name} did not answer: {error or type(error).__name__}", hint=hint) from error


def _opener() -> OpenerDirector:
    """One that follows no redirection: what is sent goes where the user said and nowhere else."""
    from urllib.request import HTTPRedirectHandler, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    return build_opener(Stay)
