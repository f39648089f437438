"""A file's text parsed and walked: its own language, and scripts in others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.sources.code.grammar import MOST_BYTES, errors, parse
from haversack.sources.code.languages import dialect
from haversack.sources.code.macros import without_attributes, without_macros
from haversack.sources.code.prose import LICENCE, comment_text
from haversack.sources.code.skeleton import emptied
from haversack.sources.code.view import View, first_child
from haversack.sources.code.walk import Walk, docstring

if TYPE_CHECKING:
    from tree_sitter import Range, Tree

    from haversack.sources.code.rules import Lang
    from haversack.sources.code.walk import Dialect, Draft

_SCRIPT_LANGUAGE = re.compile(r"""\b(?:lang|type)\s*=\s*["']([^"']*)["']""")
_SCRIPTS = {
    "": "javascript", "js": "javascript", "module": "javascript", "text/javascript": "javascript",
    "text/babel": "javascript", "jsx": "javascript", "ts": "typescript", "typescript": "typescript",
    "text/typescript": "typescript", "tsx": "tsx",
}  # fmt: skip


class Parsed(Struct):
    """Definitions with the language each is written in, and what stands around them."""

    lang: Lang  # of what stands outside definitions
    drafts: list[Draft]
    langs: list[Lang]
    imports: dict[str, None]
    import_lines: list[tuple[int, int]]
    imported: dict[str, None]
    comments: list[tuple[int, int]]
    faults: int  # places that the grammar does not understand
    doc: str = ""
    doc_end: int = 0


def parsed(text: str, lines: list[str], known: Dialect) -> Parsed | None:
    """Everything a walk finds; None when the text cannot be parsed within bounds."""
    lang = known.lang
    other = dialect(lang.otherwise) if lang.otherwise else None
    if other is None:
        return _parsed_as(known, text, lines)
    # What looks like another language is read as that; what does not parse may be another.
    looks = lang.told_by is not None and lang.told_by.search(text) is not None
    first, second = (other, known) if looks else (known, other)
    found = _parsed_as(first, text, lines)
    if found is not None and (not found.faults or (lang.told_by is not None and not looks)):
        return found
    again = _parsed_as(second, text, lines)
    return again if found is None or (again is not None and again.faults < found.faults) else found


def _parsed_as(known: Dialect, text: str, lines: list[str]) -> Parsed | None:
    lang = known.lang
    data = text.encode("utf-8", "replace")
    if lang.bodies is not None and len(data) <= MOST_BYTES:
        data = emptied(data, lang.bodies)
    tree = _tree(data, lang)
    if tree is None:
        return None
    root = tree.root_node
    view = View(text, data, lines, known.language)
    walk = Walk(view, known)
    walk.run(root)
    found = Parsed(
        lang, walk.drafts, [lang] * len(walk.drafts), walk.imports, walk.import_lines, walk.imported, walk.comments,
        errors(tree),
    )  # fmt: skip
    if walk.scripts:
        _add_scripts(found, text, data, walk, view)
    doc = docstring(view, root) if lang.docstrings else None
    if doc is not None:
        found.doc, found.doc_end = doc[0], doc[1][1]
    else:
        found.doc, found.doc_end = _header(lines, found)
    return found


def _tree(data: bytes, lang: Lang) -> Tree | None:
    """The syntax tree; where the grammar stumbles over macros, the one without them if it has fewer faults."""
    if not lang.macros:
        return parse(data, lang.grammar)
    data = without_attributes(data)  # before any parse: some are read without fault, as a function of their own name
    tree = parse(data, lang.grammar)
    if tree is None or not tree.root_node.has_error:
        return tree
    plain = without_macros(data)
    if plain == data:
        return tree
    faults = errors(tree)
    del tree  # two of a large file at once are too much
    bare = parse(plain, lang.grammar)
    return bare if bare is not None and errors(bare) < faults else parse(data, lang.grammar)


def _add_scripts(found: Parsed, text: str, data: bytes, host: Walk, view: View) -> None:
    """Walk embedded code in place, so that its lines are the file's."""
    by_language: dict[str, list[Range]] = {}
    for rule, node in host.scripts:
        held = view.child(node, rule.held)
        opening = first_child(node)
        if held is None or opening is None or held.start_byte >= held.end_byte:
            continue
        name = rule.language or _tag_language(view.text(opening))
        if name is not None:
            by_language.setdefault(name, []).append(held.range)
    for name, ranges in sorted(by_language.items()):
        known = dialect(name)
        tree = parse(data, known.lang.grammar, ranges) if known is not None else None
        if known is None or tree is None:
            continue
        walk = Walk(View(text, data, view.lines, known.language), known)
        walk.run(tree.root_node)
        found.lang = known.lang
        found.faults += errors(tree)
        found.imports |= walk.imports
        found.import_lines = sorted(found.import_lines + walk.import_lines)
        found.imported |= walk.imported
        found.comments = sorted(found.comments + walk.comments)
        _merge(found, walk.drafts, known.lang)


def _tag_language(tag: str) -> str | None:
    match = _SCRIPT_LANGUAGE.search(tag)
    return _SCRIPTS.get(match[1].lower() if match else "")


def _merge(found: Parsed, more: list[Draft], lang: Lang) -> None:
    """Put the drafts of a script among the others, by line; parents move with them."""
    for draft in more:
        if draft.parent >= 0:
            draft.parent += len(found.drafts)
    drafts, langs = found.drafts + more, found.langs + [lang] * len(more)
    order = sorted(range(len(drafts)), key=lambda n: (drafts[n].start, -drafts[n].end))
    place = {old: new for new, old in enumerate(order)}
    for draft in drafts:
        draft.parent = place.get(draft.parent, -1)
    found.drafts, found.langs = [drafts[n] for n in order], [langs[n] for n in order]


def _header(lines: list[str], found: Parsed) -> tuple[str, int]:
    """What the comment at the top of a file says, licences aside, and its last line."""
    starts = [draft.start for draft in found.drafts[:1]] + [start for start, _ in found.import_lines[:1]]
    first = min(starts, default=len(lines) + 1)
    said: list[str] = []
    last = 0
    for start, end in found.comments:
        if start >= first or (said and start > last + 1):
            break
        block = lines[start - 1 : end]
        if not LICENCE.search("\n".join(block)):
            said += block
            last = end
        elif said:
            break
    return comment_text(said), last
