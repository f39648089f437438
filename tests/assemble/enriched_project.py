"""A project with something of every source, and the settings of seed 002 as they are written there."""

from __future__ import annotations

import json
from pathlib import Path

SEED = """
[enrichment]
# Global settings
default_budget_tokens = 24000
min_headroom_tokens = 4000

[enrichment.thresholds]
conversation = 0.3
research = 0.5
documentation = 0.4
code = 0.5
deployment = 0.6
logs = 0.7

[enrichment.sources.conversation]
enabled = true
threshold = 0.3
max_tokens = 4000
recent_messages_verbatim = 10
compress_older = true

[enrichment.sources.research]
enabled = true
threshold = 0.5
max_tokens = 4000
include_web_searches = true
include_agent_outputs = true

[enrichment.sources.documentation]
enabled = true
threshold = 0.4
max_tokens = 3000
always_include = ["project.md", "conventions.md"]

[enrichment.sources.code]
enabled = true
threshold = 0.5
max_tokens = 12000
include_types = true
include_tests = true
include_imports = true

[enrichment.sources.deployment]
enabled = true
threshold = 0.6
max_tokens = 2000
include_env_configs = true
include_k8s = true
redact_secrets = true

[enrichment.sources.logs]
enabled = true
threshold = 0.7
max_tokens = 3000
log_window_hours = 24
filter_noise = true
"""

TASK = "fix the crash: sign_in loses the session token when the login service restarts in production"

FILES = {
    "project.md": "# The shop\n\nWhat this project is about: selling shoes.\n",
    "conventions.md": "# Conventions\n\nNames are whole words.\n",
    "docs/login.md": "# Login\n\nHow sign_in opens a session and what happens to the session token on restarts.\n",
    "src/login.py": (
        "from src.tokens import make_token\n\n\ndef sign_in(name: str) -> str:\n"
        '    """Open a session for the login service."""\n    return make_token(name)\n'
    ),
    "src/tokens.py": "def make_token(name: str) -> str:\n    return name[::-1]\n",
    "src/session.pyi": "class Session:\n    token: str\n    def resume(self, login: str) -> None: ...\n",
    "tests/test_login.py": "from src.login import sign_in\n\n\ndef test_sign_in() -> None:\n    assert sign_in('a')\n",
    "research/sessions.md": "# Sessions\n\n## Conclusion\n\n- The session token of sign_in is lost on login restarts\n",
    "research/page.md": (
        "---\nurl: https://example.org/tokens\n---\n# Tokens\n\n## Conclusion\n\n"
        "- Keep the login session token on restarts\n"
    ),
    ".env": "LOGIN_SESSION_TOKEN_SECONDS=60\nLOGIN_SERVICE=production\n",
    "deploy/login.yaml": (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: login-service\nspec:\n  replicas: 2\n  template:\n"
        "    spec:\n      containers:\n        - name: login\n          image: shop/login-session:1\n"
    ),
    "login.log": "".join(
        f"2026-03-0{day}T10:00:0{n}Z ERROR sign_in lost the session token of login {n}\n"
        for day in (1, 3)
        for n in (1, 2)
    )
    + "2026-03-03T10:00:05Z DEBUG heartbeat ok\n" * 4,
}
WORDS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo", "lima"]
MESSAGES = [
    f"About {word}: the login session token is lost when sign_in restarts. {word} {' '.join(WORDS[n:])} " * (n + 1)
    for n, word in enumerate(WORDS)
]
"""The oldest first."""


def make(root: Path) -> Path:
    """The project's files, and what was said about it."""
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def talk(folder: Path) -> Path:
    """A transcript in that folder."""
    folder.mkdir(parents=True, exist_ok=True)
    said = [
        {"role": "user", "content": text, "timestamp": f"2026-03-02T10:{n:02}:00Z"} for n, text in enumerate(MESSAGES)
    ]
    (folder / "chat.jsonl").write_text("".join(json.dumps(each) + "\n" for each in said))
    return folder / "chat.jsonl"
