"""Zstandard, from wherever this Python has it; imported only when a packed file is met."""

from __future__ import annotations

import sys
from typing import BinaryIO, cast

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ZstdError: type[Exception] = zstd.ZstdError


def unpacked(file: BinaryIO) -> BinaryIO:
    """The plain bytes of a packed file, as a stream."""
    return cast(BinaryIO, zstd.ZstdFile(file, "rb"))
