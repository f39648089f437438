"""Code in a paragraph: the first sentences of its docstring, then what it defines, with signatures cut short."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from haversack.model import Unit
from haversack.pack.levels.nodes import depths
from haversack.pack.levels.sentences import first_sentences
from haversack.pack.levels.terms import Terms
from haversack.sources.code.outline import Node, Outline

DOC_SENTENCES: Final = 2
DOC_CHARS: Final = 320
LONGEST_SIGNATURE: Final = 110  # characters; parameters past this are dots
MOST_USES: Final = 8  # names a function's paragraph says it uses
LONGEST_NAME: Final = 48

_PRIVATE: Final = re.compile(r"\b(?:private|fileprivate|static inline)\b")
# In a docstring: a title with its underline, which says the name again, and the list of parameters, which the signature
# says.
_HEADING: Final = re.compile(r"\A\s*[^\n]{1,80}\n[ \t]*[=~^\"'`*+#-]{3,}[ \t]*(?:\n|\Z)")
_FIELDS: Final = re.compile(r"^[ \t]*(?::\w[^\n:]*:|@(?:param|return|throws|type)\b)", re.MULTILINE)
_SPACES: Final = re.compile(r"\s+")
_RECEIVER: Final = re.compile(r"\((?:self|cls|&self|&mut self)(?:, )?(?=[^:])")


def code_paragraph(
    unit: Unit, first: int, outline: Outline | None, within: Sequence[int], terms: Terms, room: int
) -> str:
    """What the unit is for and what it defines, in about `room` characters."""
    own, inner = _own(unit, first, outline, within)
    signature = own.signature if own else unit.signature
    doc = (own.doc if own else unit.doc) or (outline.doc if outline and own is None and first == 1 else "")
    doc = _FIELDS.split(_HEADING.sub("", doc), maxsplit=1)[0].strip()
    said = [short_signature(signature)] if signature else []
    if doc:
        said.append(first_sentences(doc, DOC_SENTENCES, DOC_CHARS))
    if outline and inner:
        said.append(_defines(outline, inner, terms, room - sum(map(len, said))))
    elif not doc and (uses := _uses(unit.refs, terms)):
        said.append(f"Uses {', '.join(uses)}.")
    return "\n".join(said)


def _own(unit: Unit, first: int, outline: Outline | None, within: Sequence[int]) -> tuple[Node | None, Sequence[int]]:
    """The unit's own definition, when it is one, and the definitions inside it."""
    if outline is None or not within or unit.kind in ("file", "module"):
        return None, within
    node = outline.nodes[within[0]]
    same = node.qualname == unit.qualname if unit.qualname else node.start == first
    return (node, within[1:]) if same else (None, within)


def _defines(outline: Outline, inner: Sequence[int], terms: Terms, room: int) -> str:
    """The definitions that fit, the task's and the public ones first, told in the order they stand."""
    nodes = [outline.nodes[at] for at in inner]
    speaks = terms.weights([node.name for node in nodes])
    deep = depths(outline, inner)
    told: dict[int, str] = {}
    for place in sorted(
        range(len(nodes)), key=lambda at: (not speaks[at], is_private(nodes[at], outline.lang), deep[at], at)
    ):
        text = f"L{nodes[place].head} {_told(nodes[place])}"
        room -= len(text) + 2
        if room < 0 and told:
            break
        told[place] = text
    more = len(inner) - len(told)
    listed = "; ".join(told[place] for place in sorted(told))
    return f"Defines {listed}; {more} more." if more else f"Defines {listed}."


def _told(node: Node) -> str:
    """The definition in short, by its full name."""
    text = short_signature(node.signature or node.name)
    return text.replace(node.name, node.qualname, 1) if node.qualname.endswith(node.name) else text


def short_signature(signature: str) -> str:
    """A declaration on one line without its opening bracket or colon, long parameter lists cut."""
    line = _SPACES.sub(" ", signature[: 8 * LONGEST_SIGNATURE]).replace("( ", "(").replace(" )", ")").replace(",)", ")")
    line = _RECEIVER.sub("(", line, count=1).strip().rstrip("{:;= ")
    if len(line) <= LONGEST_SIGNATURE:
        return line
    opening = line.find("(", 0, LONGEST_SIGNATURE)
    closing = line.rfind(")")
    result = (
        line[closing:] if opening >= 0 and closing > opening and len(line) - closing <= LONGEST_SIGNATURE // 3 else ""
    )
    cut = line[: LONGEST_SIGNATURE - len(result) - 1]
    comma = cut.rfind(",", opening + 1)
    return f"{cut[: comma + 1] if comma > 0 else cut}…{result}"


def is_private(node: Node, lang: str) -> bool:
    """Whether a definition is not meant for others, as its language says it."""
    name = node.name
    if name.startswith("__") and name.endswith("__"):
        return False
    if name.startswith(("_", "#")):
        return True
    if lang == "go":
        return not name[:1].isupper()
    if lang == "rust":
        return not node.signature.lstrip().startswith("pub")
    return bool(_PRIVATE.search(node.signature[:LONGEST_SIGNATURE]))


def _uses(refs: Sequence[str], terms: Terms) -> list[str]:
    names = list(dict.fromkeys(ref for ref in refs if 2 < len(ref) <= LONGEST_NAME))
    speaks = terms.weights(names)
    return [names[at] for at in sorted(range(len(names)), key=lambda at: (-speaks[at], at))[:MOST_USES]]
