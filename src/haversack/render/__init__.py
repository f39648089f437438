"""Render: a selection becomes Markdown, JSON or XML whose blocks add up in tokens. No I/O."""

from __future__ import annotations

from haversack.errors import UsageError
from haversack.render.assemble import assemble, assemble_within, item_text, order_items, order_sections
from haversack.render.costs import frame_costs
from haversack.render.frame import Block, OmittedGroup, PacketInfo, Rendered, Renderer, RenderOptions
from haversack.render.json import Json
from haversack.render.markdown import Markdown
from haversack.render.omitted import group_omitted
from haversack.render.pools import homes_of
from haversack.render.xml import Xml

RENDERERS: dict[str, Renderer] = {each.name: each for each in (Markdown(), Json(), Xml())}


def renderer(name: str) -> Renderer:
    """The renderer of that name: markdown (or md), json, xml."""
    found = RENDERERS.get("markdown" if name == "md" else name)
    if found is None:
        raise UsageError(f"unknown format {name!r}", hint=f"use one of {', '.join(RENDERERS)}")
    return found


__all__ = [
    "RENDERERS",
    "Block",
    "Json",
    "Markdown",
    "OmittedGroup",
    "PacketInfo",
    "RenderOptions",
    "Rendered",
    "Renderer",
    "Xml",
    "assemble",
    "assemble_within",
    "frame_costs",
    "group_omitted",
    "homes_of",
    "item_text",
    "order_items",
    "order_sections",
    "renderer",
]
