"""What a renderer is, and what it is told: a packet's text is a row of blocks whose token counts add up.

Every block is empty, or ends in a newline and begins with a character that is neither white space nor "/" (the
joining law of `haversack.tokens`). A block reads the same wherever it stands, so the cost of an item is known before
its place is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from msgspec import Struct

from haversack.model import Chosen, Rung, Section

if TYPE_CHECKING:
    from haversack.render.labels import Labels

BlockKind: TypeAlias = Literal["header", "section", "item", "close", "footer"]

# The task is echoed at the end so that one packet can be read alone; the model usually has the whole of it anyway.
TASK_ECHO = 160


class PacketInfo(Struct, frozen=True):
    """What the header and the footer say. The header uses only what stays the same from task to task.

    `budget` is None when there is none. `short_by` is how many tokens the mandatory part lacks (0: it fits).
    `not_read` names sources and files that failed. `given` are the handles of what the session has already.
    """

    task: str
    budget: int | None
    counter: str
    short_by: int = 0
    not_read: tuple[str, ...] = ()
    echo_task: bool = True
    given: tuple[int, ...] = ()


class OmittedGroup(Struct, frozen=True):
    """Things left out of one section, how many for which reason; `first` is the path or id of the one to enter next."""

    section: str
    count: int
    reasons: tuple[tuple[str, int], ...]
    first: str
    enters_at_budget: int | None


class RenderOptions(Struct, frozen=True):
    """Choices that change bytes: shown scores, lines in the footer, the handle of the first item (None: no handles)."""

    scores: bool = False
    footer_groups: int = 4
    first_number: int | None = None


class Block(Struct, frozen=True):
    """One block of the text and what it shows."""

    kind: BlockKind
    text: str
    section: str = ""
    chosen: Chosen | None = None


class Rendered(Struct, frozen=True):
    """A packet's text and the blocks it is made of, in order."""

    text: str
    blocks: tuple[Block, ...]

    @property
    def items(self) -> tuple[Block, ...]:
        """The item blocks, in packet order."""
        return tuple(block for block in self.blocks if block.kind == "item")


class Renderer(Protocol):
    """Writes the blocks of one format. Pure: the same arguments give the same bytes."""

    @property
    def name(self) -> str: ...

    def header(self, info: PacketInfo) -> str: ...

    def open_section(self, section: Section) -> str: ...

    def item(self, labels: Labels, rung: Rung) -> str:
        """One item: what is said about it and its text."""
        ...

    def close_section(self) -> str: ...

    def footer(self, groups: Sequence[OmittedGroup], info: PacketInfo) -> str:
        """What was left out and how to get it, then the end of the packet."""
        ...

    def unchanged(self, given: Sequence[int]) -> str:
        """A whole packet for a session that has everything already."""
        ...
