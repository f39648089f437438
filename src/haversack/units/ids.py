"""Stable names for units: the same across runs, machines and shifted lines."""

from __future__ import annotations

from hashlib import blake2b

DIGITS = 12  # hexadecimal: among a million units two share a name with a chance of 1 in 600


def unit_id(source: str, path: str, kind: str, qualname: str, ordinal: int = 0) -> str:
    """A short id; `ordinal` tells equal names in one file apart, in order of appearance."""
    whole = f"{source}\0{path}\0{kind}\0{qualname}\0{ordinal}".encode("utf-8", "surrogatepass")
    return source[:1] + blake2b(whole, digest_size=DIGITS // 2).hexdigest()
