"""Receipts as bytes: JSON that a later version can read back, and that an earlier one reads without the new fields."""

from __future__ import annotations

from typing import Any

import msgspec

from haversack.errors import StoreError
from haversack.receipt.record import Receipt
from haversack.render.safe import encodable

_encoder = msgspec.json.Encoder()


def encode(receipt: Receipt) -> bytes:
    """The receipt as UTF-8 JSON; the same receipt gives the same bytes."""
    try:
        return _encoder.encode(receipt)
    except UnicodeEncodeError:  # a file name that is not UTF-8 reached a title or a path
        return _encoder.encode(_writable(msgspec.to_builtins(receipt)))


def decode(data: bytes) -> Receipt:
    """The receipt in the bytes; fields this version does not know are ignored."""
    try:
        return msgspec.json.decode(data, type=Receipt)
    except msgspec.MsgspecError as error:
        raise StoreError(
            f"a stored receipt cannot be read: {error}",
            hint="it was damaged or written by an incompatible version; make a new packet with `haversack pack`",
        ) from error


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    """The receipt as plain values for `--json`, with the counts that are derived from it."""
    values: dict[str, Any] = _writable(msgspec.to_builtins(receipt))
    values["budget"]["available"] = receipt.budget.available
    values["items_included"] = receipt.items_included
    values["compression_applied"] = [encodable(each) for each in receipt.compression_applied]
    return values


def _writable(value: Any) -> Any:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {encodable(key): _writable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(each) for each in value]
    return value
