"""Many receipts in one view: how full packets are, where tokens go, what keeps being cut, what is slow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median

from msgspec import Struct, to_builtins

from haversack.receipt.record import Receipt
from haversack.render.safe import encodable, visible
from haversack.render.table import cell_width, fit_cell, tokens_text

PATHS_SHOWN = 10
# Seed 002 warns when packets are consistently near their limit; five in a row is not chance. A good packet is always
# full, so that alone says nothing: what counts is whether something as good as what is in it had to stay out.
NEAR_LIMIT = 0.95
NEAR_LIMIT_RUN = 5


class Spread(Struct, frozen=True):
    """The middle of some ratios; None when there were none."""

    mean: float | None
    median: float | None


class Report(Struct, frozen=True):
    """Figures over packets. Mappings are in order: sections by tokens, paths by how often, stages by time."""

    packets: int
    exceeded: int
    tokens: int
    utilisation: Spread
    efficiency: Spread
    completeness: Spread
    tokens_by_section: Mapping[str, int]
    most_included: Mapping[str, int]
    most_cut: Mapping[str, int]
    stage_ms: Mapping[str, float]
    warnings: tuple[str, ...] = ()

    @property
    def slowest_stage(self) -> str | None:
        """The stage that takes longest on average."""
        return next(iter(self.stage_ms), None)


def report(receipts: Iterable[Receipt]) -> Report:
    """The figures over these receipts, in whatever order they come."""
    known = sorted(receipts, key=lambda receipt: (receipt.timestamp, receipt.packet_id))
    sections: Counter[str] = Counter()
    included: Counter[str] = Counter()
    cut: Counter[str] = Counter()
    stages: dict[str, list[float]] = {}
    for receipt in known:
        for section in receipt.sections:
            sections[section.title] += section.spent
        included.update({item.path for _, item in receipt.items() if item.path})
        cut.update({each.path for each in receipt.omitted if each.path and each.enters_at_budget is not None})
        for stage, milliseconds in receipt.timings.items():
            stages.setdefault(stage, []).append(milliseconds)
    means = {stage: round(fmean(times), 2) for stage, times in stages.items()}
    certificates = [receipt.certificate.completeness for receipt in known if receipt.certificate]
    return Report(
        packets=len(known),
        exceeded=sum(receipt.budget_exceeded for receipt in known),
        tokens=sum(receipt.tokens for receipt in known),
        utilisation=_spread(receipt.metrics.utilisation for receipt in known),
        efficiency=_spread(receipt.metrics.efficiency for receipt in known),
        completeness=_spread(certificates),
        tokens_by_section=_ranked(sections, len(sections)),
        most_included=_ranked(included, PATHS_SHOWN),
        most_cut=_ranked(cut, PATHS_SHOWN),
        stage_ms=dict(sorted(means.items(), key=lambda stage: (-stage[1], stage[0]))),
        warnings=_warnings(known),
    )


def report_rows(summary: Report) -> list[tuple[str, str]]:
    """The report as rows of two cells."""
    rows = [
        ("packets", f"{summary.packets:,} ({summary.exceeded:,} over budget)"),
        ("tokens", f"{summary.tokens:,}"),
        ("utilisation", _spread_text(summary.utilisation)),
        ("efficiency", _spread_text(summary.efficiency)),
        ("completeness", _spread_text(summary.completeness)),
    ]
    rows += [(f"section {visible(title)}", tokens_text(count)) for title, count in summary.tokens_by_section.items()]
    rows += [(f"included {visible(path)}", _times(count)) for path, count in summary.most_included.items()]
    rows += [(f"cut {visible(path)}", _times(count)) for path, count in summary.most_cut.items()]
    if (slowest := summary.slowest_stage) is not None:
        rows.append(("slowest stage", f"{visible(slowest)}, {summary.stage_ms[slowest]:.1f} ms on average"))
    return rows


def report_text(summary: Report) -> str:
    """The report for a person, ending in a newline."""
    if not summary.packets:
        return "No packets yet. `haversack pack TASK` makes one.\n"
    rows = report_rows(summary)
    width = max(cell_width(name) for name, _ in rows)
    lines = [f"{fit_cell(name, width)}  {value}" for name, value in rows]
    lines += [f"warning: {warning}" for warning in summary.warnings]
    return "".join(f"{line}\n" for line in lines)


def report_json(summary: Report) -> dict[str, object]:
    """The report as plain values."""
    values: dict[str, object] = to_builtins(summary)
    for key in ("tokens_by_section", "most_included", "most_cut"):
        values[key] = {encodable(name): count for name, count in getattr(summary, key).items()}
    values["warnings"] = list(summary.warnings)
    values["slowest_stage"] = summary.slowest_stage
    return values


def _warnings(known: Sequence[Receipt]) -> tuple[str, ...]:
    run = 0
    for receipt in reversed(known):
        if (receipt.metrics.utilisation or 0.0) < NEAR_LIMIT:
            break
        run += 1
    if run < NEAR_LIMIT_RUN:
        return ()
    cut: Counter[str] = Counter()
    short = 0
    for receipt in known[-run:]:
        missed = _missed(receipt)
        short += bool(missed)
        cut.update(missed)
    if 2 * short <= run:
        return ()
    title, number = min(cut.items(), key=lambda entry: (-entry[1], entry[0]))
    return (
        f"the last {run} packets used {NEAR_LIMIT:.0%} or more of their budget, and {short} of them left out what is "
        f"as good as what they hold, most often of {visible(title)} ({_times(number)}); raise pack.budget (--budget)",
    )


def _missed(receipt: Receipt) -> list[str]:
    """The sections of what only the budget kept out, and that scored as well as the middle of what they hold."""
    scores = {section.name: [item.score for item in section.items] for section in receipt.sections}
    titles = {section.name: section.title for section in receipt.sections}
    return [
        titles[each.section]
        for each in receipt.omitted
        if each.enters_at_budget is not None and scores.get(each.section) and each.score >= median(scores[each.section])
    ]


def _spread(ratios: Iterable[float | None]) -> Spread:
    known = [ratio for ratio in ratios if ratio is not None]
    return Spread(round(fmean(known), 4), round(median(known), 4)) if known else Spread(None, None)


def _spread_text(spread: Spread) -> str:
    if spread.mean is None or spread.median is None:
        return "unknown"
    return f"mean {spread.mean:.1%}, median {spread.median:.1%}"


def _ranked(counts: Counter[str], limit: int) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:limit])


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
