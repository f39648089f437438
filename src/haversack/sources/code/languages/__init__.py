"""One module for each language that is parsed: its rules and nothing else."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from haversack.sources.code.refs import words

if TYPE_CHECKING:
    from haversack.sources.code.walk import Dialect

# Names of languages to the module here that describes them, where they differ.
ALIASES = {
    "jsonc": "json",
    "json5": "json",
    "jsx": "javascript",
    "starlark": "python",
    "shell": "bash",
    "sh": "bash",
}
PARSED = words(
    "bash c cpp csharp css dart elixir go graphql groovy haskell hcl html java javascript json julia kotlin lua make "
    "perl php powershell proto python r ruby rust scala scss solidity sql svelte swift toml tsx typescript vue yaml zig"
)


@cache
def dialect(name: str) -> Dialect | None:
    """The rules for a language beside its grammar; None when it is not parsed."""
    name = ALIASES.get(name, name)
    if name not in PARSED:
        return None
    from haversack.sources.code.grammar import language
    from haversack.sources.code.walk import Dialect

    lang = import_module(f"{__name__}.{name}").LANG
    grammar = language(lang.grammar)
    return Dialect(lang, grammar) if grammar is not None else None
