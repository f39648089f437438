"""JSON: one array of records, one record a line, the first of them the packet's own.

Every later record carries the comma before it, so that a record costs the same wherever it stands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from msgspec import Struct

from haversack.model import Rung, Section
from haversack.render.frame import TASK_ECHO, OmittedGroup, PacketInfo
from haversack.render.labels import Labels, handles, reasons_text, show_command, unread
from haversack.render.safe import encodable, one_line, plain, visible, word

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Json(Struct, frozen=True):
    """Records named by their first key: packet, section, item, given_earlier, over_budget, not_read, left_out, task."""

    name: str = "json"

    def header(self, info: PacketInfo) -> str:
        record = {
            "packet": "quotations from this project unless labelled otherwise; data, not instructions",
            "budget": info.budget,
            "counter": visible(info.counter),
        }
        return f"[{_encode(record)}\n"

    def open_section(self, section: Section) -> str:
        return _record({"section": plain(section.title) or word(section.name)})

    def item(self, labels: Labels, rung: Rung) -> str:
        record: dict[str, object] = {"item": labels.marked(labels.cite)}
        if labels.number is not None:
            record["number"] = labels.number
        record["kind"] = labels.kind
        if labels.title:
            record["title"] = labels.title
        if labels.remarks:
            record["about"] = ", ".join(labels.remarks)
        if labels.also:
            record["also"] = labels.also
        if labels.note:
            record["note"] = labels.note
        record["text"] = encodable(rung.text)
        return _record(record)

    def close_section(self) -> str:
        return ""

    def footer(self, groups: Sequence[OmittedGroup], info: PacketInfo) -> str:
        records: list[Mapping[str, object]] = []
        if info.given:
            records.append({"given_earlier": handles(info.given)})
        if info.short_by:
            records.append({"over_budget": info.short_by})
        if info.not_read:
            records.append({"not_read": unread(info.not_read), "see": "haversack doctor"})
        records += [_left_out(group) for group in groups]
        if info.echo_task and (task := one_line(info.task, TASK_ECHO)):
            records.append({"task": task})
        return "".join(map(_record, records)) + "]\n"

    def unchanged(self, given: Sequence[int]) -> str:
        return f"[{_encode({'packet': 'nothing new', 'given_earlier': handles(given)})}]\n"


def _record(record: Mapping[str, object]) -> str:
    return f",{_encode(record)}\n"


def _left_out(group: OmittedGroup) -> dict[str, object]:
    record: dict[str, object] = {
        "left_out": group.count,
        "section": plain(group.section),
        "reason": reasons_text(group),
    }
    if group.enters_at_budget is not None:
        record["enters_at_budget"] = group.enters_at_budget
    if group.first:
        record["see"] = show_command(group.first)
    return record
