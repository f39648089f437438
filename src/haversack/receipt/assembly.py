"""The assembly log: a short record per packet, kept beside its receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from haversack.index.journal import Assembly
from haversack.receipt.codec import encode
from haversack.receipt.record import Receipt

if TYPE_CHECKING:
    from haversack.index.journal import Journal


def assembly_of(receipt: Receipt, created: float) -> Assembly:
    """What the log keeps of a packet, in the words of seed 002."""
    return Assembly(
        task_id=receipt.packet_id,
        created=created,
        session=receipt.session,
        task_type=receipt.task_type,
        sources_queried=receipt.sources_queried,
        candidates_found=receipt.candidates_found,
        items_included=receipt.items_included,
        tokens_used=receipt.tokens,
        tokens_budget=receipt.budget.available,
        compression_applied=receipt.compression_applied,
        assembly_time_ms=round(sum(receipt.timings.values()), 1),
    )


def remember(journal: Journal, receipt: Receipt, created: float) -> None:
    """Keep the receipt of a packet and its line in the assembly log."""
    journal.put_receipt(receipt.packet_id, created, receipt.session, encode(receipt))
    journal.put_assembly(assembly_of(receipt, created))
