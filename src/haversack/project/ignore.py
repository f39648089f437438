"""Ignore rules with git's meaning: `.gitignore`, `.ignore`, `.haversackignore`, git's `info/exclude`, and the settings.

Written here rather than taken from a package for three measured reasons: most rules are a plain name or `*.ending`, and
those are dictionary look-ups; `a/**` followed by `!a/b` must mean what it means in git; and a rule like `*a*a*a*b`
from a hostile repository must not take minutes, so every `*` is matched without going back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache

from msgspec import Struct


class Kind(IntEnum):
    """Where a rule comes from. A later kind overrules an earlier one, whatever the depth."""

    GIT_EXCLUDE = 0
    GITIGNORE = 1
    IGNORE = 2
    HAVERSACKIGNORE = 3
    SETTINGS = 4


FILE_NAMES = {".gitignore": Kind.GITIGNORE, ".ignore": Kind.IGNORE, ".haversackignore": Kind.HAVERSACKIGNORE}
# More `**` in one rule than anybody needs: each multiplies the work by the depth of the path.
MAX_DOUBLE_STARS = 3
MAX_RULE_CHARS = 1000
# An ignore file is written by hand; past this it is something else.
MAX_FILE_BYTES = 1_000_000
MAX_RULES = 20_000


class Rule(Struct, frozen=True):
    """One line of an ignore file."""

    pattern: str
    negated: bool
    folders_only: bool
    anchored: bool


def parse(text: str) -> tuple[Rule, ...]:
    """The rules of an ignore file; lines git would not understand are dropped, as git does."""
    lines = text.removeprefix("\ufeff").split("\n")
    return tuple(rule for line in lines[:MAX_RULES] if (rule := parse_line(line)))


def parse_line(line: str) -> Rule | None:
    """One rule, or None for a blank line, a comment or a line with no possible match."""
    line = _without_trailing_blanks(line.removesuffix("\r"))
    if not line or line.startswith("#") or len(line) > MAX_RULE_CHARS:
        return None
    negated = line.startswith("!")
    line = line[1:] if negated else line
    folders_only = line.endswith("/")
    line = line[:-1] if folders_only else line
    if line.startswith("**/") and "/" not in line[3:]:
        line = line[3:]  # "at any depth" is what a rule without a slash means anyway
    anchored = "/" in line
    line = line.removeprefix("/")
    if not line or line.count("**") > MAX_DOUBLE_STARS:
        return None
    return Rule(line, negated, folders_only, anchored)


def _without_trailing_blanks(line: str) -> str:
    bare = line.rstrip(" ")
    # A blank after a backslash is part of the name; an even number of backslashes escape each other.
    slashes = len(bare) - len(bare.rstrip("\\"))
    return f"{bare} " if slashes % 2 and len(bare) < len(line) else bare


class _Table(Struct, frozen=True):
    """What rules say about files, or about folders. Numbers are those of the last rule that matches."""

    names: dict[str, int]
    endings: dict[str, int]
    paths: dict[str, int]
    name_globs: list[tuple[int, re.Pattern[str]]]
    path_globs: list[tuple[int, re.Pattern[str]]]
    any_name_glob: re.Pattern[str] | None

    def last(self, name: str, path: str) -> int:
        best = self.names.get(name, -1)
        if self.endings:
            dot = name.find(".")
            while dot >= 0:
                best = max(best, self.endings.get(name[dot:], -1))
                dot = name.find(".", dot + 1)
        if self.paths:
            best = max(best, self.paths.get(path, -1))
        if self.any_name_glob and self.any_name_glob.fullmatch(name):
            best = _later(best, self.name_globs, name)
        return _later(best, self.path_globs, path)


def _later(best: int, globs: list[tuple[int, re.Pattern[str]]], text: str) -> int:
    """The number of the last matching glob, or `best` if that is later."""
    for number, glob in globs:
        if number < best:
            break
        if glob.fullmatch(text):
            return number
    return best


class Matcher:
    """The rules of one ignore file, ready to be asked about paths relative to its folder."""

    __slots__ = ("_files", "_folders", "_negated")

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._negated = [rule.negated for rule in rules]
        numbered = list(enumerate(rules))
        self._files = _table((number, rule) for number, rule in numbered if not rule.folders_only)
        self._folders = _table(numbered)

    def verdict(self, name: str, path: str, is_folder: bool) -> bool | None:
        """True: ignored. False: a `!` rule keeps it. None: no rule of this file is about it."""
        last = (self._folders if is_folder else self._files).last(name, path)
        return None if last < 0 else not self._negated[last]


@lru_cache(maxsize=512)
def matcher(text: str) -> Matcher | None:
    """The matcher of an ignore file's text, made once; None when it has no rules."""
    rules = parse(text)
    return Matcher(rules) if rules else None


def _table(numbered: Iterable[tuple[int, Rule]]) -> _Table:
    names: dict[str, int] = {}
    endings: dict[str, int] = {}
    paths: dict[str, int] = {}
    name_globs: list[tuple[int, re.Pattern[str]]] = []
    path_globs: list[tuple[int, re.Pattern[str]]] = []
    for number, rule in numbered:
        plain = _plain(rule.pattern)
        ending = _plain(rule.pattern[1:]) if rule.pattern.startswith("*.") else None
        if plain is not None:
            (paths if rule.anchored else names)[plain] = number
        elif ending is not None and not rule.anchored:
            endings[ending] = number
        elif glob := compile_glob(rule.pattern):
            (path_globs if rule.anchored else name_globs).append((number, glob))
    name_globs.reverse()
    path_globs.reverse()
    # One look at all of them first: nearly every name matches none.
    together = re.compile("|".join(f"(?:{glob.pattern})" for _, glob in name_globs), re.DOTALL) if name_globs else None
    return _Table(names, endings, paths, name_globs, path_globs, together)


def _plain(pattern: str) -> str | None:
    """The text a pattern stands for, when it has no wildcard."""
    return None if _WILDCARD.search(pattern) else _ESCAPE.sub(r"\1", pattern)


_WILDCARD = re.compile(r"[*?\[]|\\(?=[*?\[]|$)")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def compile_glob(pattern: str) -> re.Pattern[str] | None:
    """A glob as a regular expression for whole names or paths; None when it can match nothing."""
    parts = pattern.split("/")
    last = len(parts) - 1
    regex = ""
    try:
        for number, part in enumerate(parts):
            if part == "**" and last:
                regex += ".+" if number == last else "(?:[^/]+/)*"
            else:
                regex += _segment(part) + ("" if number == last else "/")
        return re.compile(regex, re.DOTALL)
    except ValueError:
        return None


def _segment(part: str) -> str:
    """One name of a glob. Pieces between stars have a fixed length, so the leftmost fit is as good as any other."""
    pieces = _pieces(part)
    regex = pieces[0]
    for piece in pieces[1:-1]:
        regex += f"(?>[^/]*?{piece})"
    return regex + f"[^/]*{pieces[-1]}" if len(pieces) > 1 else regex


def _pieces(part: str) -> list[str]:
    """What stands between the stars of a name, as regular expressions."""
    pieces = [""]
    at = 0
    while at < len(part):
        char = part[at]
        at += 1
        if char == "*":
            if len(pieces) == 1 or pieces[-1]:
                pieces.append("")
        elif char == "?":
            pieces[-1] += "[^/]"
        elif char == "[":
            regex, at = _character_class(part, at)
            pieces[-1] += regex
        elif char == "\\":
            if at == len(part):
                raise ValueError("a rule cannot end in a backslash")
            pieces[-1] += re.escape(part[at])
            at += 1
        else:
            pieces[-1] += re.escape(char)
    return pieces


_NAMED_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


def _character_class(part: str, at: int) -> tuple[str, int]:
    """A `[...]` that begins before `at`, as a regular expression, and where it ends."""
    negated = part[at : at + 1] in {"!", "^"}
    at += negated
    inside = ""
    first = True
    while first or part[at : at + 1] != "]":
        if at >= len(part):
            raise ValueError("a bracket is not closed")
        if part.startswith("[:", at) and (end := part.find(":]", at)) > 0:
            inside += _NAMED_CLASSES.get(part[at + 2 : end], "")
            at = end + 2
        else:
            low, at = _class_character(part, at)
            inside += re.escape(low)
            if part[at : at + 1] == "-" and part[at + 1 : at + 2] not in {"", "]"}:
                high, at = _class_character(part, at + 1)
                # A range that runs backwards holds only its first character, as in git.
                inside += f"-{re.escape(high)}" if high >= low else ""
        first = False
    return (f"[^/{inside}]" if negated else f"(?!/)[{inside}]"), at + 1


def _class_character(part: str, at: int) -> tuple[str, int]:
    if part[at] == "\\" and at + 1 < len(part):
        return part[at + 1], at + 2
    return part[at], at + 1


class Layer(Struct, frozen=True):
    """One ignore file at its place: it speaks about what lies below `base` (a project path that ends in "/", or "")."""

    kind: Kind
    base: str
    matcher: Matcher


class Scope:
    """All rules that hold in one folder, the decisive ones first. Folders without ignore files share their parent's."""

    __slots__ = ("layers",)

    def __init__(self, layers: Iterable[Layer] = ()) -> None:
        self.layers = sorted(layers, key=lambda layer: (-layer.kind, -len(layer.base)))

    def with_layers(self, layers: Sequence[Layer]) -> Scope:
        return Scope([*self.layers, *layers]) if layers else self

    def without_git(self) -> Scope:
        """What holds in a repository inside the project: the outer repository's rules end at its door."""
        return Scope(layer for layer in self.layers if layer.kind > Kind.GITIGNORE)

    def ignored_by(self, name: str, path: str, is_folder: bool) -> Kind | None:
        """The kind of rule that leaves a path out, or None when it stays."""
        for layer in self.layers:
            said = layer.matcher.verdict(name, path[len(layer.base) :], is_folder)
            if said is not None:
                return layer.kind if said else None
        return None
