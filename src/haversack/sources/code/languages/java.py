"""Java."""

from __future__ import annotations

import re

from haversack.sources.code.refs import C_COMMENTS, CHARACTER, DOUBLE, TRIPLE, pattern, words
from haversack.sources.code.rules import Comment, Define, Import, Inside, Lang, Mark

_IMPORT = re.compile(r"import\s+(?:static\s+)?([\w.]+)")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(name.rstrip(".") for name in _IMPORT.findall(text))


CLASS = Define("class", members=True)
TYPE = Define("type", members=True)
METHOD = Define("function")
LANG = Lang(
    grammar="java",
    rules={
        "class_declaration": CLASS,
        "record_declaration": CLASS,
        "interface_declaration": TYPE,
        "enum_declaration": TYPE,
        "annotation_type_declaration": TYPE,
        "enum_body_declarations": Inside(),
        "enum_constant": Inside(body="body", name="name"),
        "method_declaration": METHOD,
        "constructor_declaration": METHOD,
        "compact_constructor_declaration": METHOD,
        "import_declaration": Import(_modules),
        "marker_annotation": Mark(),
        "annotation": Mark(),
        "line_comment": Comment(),
        "block_comment": Comment(),
        "ERROR": Inside(),
    },
    modifiers=frozenset({"modifiers"}),
    refs=pattern(C_COMMENTS, TRIPLE, DOUBLE, CHARACTER, calls=r"\s?\("),
    not_refs=words(
        "if for while switch catch return super this synchronized try assert new String Override Object "
        "Integer Boolean Long"
    ),
    bases=re.compile(r"\b(?:extends|implements)\b(.*)$"),
    test_mark=re.compile(r"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b"),
)
