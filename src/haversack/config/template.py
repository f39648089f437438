"""The file `haversack init` writes: every setting with what it does and its default, commented out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import wrap

from haversack.config.kinds import plain
from haversack.config.settings import TREE
from haversack.config.tree import Group, Setting

WIDTH = 100

HEAD = """\
haversack.toml: settings of this project. Every line is a comment that shows the default, or an example where the \
default is unset; remove the '#' to set it. \
A value here gives way to the environment (HAVERSACK_BUDGET=16000) and to flags (--budget 16000), and takes precedence \
over your own file. `haversack config` shows every value and where it comes from.\
"""

EXAMPLES = """\
# Sections and shares of your own; choose them with preset = "mine" under [pack].
# [presets.mine]
# extends = "task"
# [presets.mine.sections.primary]
# weight = 70
# threshold = 0.6
# [presets.mine.sections.reference]
# weight = 30
# cap = "40%"

# Weights of your own; choose them with profile = "mine" under [pack].
# [profiles.mine]
# extends = "default"
# [profiles.mine.weights]
# task_alignment = 0.6
# recency = 0.4
"""

SHOWN = ("project", "index", "sources", "pack", "relevance", "levels", "hook")
"""Tables that have defaults to show; presets and profiles are the user's own and shown by example."""


WORDS = ("description", "use_when", "notes")
"""Settings that hold the user's own words and have nothing to show."""


def commented() -> str:
    """A settings file that changes nothing and says everything."""
    blocks = ["\n".join(_comment(HEAD))]
    said: set[str] = set()
    for name in SHOWN:
        group = TREE.children[name]
        if isinstance(group, Group):
            blocks += _tables(group, name, said)
    return "\n\n".join(blocks) + "\n\n" + EXAMPLES


def _tables(group: Group, path: str, said: set[str]) -> Iterator[str]:
    """The table and those inside it. What was `said` once is not said again."""
    lines = _comment(group.doc)
    every = [(name, child) for name, child in group.children.items() if isinstance(child, Setting)]
    settings = [(name, child) for name, child in every if not child.kind.users_own]
    if settings:
        lines.append(f"[{path}]")
    if own := [name for name, child in every if child.kind.users_own]:
        lines += _comment(f"Only in your own settings, the environment or a flag: {path}.{', '.join(own)}.")
    for name, setting in settings:
        if name in WORDS:
            continue
        if setting.doc not in said:
            lines += _comment(setting.doc)
            said.add(setting.doc)
        lines.append(f"# {name} = {_toml(setting.example if setting.default is None else setting.default)}")
    yield "\n".join(lines)
    for name, child in group.children.items():
        if isinstance(child, Group) and name not in WORDS:
            yield from _tables(child, f"{path}.{name}", said)


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in wrap(text, WIDTH)]


def _toml(value: object) -> str:
    # JSON's strings, numbers, lists and truths are also TOML's.
    return json.dumps(plain(value), ensure_ascii=False)
