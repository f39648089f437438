"""TypeScript with JSX."""

from __future__ import annotations

from msgspec.structs import replace

from haversack.sources.code.languages import typescript

LANG = replace(typescript.LANG, grammar="tsx")
