"""What prose points at: `@path` and typed edges, paths, symbols, decision records, requirements, issues and tickets."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import Final

from msgspec import Struct

from haversack.patterns import lazily
from haversack.sources.docs.refs import FILE_ENDINGS, LONGEST_REF, MOST_REFS, mentions

EDGES: Final = ("implements", "architecture", "nfr", "tests", "source", "depends", "security", "agent", "command")
MENTIONS: Final = "mentions"

_PATH: Final = r"(?:[\w.+-]+/)*[\w.+-]*\w"
_CODES: Final = (
    r"(?<![\w-])(?P<record>ADR|UC|NFR|TM|FR|REQ)[-_ ]?(?P<number>\d{1,6}|[A-Z]{2,12}-\d{1,6})\b"
    r"|(?<![\w/@.#&-])(?P<ticket>[A-Z][A-Z0-9]{1,9}-\d{1,7})(?!\w|-\d)"
    r"|(?<![\w&/#.-])(?P<issue>(?:[\w.-]+/[\w.-]+)?#\d{1,7})\b"
)
# One pass over the text; each alternative is one way people write such a thing. The first takes runs of plain words at
# once, which is most of any text and points at nothing.
_PATTERN: Final = lazily(
    r"(?<!\S)(?:(?:[A-Za-z]?[a-z']*[.,;:!?)*]*|[-=|>*#]+)[ \n]+)++"
    rf"|(?<![\w@./`-])@(?:(?P<edge>{'|'.join(EDGES)}):?[ \t]+@)?(?P<at>{_PATH})(?:#(?P<part>[\w.-]*\w))?"
    r"|(?<![\w/@.:+-])(?P<path>(?:[\w.+-]+/)*[\w.+-]+\.[A-Za-z][A-Za-z0-9]{0,7})(?![\w/])"
    rf"|{_CODES}"
    r"|(?<![\w.])(?P<call>[^\W\d]\w*(?:\.[^\W\d]\w*)*)\(\)"
    r"|(?<![\w./@#-])(?P<name>[a-z]\w*_\w+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+)(?![\w/])"
)
# Standards and the like that are written the way tickets are.
_NO_TICKET: Final = frozenset(
    [
        "AES",
        "ASCII",
        "BASE",
        "BLAKE",
        "CP",
        "CSS",
        "ECMA",
        "ES",
        "EUC",
        "GB",
        "GBK",
        "GPT",
        "HTML",
        "HTTP",
        "IEC",
        "IEEE",
        "IPV",
        "ISO",
        "KOI",
        "MD",
        "PEP",
        "POSIX",
        "RFC",
        "RSA",
        "SHA",
        "TLS",
        "UCS",
        "UTC",
        "UTF",
        "WINDOWS",
        "XML",
    ]
)
_CODE: Final = lazily(_CODES)
# What every such thing has in it: a separator, a number after a dash, an ending, or a capital inside.
_POINTING: Final = lazily(r"[/#@_]|\(\)|\.[A-Za-z]|-\d|[a-z][A-Z]|ADR")
MEMO_WORDS: Final = 1 << 16  # some 10 MB at most; then it starts anew
LONGEST_WORD: Final = 300  # characters; longer ones are data
MOST_CODES: Final = 20  # of one title or message; a list of everything that was closed points at nothing
_TYPED: Final = lazily(rf"@(?:{'|'.join(EDGES)}):?[ \t]+@")


class Mention(Struct, frozen=True):
    """One thing that is pointed at. `targets` are the ways to look it up, likeliest first; `line` counts from 1."""

    targets: tuple[str, ...]
    form: str
    line: int
    edge: str = MENTIONS
    part: str = ""


def prose_mentions(text: str, path: str) -> Iterator[Mention]:
    """Everything the text of a file points at; whether it exists is for the index to say."""
    folder = dirname(path)
    line, at = 1, 0
    for match in _PATTERN.finditer(text):
        if match.lastgroup is None:
            continue
        line += text.count("\n", at, match.start())
        at = match.start()
        if match["at"]:
            if "/" in match["at"] or _is_file(match["at"]):
                yield Mention(_places(match["at"], folder), "at", line, match["edge"] or MENTIONS, match["part"] or "")
        elif match["path"]:
            if _is_file(match["path"]):
                yield Mention(_places(match["path"], folder), "path", line)
        elif match["record"]:
            yield Mention((record_code(match["record"], match["number"]),), "record", line)
        elif match["issue"] or match["ticket"]:
            if match["issue"] or _is_ticket(match["ticket"]):
                yield Mention((match["issue"] or match["ticket"],), "issue", line)
        else:
            name = match["call"] or match["name"]
            yield Mention(tuple(dict.fromkeys((name, name.rpartition(".")[2]))), "symbol", line)


def refs_of(text: str, path: str) -> tuple[str, ...]:
    """The names a unit of prose refers to, each once: links and code first, then what is written in plain words."""
    found = dict.fromkeys(mentions(text, path))
    for mention in prose_mentions(text, path):
        for target in mention.targets:
            if 2 <= len(target) <= LONGEST_REF:
                found[target] = None
        if len(found) >= MOST_REFS:
            break
    return tuple(found)[:MOST_REFS]


def refs_by_word(text: str, path: str) -> tuple[str, ...]:
    """The same for an ordinary document, word by word: documents are many and repeat their words.

    Only what is written over several words (`ADR 5`, `@tests @path`) needs the whole text.
    """
    if "ADR " in text or " @" in text:
        return refs_of(text, path)
    found = dict.fromkeys(mentions(text, path))
    folder = dirname(path)
    for word in dict.fromkeys(text.split()):
        for mention in _WORDS[word]:
            near = _places(mention.targets[0], folder) if mention.form in ("at", "path") and mention.targets else ()
            found.update(dict.fromkeys(each for each in (*mention.targets, *near) if 2 <= len(each) <= LONGEST_REF))
        if len(found) >= MOST_REFS:
            break
    return tuple(found)[:MOST_REFS]


class _Words(dict[str, tuple[Mention, ...]]):
    """What a word points at, remembered: the few words that point at something are worth looking at once."""

    def __missing__(self, word: str) -> tuple[Mention, ...]:
        if len(self) >= MEMO_WORDS:
            self.clear()
        looked_at = len(word) <= LONGEST_WORD and "://" not in word and _POINTING.search(word)
        found = self[word] = tuple(prose_mentions(word, "")) if looked_at else ()
        return found


_WORDS = _Words()


def codes(text: str) -> tuple[str, ...]:
    """What a title or a commit message can be known by elsewhere: `ADR-5`, `UC-001`, `ABC-123`, `#12`."""
    if "-" not in text and "#" not in text and "ADR" not in text:
        return ()
    found: dict[str, None] = {}
    for match in _CODE.finditer(text):
        if match["record"]:
            found[record_code(match["record"], match["number"])] = None
        elif match["issue"] or _is_ticket(match["ticket"]):
            found[match["issue"] or match["ticket"]] = None
        if len(found) > MOST_CODES:
            return ()
    return tuple(found)


def _is_ticket(written: str) -> bool:
    return written.partition("-")[0] not in _NO_TICKET


def typed_edges(text: str, path: str) -> tuple[str, ...]:
    """`implements src/x.py` and the like, as written with `@implements @src/x.py`."""
    if not _TYPED.search(text):
        return ()
    found = (each for each in prose_mentions(text, path) if each.edge != MENTIONS)
    return tuple(dict.fromkeys(f"{each.edge} {each.targets[0]}" for each in found))


def record_code(kind: str, number: str) -> str:
    """How a decision record or requirement is looked up: `ADR-5` whether it is written ADR-0005, ADR 5 or ADR5."""
    return f"ADR-{int(number)}" if kind == "ADR" and number.isdigit() else f"{kind}-{number}"


def _is_file(name: str) -> bool:
    return name.rpartition(".")[2].lower() in FILE_ENDINGS and not name.startswith(".." * 2)


def _places(written: str, folder: str) -> tuple[str, ...]:
    """From the root of the project, and from the folder of the document."""
    places = (normpath(written), normpath(join(folder, written)))
    return tuple(dict.fromkeys(place for place in places if not place.startswith("..") and place != "."))
