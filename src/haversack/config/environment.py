"""Settings from environment variables, and the short names that variables and flags share.

`HAVERSACK_PACK__BUDGET` is `pack.budget`: a double underscore goes one table down. Two short forms: the tables of
`SHORT` may be left out (`HAVERSACK_BUDGET`), and so may `sources` before the name of a source
(`HAVERSACK_CODE__THRESHOLD`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from haversack.config.settings import TREE
from haversack.config.sources import SOURCE_OPTIONS
from haversack.config.tree import Group, Setting, find

PREFIX = "HAVERSACK_"
SECRETS = frozenset({"HAVERSACK_MCP_TOKEN"})
"""Variables of commands, not settings: `haversack config` prints settings and where they come from."""
SHORT = ("pack", "index", "project")
"""Tables that may be left out of a name, first match wins; a test keeps their names distinct."""


def variables(env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Our variables that say something, in order of name. An empty one counts as unset."""
    for name in sorted(env):
        if name.startswith(PREFIX) and env[name] and name not in SECRETS:
            yield name, env[name]


def path_of_variable(name: str) -> tuple[str, ...]:
    """The path a variable means, which may not exist."""
    return full_path(tuple(name.removeprefix(PREFIX).lower().split("__")))


def full_path(path: tuple[str, ...]) -> tuple[str, ...]:
    """The path with the table put back that a short form leaves out."""
    if len(path) == 1:
        for table in SHORT:
            if isinstance(find(TREE, (table, *path)), Setting):
                return (table, *path)
    elif path[0] in SOURCE_OPTIONS and path[0] not in TREE.children:
        return ("sources", *path)
    return path


def setting_at(path: tuple[str, ...]) -> Setting | None:
    """The setting at that path, if there is one."""
    node = find(TREE, path)
    return None if isinstance(node, Group) else node
