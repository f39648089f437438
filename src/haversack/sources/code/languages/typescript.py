"""TypeScript."""

from __future__ import annotations

from haversack.sources.code.languages.ecmascript import BASES, IMPORTED, KEYWORDS, REFS, RULES
from haversack.sources.code.rules import Lang

LANG = Lang(grammar="typescript", rules=RULES, refs=REFS, not_refs=KEYWORDS, bases=BASES, imported=IMPORTED)
