"""Marks that stand where lines were left out: a comment in the unit's own language, with the lines it stands for."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

ELLIPSIS: Final = "…"

# Comment syntax, before and after, and the languages that write comments so.
_SYNTAX: Final = (
    (
        ("// ", ""),
        "astro c cpp csharp cuda dart fsharp glsl go groovy hlsl java javascript json json5 jsonc jsx kotlin less objc "
        "objective-c php proto protobuf rust scala scss solidity svelte swift thrift tsx typescript v vue zig",
    ),
    (
        ("# ", ""),
        "bash cmake conf crystal dockerfile elixir env fish gdscript graphql hcl ini julia just make makefile nim nix "
        "perl powershell properties puppet python r ruby sh shell starlark tcl terraform toml yaml zsh",
    ),
    (("-- ", ""), "ada elm haskell lua purescript sql vhdl"),
    (("<!-- ", " -->"), "html svg xml"),
    (("/* ", " */"), "css"),
    (("(* ", " *)"), "ocaml"),
    ((";; ", ""), "clojure commonlisp elisp fennel lisp racket scheme"),
    (("% ", ""), "erlang latex matlab prolog tex"),
)
_COMMENTS: Final = {lang: comment for comment, langs in _SYNTAX for lang in langs.split()}


class Marks(Struct, frozen=True):
    """How left-out lines are marked: by comment syntax, and by line number when the text has lines of a file."""

    before: str = ""
    after: str = ""
    located: bool = True

    @classmethod
    def of_code(cls, lang: str, *, located: bool = True) -> Marks:
        """Marks that read as a comment of that language; bare where it has none that we know."""
        before, after = _COMMENTS.get(lang, ("", ""))
        return cls(before, after, located)

    def elided(self, start: int, end: int, indent: str = "") -> str:
        """The mark for lines `start` to `end`."""
        if not self.located:
            what = f"{end - start + 1} lines elided" if end > start else "1 line elided"
        elif start == end:
            what = f"line {start} elided"
        else:
            what = f"lines {start}-{end} elided"
        return f"{indent}{self.before}{ELLIPSIS} {what}{self.after}"

    def cut_inside(self, line: int, end: int) -> str:
        """The mark for a line shown in part, and whatever comes after it."""
        if not self.located:
            what = "cut here"
        elif line == end:
            what = f"line {line} cut here"
        else:
            what = f"line {line} cut here, lines {line + 1}-{end} elided"
        return f"{self.before}{ELLIPSIS} {what}{self.after}"
