"""What a packet's frame costs before anything is chosen, for the packer to keep free."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from haversack.model import Candidate, Omitted, Section
from haversack.pack.overhead import Overhead
from haversack.render.frame import OmittedGroup, PacketInfo, Renderer
from haversack.render.omitted import opening_name

# The reasons a line can give at once, at their longest.
REASONS = ("budget", "below threshold", "section cap", "source cap", "duplicate")
FAR_BUDGET = 999_999  # an entry budget with as many digits as is likely


def frame_costs(
    renderer: Renderer,
    info: PacketInfo,
    sections: Sequence[Section],
    candidates: Sequence[Candidate],
    count: Callable[[str], int],
) -> Overhead:
    """Tokens of header and footer, of each section heading, and of its line about what was left out, long and short.

    The lines are bounds for the packer's reserve; `assemble_within` measures what is really written.
    """
    waiting: dict[str, list[Candidate]] = {section.name: [] for section in sections}
    for candidate in candidates:
        waiting.setdefault(candidate.section, []).append(candidate)
    bare = count(renderer.footer((), info))
    lines: dict[str, int] = {}
    brief: dict[str, int] = {}
    heading = 0
    for section in sections:
        group = _longest_line(section, waiting[section.name], count)
        one = count(renderer.footer((group,), info))
        lines[section.name] = count(renderer.footer((group, group), info)) - one
        brief[section.name] = count(renderer.footer((group, _shortest_line(group)), info)) - one
        heading = max(heading, one - bare - lines[section.name])
    return Overhead(
        fixed=count(renderer.header(info)) + bare + heading,
        opening={
            section.name: count(renderer.open_section(section)) + count(renderer.close_section())
            for section in sections
        },
        omitted=lines,
        brief=brief,
    )


def _shortest_line(group: OmittedGroup) -> OmittedGroup:
    return replace(group, reasons=group.reasons[:1], first="", enters_at_budget=None)


def _longest_line(section: Section, candidates: Sequence[Candidate], count: Callable[[str], int]) -> OmittedGroup:
    names = {opening_name(Omitted.of(each.scored.unit, "")) for each in candidates}
    longest = max(sorted(names), key=count, default="")
    number = max(1, len(candidates))
    return OmittedGroup(section.title, number, tuple((reason, number) for reason in REASONS), longest, FAR_BUDGET)
