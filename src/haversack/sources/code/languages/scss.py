"""SCSS."""

from __future__ import annotations

from haversack.sources.code.languages.css import REFS, RULES
from haversack.sources.code.rules import Lang

LANG = Lang(grammar="scss", rules=RULES, refs=REFS)
