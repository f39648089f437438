"""Names a task text uses: identifiers in code style, paths, modules, quotes, tests, versions, error messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct, field

from haversack.index.stopwords import KEYWORDS, STOP_WORDS
from haversack.patterns import lazily
from haversack.retrieve.task.lines import Line, Zone
from haversack.units.frames import FILE, is_file, is_installed, plain_path

MOST_IDENTIFIERS: Final = 60
MOST_OTHERS: Final = 40  # of paths, modules, quoted strings, ...
MOST_PER_LINE: Final = 60
LONGEST_QUOTE: Final = 160
SHORTEST_QUOTE: Final = 4

# How strongly a mention says "this one is meant"; the order of identifiers follows the sums.
IN_TITLE: Final = 4.0
IN_BACKTICKS: Final = 2.0
IN_PROSE: Final = 1.5
IN_ERROR: Final = 1.0
IN_CALL: Final = 0.6
IN_CODE: Final = 0.3
SHARE_OF_OWNER: Final = 0.5  # `Owner` in `Owner.method`

_WRITTEN: Final = frozenset({Zone.TITLE, Zone.PROSE, Zone.HEADING, Zone.CHECKLIST})
_TOP_FOLDERS: Final = (
    "src|lib|pkg|cmd|internal|packages|crates|tests?|docs?|apps?|include|scripts|tools|bin|examples|core"
)

_BACKTICKS: Final = lazily(r"``?([^`\n]{1,200})`")
_DOUBLE: Final = lazily(r"[\"“«「『]([^\"“”«»「」『』\n]{2,200})[\"”»」』]")
_SINGLE: Final = lazily(r"(?<![\w'])'([^'\n]{2,160})'(?![\w'])")
_PATH: Final = lazily(
    rf"(?<![\w@/.:-])(?:{FILE}(?![\w/-])|(?:\.{{0,2}}/)?[\w@.+-]{{1,80}}(?:/[\w@.+-]{{1,80}}){{1,12}})"
)
_WINDOWS_PATH: Final = lazily(
    r"\b[A-Za-z]:\\[\w .\\+-]{1,200}\.\w{1,6}\b|\b\w{1,60}(?:\\[\w.+-]{1,80}){1,12}\.\w{1,6}\b"
)
_NAME: Final = r"[A-Za-z_$][\w$]{0,100}"
_DOTTED: Final = lazily(rf"(?<![\w.@/\\-]){_NAME}(?:(?:\.|::|#|->){_NAME}){{1,10}}(?![\w/])")
_STYLED: Final = lazily(
    r"(?<![\w@\\-])(?<!\w\.)(?<!\.\.)(?:"  # a dot may be there without an owner: .fooBar
    r"_{0,2}[A-Za-z][a-z0-9]{0,60}(?:[A-Z][a-z0-9]{0,60}){1,20}\w{0,60}"  # fooBar, FooBar, HTTPServer
    r"|_{1,2}[A-Za-z]\w{1,100}|[A-Za-z][A-Za-z0-9]{0,60}(?:_[A-Za-z0-9]{1,60}){1,20}_{0,2}"  # snake_case, _private
    r"|[A-Za-z_]\w{1,100}(?=\(\)))"  # call()
    r"(?![\w-])"
)
_ANNOTATION: Final = lazily(r"(?<![\w.])@([A-Z]\w{2,80}|[a-z]\w{1,60}(?:\.\w{1,60}){1,6})")
_FLAG: Final = lazily(r"(?<![\w-])--[A-Za-z][\w-]{1,60}")
_KEBAB: Final = lazily(r"[A-Za-z][\w$]{0,40}(?:-[\w$]{1,40}){1,8}")
_SEPARATOR: Final = lazily(r"\.|::|#|->")
_NOT_MEMBERS: Final = "js io com org net dev py rst md txt json yml yaml toml cfg ini html css"
_NOT_A_MEMBER: Final = frozenset(_NOT_MEMBERS.split())
_OWN: Final = frozenset({"self", "this", "cls", "super", "crate", "std"})
_CALL: Final = lazily(r"([A-Za-z_$][\w$]{0,100})!?\s?[(<]")
_HUMP: Final = lazily(r"[a-z][A-Z]")
_WORD: Final = lazily(r"[A-Za-z_$][\w$]{1,100}")
_IMPORT: Final = lazily(
    r"\s{0,12}(?:>>> |\.\.\. |In \[\d{1,4}\]: ?)?"
    r"(?:from\s{1,4}(?P<module>[\w.]{1,120})\s{1,4}import\s{1,4}(?P<names>.{1,300})"
    r"|import\s{1,4}(?P<plain>[\w.]{1,120})|use\s{1,4}(?P<rust>[\w:]{1,120})|using\s{1,4}(?P<sharp>[\w.]{1,120});)"
)
_SCRIPT_IMPORT: Final = lazily(
    r"\b(?:from|require\(|import\()\s{0,4}[\"']([^\"'\n]{1,160})[\"']|#include\s{0,4}[<\"]([^>\"\n]{1,160})[>\"]"
)
_LOCAL: Final = lazily(
    r"\s{0,40}(?:>>> |In \[\d{1,4}\]: ?)?(?:(?:export |pub |async |static |public |private )*"
    r"(?:def|class|function|func|fn|let|const|var|struct|interface)\s{1,4}(?:mut )?([A-Za-z_$][\w$]{0,80})"
    r"|([A-Za-z_$][\w$]{0,80})\s?:?=[^=])"
)
_TEST: Final = lazily(r"\btest_\w{1,120}|\b\w{1,80}Tests?(?:Case)?\b|\bTest[A-Z]\w{1,80}|\b\w{1,60}_test\b")
_TEST_ID: Final = lazily(rf"({FILE})((?:::\w{{1,120}}){{1,4}})")
_VERSION: Final = lazily(
    r"(?<![\w.])v?(\d{1,4}(?:\.\d{1,6}){1,4}(?:[-.]?(?:a|b|rc|dev|alpha|beta|post)\.?\d{0,8})?)(?![\w.]*\d)"
)
_EXCEPTION: Final = lazily(r"\b([A-Z]\w{2,80}(?:Error|Exception|Warning|Failure|Fault|Interrupt|Exit))\b")
_MESSAGE: Final = lazily(
    r"(?:Error|Exception|Warning|Failure|Fault|error|fatal|panic|panicked)(?:\[\w{1,12}\])?: ?(.{4,300})"
)


class Names(Struct):
    """What was found, each in order of first mention; identifiers with their strength."""

    identifiers: dict[str, float] = field(default_factory=dict)
    paths: dict[str, None] = field(default_factory=dict)
    installed: set[str] = field(default_factory=set)
    """Those paths that were only named as places of installed packages."""
    modules: dict[str, None] = field(default_factory=dict)
    quoted: dict[str, None] = field(default_factory=dict)
    tests: dict[str, None] = field(default_factory=dict)
    versions: dict[str, None] = field(default_factory=dict)
    errors: dict[str, None] = field(default_factory=dict)

    def ranked(self) -> tuple[str, ...]:
        """Identifiers, the most insisted on first."""
        order = {name: at for at, name in enumerate(self.identifiers)}
        ranked = sorted(self.identifiers, key=lambda name: (-self.identifiers[name], order[name]))
        return tuple(ranked[:MOST_IDENTIFIERS])

    def add(self, name: str, strength: float) -> None:
        """Count a mention; the parts of a dotted name are mentioned with it."""
        parts = [part for part in _SEPARATOR.split(name) if part]
        while len(parts) > 1 and parts[0] in _OWN:
            parts = parts[1:]
        if len(parts) > 1:
            self._count(".".join(parts), strength)
            for owner in parts[:-1]:
                if owner[:1].isupper():
                    self._count(owner, strength * SHARE_OF_OWNER)
        if parts:
            self._count(parts[-1], strength)

    def _count(self, name: str, strength: float) -> None:
        if is_name(name):
            self.identifiers[name] = self.identifiers.get(name, 0.0) + strength

    def add_path(self, path: str) -> None:
        """Note a path as it was written."""
        plain = plain_path(path)
        if not is_installed(path):
            self.installed.discard(plain)
        elif plain not in self.paths:
            self.installed.add(plain)
        _take(self.paths, [plain])

    def add_module(self, name: str) -> None:
        """Count a dotted name as the folders and file it may stand for."""
        folders = [part for part in _SEPARATOR.split(name) if part.islower() and part not in _OWN]
        if len(folders) > 1:
            _take(self.modules, ["/".join(folders)])


def is_name(word: str) -> bool:
    """Whether a word can name something in code and is more than syntax."""
    lower = word.lower().strip("_$")
    syntax = lower in KEYWORDS and not _HUMP.search(word)  # `foreach` is, `forEach` is a function
    return len(lower) > 1 and not syntax and lower not in STOP_WORDS and not lower.isdigit()


def find_names(lines: Sequence[Line]) -> Names:
    """Everything the lines name."""
    found = Names()
    local = _locals(lines)
    for line in lines:
        if line.zone in _WRITTEN:
            _read_prose(line, found)
        elif line.zone is Zone.CODE:
            _read_code(line.text, local, found)
        elif line.zone is Zone.ERROR:
            _read_error(line.text, found)
        if line.zone is not Zone.CODE:
            _take(found.versions, _VERSION.findall(line.text))
        _take(found.tests, (match[0] for match in _TEST.finditer(line.text)))
    return found


def _locals(lines: Iterable[Line]) -> set[str]:
    """Names that the text's own examples define: they are not the project's."""
    matches = (_LOCAL.match(line.text) for line in lines if line.zone is Zone.CODE)
    return {match[1] or match[2] for match in matches if match}


def _read_prose(line: Line, found: Names) -> None:
    strength = IN_TITLE if line.zone is Zone.TITLE else IN_PROSE
    text = line.text
    for match in _BACKTICKS.finditer(text):
        _read_snippet(match[1].strip(), max(strength, IN_BACKTICKS), found)
    text = _BACKTICKS.sub(" ", text)
    for quote in (*_DOUBLE.findall(text), *_SINGLE.findall(text)):
        _quote(quote, found)
    _take(found.quoted, _FLAG.findall(text))
    _read_places(text, strength, found)


def _read_places(text: str, strength: float, found: Names) -> str:
    """Paths, then what is left of the text for names."""
    text = _take_paths(text, found)
    for match in _DOTTED.finditer(text):
        if _is_dotted_name(match[0]):
            found.add(match[0], strength)
            found.add_module(match[0])
    for match in _STYLED.finditer(_DOTTED.sub(" ", text)):
        if "_" in match[0] or not match[0].isupper():  # HTTP is a word, HTTP_PORT a name
            found.add(match[0], strength)
    for match in _ANNOTATION.finditer(text):
        found.add(match[1], strength)
    return text


def _take_paths(text: str, found: Names) -> str:
    if "::" in text:
        for test in _TEST_ID.finditer(text):
            _take(found.tests, test[2].split("::"))
    paths = [path for pattern in (_WINDOWS_PATH, _PATH) for path in pattern.findall(text) if is_path(path)]
    for path in paths:
        found.add_path(path.rstrip(".,;:"))
        text = text.replace(path, " ")
    return text


def is_path(text: str) -> bool:
    """Whether a word with dots or slashes means a file or a folder: `src/app`, `a/b/c`, `conf.py`; not `and/or`."""
    plain = text.rstrip(".,;:").replace("\\", "/")
    folders = plain.lstrip("./").split("/")
    return is_file(plain) or len(folders) > 2 or (len(folders) == 2 and folders[0] in _TOP_FOLDERS)


def _is_dotted_name(text: str) -> bool:
    """Not `e.g`, not `Node.js`-like product names, not two sentences with no space between."""
    parts = _SEPARATOR.split(text)
    if "." not in text or "_" in text:
        return True
    return all(len(part) > 1 for part in parts) and parts[-1] not in _NOT_A_MEMBER


def _read_snippet(text: str, strength: float, found: Names) -> None:
    """What stands between backticks: a path, a name, a flag, or a piece of code."""
    if (_PATH.fullmatch(text) or _WINDOWS_PATH.fullmatch(text)) and is_path(text):
        found.add_path(text)
    elif _WORD.fullmatch(text):
        found.add(text, strength)
    elif _FLAG.fullmatch(text) or _KEBAB.fullmatch(text):
        _take(found.quoted, [text])
    else:
        if len(text) >= SHORTEST_QUOTE:
            _take(found.quoted, [text[:LONGEST_QUOTE]])
        rest = _read_places(text, strength, found)
        for name in _CALL.findall(rest):
            found.add(name, strength)
        plain = [word for word in _WORD.findall(_DOTTED.sub(" ", rest)) if is_name(word)]
        if len(plain) <= 3:  # `order=` or `raise ValueError`: few words, each of them meant
            for word in plain:
                found.add(word, strength * SHARE_OF_OWNER)


def _quote(text: str, found: Names) -> None:
    text = text.strip()
    if SHORTEST_QUOTE <= len(text) <= LONGEST_QUOTE and text.strip(" ."):  # '....' is for the reader to fill in
        _take(found.quoted, [text])
    if _STYLED.fullmatch(text) or _DOTTED.fullmatch(text):
        found.add(text, IN_CODE)


def _read_code(text: str, local: set[str], found: Names) -> None:
    imported = _IMPORT.match(text)
    if imported:
        module = next(filter(None, imported.group("module", "plain", "rust", "sharp")), "")
        found.add_module(module)
        for name in _WORD.findall(imported["names"] or "")[:MOST_PER_LINE]:
            found.add(name, IN_CODE)
        return
    for pair in _SCRIPT_IMPORT.findall(text):
        _take(found.modules, [plain_path(pair[0] or pair[1])])
    for match in list(_DOTTED.finditer(text))[:MOST_PER_LINE]:
        parts = _SEPARATOR.split(match[0])
        if parts[-1] not in _NOT_A_MEMBER:
            found.add(".".join(parts[1:]) if parts[0] in local else match[0], IN_CODE)
    for name in _CALL.findall(text)[:MOST_PER_LINE]:
        if name not in local:
            found.add(name, IN_CALL)


def _read_error(text: str, found: Names) -> None:
    _take(found.errors, [" ".join(text.split())[:300]])
    for name in _EXCEPTION.findall(text):
        found.add(name, IN_ERROR)
    message = _MESSAGE.search(text)
    if message:
        _take(found.quoted, [message[1].strip()[:LONGEST_QUOTE]])
    for quote in (*_SINGLE.findall(text), *_DOUBLE.findall(text), *_BACKTICKS.findall(text)):
        _quote(quote, found)
    _read_places(text, IN_ERROR, found)


def _take(into: dict[str, None], values: Iterable[str]) -> None:
    for value in values:
        if len(into) >= MOST_OTHERS:
            return
        if value:
            into.setdefault(value, None)
