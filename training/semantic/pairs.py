"""Pairs of what people say and the code it is about, cut from one package with haversack's own code source."""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gather import Package

from haversack.index.terms import terms
from haversack.model import Role
from haversack.project.languages import language_of
from haversack.project.reading import is_generated, is_minified
from haversack.project.roles import role_of
from haversack.sources.code.outline import Node
from haversack.sources.code.prose import LICENCE, comment_text
from haversack.sources.code.syntax import cut

LONGEST_SAID = 600  # characters of the saying side
LONGEST_CODE = 2_500  # characters of the code side
FEWEST_WORDS = 3  # terms a sentence must have to say something
MOST_OF_KIND = 10_000  # pairs of one kind from one package
MOST_COMMITS = 3_000  # newest commits looked at
MOST_CHANGED = 6  # functions one commit may change and still be about them
COMMENT_LINES = 12  # lines of code that a comment inside a function speaks of
LANGUAGES = frozenset(("python", "javascript", "jsx", "typescript", "tsx", "go", "rust", "java", "c", "cpp"))
ROLES = (Role.SOURCE, Role.TEST, Role.TYPES, Role.EXAMPLE)
FUNCTIONS = frozenset({"function", "method", "class", "type"})
_COMMENT = re.compile(r"^\s*(?:#(?!!)|//+|\*|/\*+)\s?")
_PARAMETERS = re.compile(r"\n\s*\n|\n\s*(?:@|:param|:return|Args:|Parameters\b|Returns:|# (?:Examples|Errors|Panics))")
_NOT_SAID = re.compile(r"[;{}=]$|noqa|eslint|TODO")  # code that was commented out, words for tools
_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_QUOTED = re.compile(r"`{1,2}([\w.:]{3,60})(?:\(\))?`{1,2}")
_HEADING = re.compile(r"^(?:#{1,4} .+|[^\n]+\n[=~^*-]{3,})$", re.MULTILINE)
_TRAILERS = re.compile(
    r"^(?:[\w-]+-by|Change-Id|Cc|Fixes|Closes|Refs?|PiperOrigin-RevId|Bug|Reviewed-on|Link):.*$",
    re.MULTILINE | re.IGNORECASE,
)
_BOT = re.compile(r"^(?:bump|merge|release|revert|update dependency|chore\(deps|prepare|version|v?\d+\.\d)", re.I)
_HUNK = re.compile(r"^@@ .*? @@ ?(.*)$")
# Git's own notion of where a function begins, and ours where it has none.
DRIVERS = {
    "python": ("py",), "golang": ("go",), "rust": ("rs",), "java": ("java",), "cpp": ("c", "h", "cc", "cpp", "hpp"),
    "script": ("js", "jsx", "mjs", "ts", "tsx"),
}  # fmt: skip
SCRIPT = (
    r"^[ \t]*((export[ \t]+)?(default[ \t]+)?(async[ \t]+)?(function[* \t].*"
    r"|(public |private |protected |static |get |set )*[A-Za-z_$][A-Za-z0-9_$]*[ \t]*\([^;]*\{[ \t]*$"
    r"|(const|let|var)[ \t]+[A-Za-z_$0-9]+[ \t]*=[ \t]*(async[ \t]*)?(function|\().*))"
)


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition of a package and its text, with and without what is said about it."""

    path: str
    lang: str
    node: Node
    is_test: bool
    bare: str
    full: str


@dataclass(frozen=True, slots=True)
class Pair:
    """`said` is about the code `title` + `text`; `file` groups what is confusable."""

    kind: str
    lang: str
    file: str
    said: str
    title: str
    text: str


def pairs_of(package: Package, chance: random.Random) -> Iterator[Pair]:
    """Everything the package teaches, each kind bounded."""
    definitions: list[Definition] = []
    found: dict[str, list[Pair]] = defaultdict(list)
    prose: list[tuple[str, str]] = []
    for path, text in package.files.items():
        lang = language_of(path, text[:200])
        role = role_of(path, lang)
        if lang in ("markdown", "rst") or path.endswith((".md", ".rst")):
            prose.append((path, text))
        elif lang in LANGUAGES and role in ROLES and not is_minified(text) and not is_generated(text):
            definitions += _definitions(path, lang, role is Role.TEST, text, found)
    for each in definitions:
        found["docstring"] += _documented(each)
        found["comment"] += _commented(each)
    by_name: dict[str, list[Definition]] = defaultdict(list)
    for each in definitions:
        if not each.is_test and each.node.kind in FUNCTIONS:
            by_name[each.node.name].append(each)
    found["test"] += _tested(definitions, by_name)
    found["readme"] += _described(prose, by_name)
    found["section"] += _sections(prose)
    if package.history is not None:
        found["commit"] += _changed(package.history, definitions)
    for kind in sorted(found):
        mine = found[kind]
        yield from mine if len(mine) <= MOST_OF_KIND else _sample(mine, chance)


def _sample(mine: list[Pair], chance: random.Random) -> list[Pair]:
    """As many as are allowed, in runs of neighbours, so that confusable ones stay together."""
    run = 16
    starts = chance.sample(range(0, len(mine), run), MOST_OF_KIND // run)
    return [pair for start in sorted(starts) for pair in mine[start : start + run]]


def _definitions(path: str, lang: str, is_test: bool, text: str, found: dict[str, list[Pair]]) -> list[Definition]:
    lines = text.split("\n")
    outline = cut(text, lang).outline
    children: dict[int, list[Node]] = defaultdict(list)
    for node in outline.nodes:
        children[node.parent].append(node)
    made = []
    for number, node in enumerate(outline.nodes):
        inside = {line for child in children[number] for line in range(child.start, child.end + 1)}
        kept = [(at, lines[at - 1]) for at in range(node.start, min(node.end, len(lines)) + 1) if at not in inside]
        bare = [said for at, said in kept if not (node.doc and node.doc_start <= at <= node.doc_end)]
        full = "\n".join(said for _, said in kept)[:LONGEST_CODE]
        made.append(Definition(path, lang, node, is_test or node.is_test, "\n".join(bare)[:LONGEST_CODE], full))
    if outline.doc and not is_test and says(outline.doc) and not LICENCE.search(outline.doc[:300]):
        names = " ".join(node.name for node in outline.nodes[:60])
        rest = "\n".join(lines[outline.doc_end : outline.doc_end + 30])
        code = f"{names}\n{rest}"[:LONGEST_CODE]
        found["module"].append(Pair("module", lang, path, first_paragraph(outline.doc), path, code))
    return made


def says(text: str) -> bool:
    """Whether a sentence has enough words to be about something."""
    return len(set(terms(text[:LONGEST_SAID]))) >= FEWEST_WORDS


def first_paragraph(doc: str) -> str:
    """What a documentation begins with, up to the parameters."""
    return " ".join(_PARAMETERS.split(doc, maxsplit=1)[0].split())[:LONGEST_SAID]


def _documented(each: Definition) -> Iterator[Pair]:
    if each.is_test or each.node.kind not in FUNCTIONS or not each.node.doc:
        return
    said = first_paragraph(each.node.doc)
    if says(said) and len(each.bare.split()) > 6:
        yield Pair("docstring", each.lang, each.path, said, each.node.qualname, each.bare)


def _commented(each: Definition) -> Iterator[Pair]:
    """Comments of their own lines inside a body, with the code below them."""
    node = each.node
    if node.kind not in ("function", "method") or node.end - node.head < 8:
        return
    lines = each.bare.split("\n")
    at = 1
    while at < len(lines):
        if not _COMMENT.match(lines[at]):
            at += 1
            continue
        end = at
        while end < len(lines) and _COMMENT.match(lines[end]):
            end += 1
        said = " ".join(comment_text(lines[at:end]).split())[:LONGEST_SAID]
        below = []
        for line in lines[end : end + COMMENT_LINES]:
            if not line.strip() or _COMMENT.match(line):
                break
            below.append(line)
        if says(said) and len(said.split()) >= 4 and len(below) >= 2 and not _NOT_SAID.search(said):
            yield Pair("comment", each.lang, each.path, said, node.qualname, "\n".join(below))
        at = max(end, at + 1)


def _tested(definitions: list[Definition], by_name: dict[str, list[Definition]]) -> Iterator[Pair]:
    """The name of a test with the one function it uses whose name is most like it."""
    for each in definitions:
        if not each.is_test or each.node.kind not in ("function", "method") or "test" not in each.node.name.lower():
            continue
        words = set(terms(each.node.name)) | set(terms(each.node.qualname))
        best, overlap = None, 0
        for ref in each.node.refs:
            known = by_name.get(ref.rpartition(".")[2], ())
            if len(known) == 1:
                shared = len(words & set(terms(ref)))
                if shared > overlap:
                    best, overlap = known[0], shared
        if best is not None:
            said = re.sub(r"(?i)^tests?_?", "", each.node.name)
            said = " ".join(_WORDS.findall(said)) + ". " + first_paragraph(each.node.doc)
            if says(said):
                yield Pair("test", best.lang, best.path, said[:LONGEST_SAID], best.node.qualname, best.full)


def _described(prose: list[tuple[str, str]], by_name: dict[str, list[Definition]]) -> Iterator[Pair]:
    """Sections of documentation with the definitions they name."""
    for _, text in prose:
        cuts = [match.start() for match in _HEADING.finditer(text[:200_000])] or [0]
        for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
            section = re.sub(r"```.*?(?:```|\Z)", " ", text[start : min(end, start + 4_000)], flags=re.DOTALL)
            named = Counter(name.rpartition(".")[2] for name in _QUOTED.findall(section))
            for name, _ in named.most_common(2):
                known = by_name.get(name, ())
                if len(known) == 1:
                    said = " ".join(section.replace(name, " ").split())[:LONGEST_SAID]
                    if says(said):
                        one = known[0]
                        yield Pair("readme", one.lang, one.path, said, one.node.qualname, one.full)


def _sections(prose: list[tuple[str, str]]) -> Iterator[Pair]:
    """How a section of prose begins, heading included, with how it goes on."""
    for path, text in prose:
        cuts = [match.start() for match in _HEADING.finditer(text[:200_000])] or [0]
        for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
            section = re.sub(r"```.*?(?:```|\Z)", " ", text[start : min(end, start + 4_000)], flags=re.DOTALL).strip()
            heading, _, rest = section.partition("\n")
            sentence, _, body = re.sub(r"^[=~^*-]{3,}", "", rest.strip()).strip().partition(". ")
            said = " ".join(f"{heading.lstrip('# ')} {sentence}".split())[:LONGEST_SAID]
            if says(said) and len(body) > 150:
                yield Pair("section", "prose", path, said, "", body[:LONGEST_CODE])


def _changed(folder: Path, definitions: list[Definition]) -> Iterator[Pair]:
    """Commit messages with the functions, as they are today, whose lines the commit changed."""
    by_place: dict[str, list[Definition]] = defaultdict(list)
    for each in definitions:
        if not each.is_test and each.node.kind in FUNCTIONS:
            by_place[each.path].append(each)
    with tempfile.NamedTemporaryFile("w", suffix=".attributes") as attributes:
        attributes.writelines(f"*.{end} diff={name}\n" for name, ends in DRIVERS.items() for end in ends)
        attributes.flush()
        command = ["git", "-C", str(folder), "-c", f"core.attributesFile={attributes.name}",
                   "-c", f"diff.script.xfuncname={SCRIPT}", "log", "-p", "-U0", "--no-merges", f"-n{MOST_COMMITS}",
                   "--no-color", "--no-renames", "--diff-filter=M", "--format=%x00%x01%B%x00",
                   "--", *(f"*.{end}" for ends in DRIVERS.values() for end in ends)]  # fmt: skip
        out = subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")
    for chunk in out.split("\0\1")[1:]:
        message, _, diff = chunk.partition("\0")
        said = tidy_message(message)
        if not said or len(diff) > 200_000:
            continue
        touched = _touched(diff, by_place)
        if 0 < len(touched) <= MOST_CHANGED:
            for each in touched:
                yield Pair("commit", each.lang, each.path, said, each.node.qualname, each.full)


def tidy_message(message: str) -> str:
    """The subject and the first lines of a commit message, or nothing when a machine wrote it."""
    said = _TRAILERS.sub("", message).strip()
    if _BOT.match(said):
        return ""
    said = re.sub(r"\(?#\d+\)?|https?://\S+", " ", said)
    said = " ".join(said.split())[:LONGEST_SAID]
    return said if says(said) else ""


def _touched(diff: str, by_place: dict[str, list[Definition]]) -> list[Definition]:
    found: dict[int, Definition] = {}
    here: list[Definition] = []
    for line in diff.split("\n"):
        if line.startswith("+++ b/"):
            here = by_place.get(line[6:].strip(), [])
        elif here and line.startswith("@@"):
            match = _HUNK.match(line)
            words = set(re.findall(r"\w+", match[1])) if match and match[1] else set()
            for each in here:
                if words and each.node.name in words and each.node.kind in ("function", "method"):
                    found[id(each)] = each
                    break
    return list(found.values())
