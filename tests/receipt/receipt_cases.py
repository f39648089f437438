"""A packet made the way the library makes one, for the tests of receipts."""

from __future__ import annotations

from typing import Any

from haversack.model import (
    Candidate,
    Chosen,
    Citation,
    Level,
    Omitted,
    Problem,
    Purchase,
    Rung,
    Scored,
    Section,
    Span,
    Task,
    Unit,
)
from haversack.pack.budget import Budget
from haversack.receipt.build import make_receipt
from haversack.receipt.certificate import certify
from haversack.receipt.packet import Packet, packet_id, packet_items
from haversack.receipt.record import Overflow, Receipt, Setting
from haversack.render import Markdown, PacketInfo, assemble
from haversack.tokens import counter

COUNT = counter("o200k").count
NOON = 1_763_208_000.5
SECTIONS = (
    Section("primary", "Primary context", 0, 50.0, 4000, 0.7),
    Section("supporting", "Supporting context", 0, 30.0, 2000, 0.5),
    Section("history", "History", 0, 5.0, 500),
)
TASK = Task(
    "Fix `TokenError` in src/auth/login.py on refresh",
    type="bug",
    type_words=("Fix", "Error"),
    terms={"tokenerror": 2.0, "refresh": 1.5, "login": 1.0},
    identifiers=("TokenError",),
    paths=("src/auth/login.py",),
)
OMITTED = (
    Omitted("reset", "reset_password", "budget", 1300, "primary", 0.72, "src/auth/reset.py"),
    Omitted("logout", "logout", "budget", 9100, "supporting", 0.51, "src/auth/logout.py"),
    Omitted("old", "legacy", "below threshold", None, "supporting", 0.2, "src/old.py"),
    Omitted("copy", "Login.run", "duplicate of run", None, "primary", 0.8, "src/copy.py"),
)
SETTINGS = {"budget": Setting(1200, "flag"), "profile": Setting("default"), "pack.soft": Setting(False)}


def unit(identity: str, path: str | None = "src/auth/login.py", lines: Span | None = None, **fields: Any) -> Unit:
    """A function of that file."""
    given: dict[str, Any] = {"source": "code", "kind": "function", "title": identity, "text": "", "lang": "python"}
    return Unit(id=identity, path=path, span=lines, **(given | fields))


def choose(
    what: Unit,
    text: str,
    level: Level = Level.FULL,
    *,
    score: float = 0.8,
    section: str = "primary",
    explicit: bool = False,
    pinned: bool = False,
    also: tuple[Citation, ...] = (),
    span: Span | None = None,
) -> Chosen:
    """That unit at that level."""
    factors = {"task_alignment": 0.9, "recency": 0.4, "mention_density": 0.0, "file_type": 1.0}
    rung = Rung(level, text, 0, 1.0, span or what.span)
    return Chosen(Candidate(Scored(what, score, factors, explicit), section, (rung,), pinned, also), rung)


CHOSEN = (
    choose(
        unit("run", lines=Span(10, 14), qualname="Login.run", title="Login.run"),
        "def run(self):\n    raise TokenError('expired')\n",
        score=0.91,
        explicit=True,
        also=(Citation.of_file("src/copy.py", Span(1, 5)),),
    ),
    choose(unit("check", lines=Span(40, 60), qualname="check"), "def check(): ...\n", Level.DETAILED, score=0.6),
    choose(
        unit("doc", "docs/auth.md", Span(1, 9), source="docs", kind="section"),
        "Tokens.",
        score=0.55,
        section="supporting",
    ),
)


def make(
    chosen: tuple[Chosen, ...] = CHOSEN,
    omitted: tuple[Omitted, ...] = OMITTED,
    *,
    task: Task = TASK,
    budget: Budget | None = None,
    settings: dict[str, Setting] = SETTINGS,
    time: float = NOON,
    **more: Any,
) -> Packet:
    """A packet of these items with its receipt."""
    limits = budget or Budget(2000, 500, 300)
    rendered = assemble(Markdown(), PacketInfo(task.text, limits.available, "o200k"), SECTIONS, chosen, omitted)
    tokens = COUNT(rendered.text)
    identity = packet_id(task.text, settings, rendered.text)
    certificate = certify(task, chosen)
    given: dict[str, Any] = {
        "session": "s1",
        "model": "gpt-5",
        "allocated": {"primary": 600, "supporting": 360, "history": 60},
        "overflow": Overflow(bool(omitted), "prioritize", tuple(each.id for each in omitted)),
        "sources_queried": ("docs", "code"),
        "candidates_found": 41,
        "timings": {"retrieve": 12.5, "pack": 3.25},
        "problems": (Problem("logs/app.log", "permission denied", "chmod +r"),),
        "next_1000": (Purchase("reset", "reset_password", Level.FULL, 1300),),
        "budget_exceeded": tokens > limits.available,
    }
    receipt = make_receipt(
        packet_id=identity,
        time=time,
        task=task,
        counter="o200k",
        count=COUNT,
        tokens=tokens,
        budget=limits,
        rendered=rendered,
        sections=SECTIONS,
        omitted=omitted,
        settings=settings,
        certificate=certificate,
        **(given | more),
    )
    return Packet(
        packet_id=identity,
        task=task.text,
        budget=limits.available,
        tokens=tokens,
        counter="o200k",
        budget_exceeded=receipt.budget_exceeded,
        text=rendered.text,
        items=packet_items(rendered, COUNT),
        omitted=omitted,
        certificate=certificate,
        receipt=receipt,
        timings=receipt.timings,
    )


def receipt_of(*args: Any, **fields: Any) -> Receipt:
    """The receipt of such a packet."""
    return make(*args, **fields).receipt
