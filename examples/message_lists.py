"""A packet in the message lists of the Anthropic and the OpenAI clients; no framework needed.

    python examples/message_lists.py "fix the redirect after login"

The dictionaries are the arguments of the call: `Anthropic().messages.create(**request)`,
`OpenAI().chat.completions.create(**request)`. Nothing is sent here.
"""

from __future__ import annotations

import json
import sys

from haversack import Haversack, Packet


def anthropic_request(packet: Packet, model: str = "claude-opus-4-5") -> dict[str, object]:
    """The packet as a system block that the prompt cache keeps, the task as the user's words."""
    context = {"type": "text", "text": packet.text, "cache_control": {"type": "ephemeral"}}
    return {
        "model": model,
        "max_tokens": 4096,
        "system": [{"type": "text", "text": "You work on the project of the user."}, context],
        "messages": [{"role": "user", "content": packet.task}],
    }


def openai_request(packet: Packet, model: str = "gpt-5") -> dict[str, object]:
    """The same for OpenAI: what stays the same comes first, because caches there go by prefix."""
    return {
        "model": model,
        "messages": [
            {"role": "developer", "content": "You work on the project of the user."},
            {"role": "user", "content": [{"type": "text", "text": packet.text}, {"type": "text", "text": packet.task}]},
        ],
    }


def main(task: str) -> None:
    """Print both requests."""
    with Haversack(".") as project:
        packet = project.pack(task, budget=4000)
    print(json.dumps(anthropic_request(packet), indent=2))
    print(json.dumps(openai_request(packet), indent=2))


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]) or "fix the redirect after login")
