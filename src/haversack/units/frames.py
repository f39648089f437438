"""Stack frames and `file:line` places, in the notations of the languages people paste."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from haversack.patterns import lazily

MOST_FRAMES: Final = 60  # the deepest traces repeat themselves long before

# A path as traces print it. Spaces are allowed only inside quotes.
_PATH: Final = r"(?:[A-Za-z]:[\\/])?[^\s\"'<>|:*?()\[\]{},;`]{1,300}"
FILE: Final = rf"{_PATH}\.\w{{1,8}}"
_KNOWN: Final = """
py pyx pyi ipynb js jsx ts tsx mjs cjs mts cts vue svelte java kt kts scala groovy clj cljs go rs c h cc cpp cxx hh hpp
hxx m mm cs fs vb rb erb rake php phtml swift dart ex exs erl hs ml mli lua pl pm r jl zig nim pony sol sh bash zsh ps1
sql html htm css scss sass less rst md mdx txt toml yaml yml json xml ini cfg conf gradle tf proto graphql cmake mk tmpl
j2 jinja jinja2
"""
SUFFIXES: Final = frozenset(_KNOWN.split())

_LINE: Final = r"(?P<line>\d{1,8})"

# Each is matched against a stripped line, from its start.
_NOTATIONS: Final = tuple(
    lazily(pattern)
    for pattern in (
        # Python, and anything that copies it.
        rf'File "(?P<path>[^"]{{1,300}})", line {_LINE}(?:, in (?P<name>[\w.<>]{{1,200}}))?',
        # IPython: File ~/x.py:150, in name(args)
        rf"File (?P<path>{FILE}):{_LINE}(?:, in (?P<name>[\w.<>]{{1,200}}))?",
        # IPython before 8: ~/x.py in name(args)
        rf"(?P<path>{FILE}) in (?P<name>[\w<>]{{1,200}})\(",
        # pytest: x.py:12: in name   Ruby: x.rb:12:in `name'
        rf"(?:from )?(?P<path>{FILE}):{_LINE}: ?in [`'\"]?(?P<name>[\w.?!<> #:]{{1,200}})",
        # Java, Kotlin, Scala: at com.acme.Thing.method(Thing.java:12)
        rf"at (?:[\w.@-]{{1,80}}/){{0,4}}(?P<java>[\w$.<>]{{1,300}})"
        rf"\((?P<path>[\w$-]{{1,120}}\.(?:java|kt|scala|groovy|clj)):{_LINE}\)",
        # C#: at Acme.Thing.Method(String s) in C:\x\Thing.cs:line 12
        rf"at (?P<name>[\w.<>`+\[\],]{{1,300}})\([^)]{{0,300}}\) in (?P<path>.{{1,300}}?):line {_LINE}",
        # JavaScript: at name (path:12:3), at async Thing.name (path:12:3), at path:12:3
        rf"at (?:async )?(?:new )?(?P<name>[\w$.<>\[\]# ]{{1,120}}) "
        rf"\((?P<path>[^()]{{1,300}}?):{_LINE}(?::\d{{1,8}})?\)",
        rf"at (?:async )?(?P<path>(?:[\w-]{{2,20}}:/{{2,3}})?{_PATH}):{_LINE}:\d{{1,8}}$",
        # Firefox and Safari: name@path:12:3
        rf"(?P<name>[\w$.<>/\[\]*]{{0,120}})@(?P<path>(?:[\w-]{{2,20}}:/{{2,3}})?[^\s@()]{{1,300}}?):{_LINE}:\d{{1,8}}$",
        # Sanitizers and gdb: #4 0x55 in name /x/y.c:12:3    #0 name (args) at y.c:12
        rf"#\d{{1,4}} {{1,4}}(?:0x[0-9a-f]{{1,16}} )?in (?P<name>[^\s(]{{1,200}})(?:\([^)]{{0,200}}\))? "
        rf"(?P<path>[^\s:()]{{1,300}}):{_LINE}",
        rf"#\d{{1,4}} {{1,4}}(?:0x[0-9a-f]{{1,16}} in )?(?P<name>[\w:~<>]{{1,200}}) \(.{{0,300}}?\) at "
        rf"(?P<path>[^\s:()]{{1,300}}):{_LINE}",
        # PHP: #0 /x/y.php(12): Thing->method()
        rf"#\d{{1,4}} (?P<path>[^\s(]{{1,300}})\({_LINE}\): (?P<name>[\w\\:>-]{{1,200}})\(",
        rf".{{0,300}}\bin (?P<path>/?[^\s:]{{1,300}}\.php)(?: on line |:){_LINE}",
        # Go: the line under the function's: /x/y.go:12 +0x1d    Rust: at src/x.rs:12:5
        rf"(?P<path>[^\s:()]{{1,300}}\.go):{_LINE} \+0x[0-9a-f]{{1,16}}$",
        rf"at (?P<path>[^\s:()]{{1,300}}\.rs):{_LINE}(?::\d{{1,8}})?$",
        # Rust: panicked at src/x.rs:12:5    panicked at 'why', src/x.rs:12:5
        rf".{{0,200}}panicked at (?:'.{{0,300}}', )?(?P<path>[^\s:']{{1,300}}\.rs):{_LINE}",
        # rustc:  --> src/x.rs:12:5
        rf"--> ?(?P<path>[^\s:()]{{1,300}}):{_LINE}:\d{{1,8}}$",
    )
)
# Cheap tests before the expensive ones: a frame needs a number after a colon, a parenthesis or the word line.
_MAYBE: Final = lazily(r"[:(]\d|\bline \d|\.\w{1,6} in \w")
_PLACE: Final = lazily(rf"(?<![\w/\\.])(?P<path>{FILE}):{_LINE}(?:[:-]\d{{1,8}})?(?!\d)")
_PLACE_IN_WORDS: Final = lazily(rf"(?<![\w/\\.])(?P<path>{FILE})[`'\"]?,? (?:on |at |\()?lines? {_LINE}")
_GO_FUNCTION: Final = lazily(
    r"created by (?P<by>\S{1,250})|.{0,250}?(?P<name>\w{1,120})(?:\[\.\.\.\])?\([^()]{0,250}\)$"
)
_RUST_FUNCTION: Final = lazily(r"\d{1,4}: {1,4}(?:0x[0-9a-f]{1,16} - )?(?P<name>[\w:<>]{1,250})")
# Where package managers and languages put what a program did not bring itself.
_INSTALLED: Final = lazily(
    r"(?:.{0,300}/)?(?:site-packages|dist-packages|lib/python\d[\d.]{0,6}|Python\d{1,4}/[Ll]ib"
    r"|node_modules|node:internal|\.cargo/(?:registry/src/[^/]+|git/checkouts/[^/]+/[^/]+)|rustc/[0-9a-f]{7,40}"
    r"|lib/rustlib/src/rust|go/pkg/mod|usr/(?:local|lib)/go(?:-[\d.]{1,8})?/src"
    r"|vendor/bundle|gems(?=/[\w.-]{1,80}-\d)|lib/ruby/\d[\d.]{0,8}|vendor(?=/[^/]{1,80}/[^/]{1,80}/.{1,300}\.php))/"
    r"|^internal/(?=(?:main|modules|process|streams|timers)/)"
)
_SCHEME: Final = lazily(r"^(?:file|webpack|webpack-internal|app|rollup|vite|http|https)://(?:/\.?/?|[^/]*/)?")


@dataclass(frozen=True, slots=True)
class Frame:
    """A place a trace or a message names; line 0 and no function when it does not say.

    `rooted` says that the path begins where its package begins, as in Java and in everything installed: a file whose
    path only ends alike is another.
    """

    path: str
    line: int
    function: str = ""
    rooted: bool = field(default=False, compare=False)


def is_frame(line: str) -> bool:
    """Whether the line is a stack frame in some notation."""
    if not _MAYBE.search(line):
        return False
    line = line.strip()
    return any(notation.match(line) for notation in _NOTATIONS)


def is_file(path: str) -> bool:
    """Whether the path ends like a file people keep in projects."""
    return path.rpartition(".")[2].lower() in SUFFIXES


def find_frames(lines: Iterable[str]) -> list[Frame]:
    """The places the lines name, in order, each once."""
    found: dict[Frame, None] = {}
    above = ""
    for line in lines:
        line = line.strip()
        if _MAYBE.search(line):
            for frame in _frames_of(line, above):
                if not frame.path.startswith("<"):  # <stdin>, <string>, <frozen importlib>
                    found[frame] = None
            if len(found) >= MOST_FRAMES:
                break
        above = line
    return _without_repeats(found)


def _without_repeats(found: Iterable[Frame]) -> list[Frame]:
    """A place named both bare and with its function is the latter."""
    frames = list(found)
    named = {(frame.path, frame.line) for frame in frames if frame.function}
    return [frame for frame in frames if frame.function or (frame.path, frame.line) not in named]


def _frames_of(line: str, above: str) -> list[Frame]:
    for notation in _NOTATIONS:
        match = notation.match(line)
        if match:
            return [_frame(match.groupdict(), above)]
    places = [*_PLACE.finditer(line), *_PLACE_IN_WORDS.finditer(line)]
    return [
        Frame(plain_path(place["path"]), _number(place["line"]), rooted=is_installed(place["path"]))
        for place in places
        if is_file(place["path"])
    ]


def _frame(groups: dict[str, str | None], above: str) -> Frame:
    path, name = groups.get("path") or "", groups.get("name") or ""
    java = groups.get("java")
    if java:
        package, _, name = java.rpartition(".")
        folders = [part for part in package.split(".")[:-1] if part]
        path = "/".join([*folders, path])
    elif not name and path.endswith((".go", ".rs")):
        name = _function_above(above, path)
    rooted = is_installed(path) or (bool(java) and path.endswith(".java"))
    return Frame(plain_path(path), _number(groups.get("line")), plain_function(name), rooted)


def _function_above(above: str, path: str) -> str:
    if path.endswith(".rs"):
        rust = _RUST_FUNCTION.match(above)
        return rust["name"] if rust else ""
    go = _GO_FUNCTION.match(above)
    return (go["by"] or go["name"]) if go else ""


def _number(text: str | None) -> int:
    return int(text) if text else 0


def plain_function(name: str) -> str:
    """The function's own name: no package, no arguments, no compiler's decoration."""
    name = name.strip(" `'\"")
    if name.startswith("<") or not name:
        return ""
    name = re.sub(r"<[^<>]*>|\([^()]*\)| \[as .*", "", name)
    parts = [part for part in re.split(r"::|->|[.#/\\ ]", name) if part and part not in ("*", "as")]
    if parts and re.fullmatch(r"h[0-9a-f]{16}", parts[-1]):  # Rust's symbol hash
        parts.pop()
    last = parts[-1] if parts else ""
    lambda_of = re.match(r"lambda\$(\w+)\$\d+", last)
    return lambda_of[1] if lambda_of else last


def is_installed(path: str) -> bool:
    """Whether the path, as it was written, lies where packages or a language's own library are installed."""
    return bool(_INSTALLED.match(path.strip().replace("\\", "/")))


def plain_path(path: str) -> str:
    """The path with forward slashes, from the project or the installed package on."""
    path = _SCHEME.sub("", path.strip().replace("\\", "/"))
    path = _INSTALLED.sub("", path)
    path = re.sub(r"^(?:[A-Za-z]:)?[/~.]*/+", "", path)
    return path.removeprefix("./").partition("?")[0]
