"""TypeScript."""

from __future__ import annotations

from haversack.sources.code.languages.ecmascript import (
    BASES,
    CLASS,
    IMPORTED,
    KEYWORDS,
    NAMESPACE,
    REFS,
    RULES,
    member,
)
from haversack.sources.code.rules import Define, Inside, Lang

RULES.update(
    {
        "interface_declaration": Define("type"),
        "type_alias_declaration": Define("type", body=()),
        "enum_declaration": Define("type"),
        "abstract_class_declaration": CLASS,
        "function_signature": Define("function", body=()),
        "public_field_definition": member,
        "internal_module": NAMESPACE,
        "module": NAMESPACE,
        "ambient_declaration": Inside(),
    }
)

LANG = Lang(grammar="typescript", rules=RULES, refs=REFS, not_refs=KEYWORDS, bases=BASES, imported=IMPORTED)
