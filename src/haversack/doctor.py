"""What is configured, found and broken, and the way out of each."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from haversack.errors import HaversackError

if TYPE_CHECKING:
    from haversack.api import Haversack

State: TypeAlias = Literal["ok", "warning", "problem"]
LOW_DISK_BYTES = 200_000_000
MENTIONS_SHOWN = 20  # more of the same kind help nobody at once


class Finding(Struct, frozen=True):
    """One thing that was looked at."""

    name: str
    state: State
    message: str
    fix: str = ""


def examine(haversack: Haversack) -> tuple[Finding, ...]:
    """Look at everything; a check that itself fails is a finding, never an exception."""
    found: list[Finding] = []
    for check in (
        _python,
        _project,
        _config,
        _git,
        _grammars,
        _counter,
        _model,
        _encoder,
        _reader,
        _folder,
        _memory,
        _index,
        _freshness,
        _sources,
        _conversation,
        _mentions,
    ):
        try:
            found.extend(check(haversack))
        except HaversackError as error:
            found.append(Finding(_name(check), "problem", error.message, error.hint))
        except Exception as error:  # a doctor that dies of what it should diagnose helps nobody
            found.append(Finding(_name(check), "problem", f"the check failed: {error!r}", "report this as a bug"))
    return tuple(found)


def _name(check: Callable[[Haversack], Iterator[Finding]]) -> str:
    return check.__name__.strip("_")


def _python(_: Haversack) -> Iterator[Finding]:
    yield Finding("python", "ok", f"Python {sys.version.split()[0]}")


def _project(haversack: Haversack) -> Iterator[Finding]:
    kind = "git repository" if haversack.project.is_git else "plain folder"
    for root in haversack.project.roots:
        yield Finding("project", "ok", f"{root} ({kind})")


def _config(haversack: Haversack) -> Iterator[Finding]:
    files = ", ".join(haversack.config.files) or "no file; defaults, environment and flags only"
    yield Finding("config", "ok", files)


def _git(haversack: Haversack) -> Iterator[Finding]:
    if shutil.which("git"):
        yield Finding("git", "ok", "git is installed")
    elif haversack.project.is_git:
        yield Finding("git", "problem", "git is not installed: history is not read", "install git")
    else:
        yield Finding("git", "warning", "git is not installed", "install git if the project gets a history")


def _grammars(_: Haversack) -> Iterator[Finding]:
    from haversack.sources.code.grammar import available

    yield Finding("grammars", "ok", f"{len(available())} languages are parsed")


def _counter(haversack: Haversack) -> Iterator[Finding]:
    from haversack.tokens import counter, counter_for_model

    pack = haversack.config.pack
    chosen = counter(pack.counter) if pack.counter else counter_for_model(pack.model) if pack.model else counter()
    chosen.count("a test")
    yield Finding("counter", "ok", f"tokens are counted with {chosen.name}")


def _model(haversack: Haversack) -> Iterator[Finding]:
    embedder = haversack.embedder
    if embedder is None:
        yield Finding("model", "warning", "search by meaning is switched off", "set index.semantic = true")
    else:
        known = bool(embedder.embed(["read a file"]).any())
        yield Finding("model", "ok" if known else "problem", f"semantic model {embedder.name}")


def _encoder(haversack: Haversack) -> Iterator[Finding]:
    if haversack.config.index.rerank != "off":
        from haversack.index.encoder import minilm

        encoder = minilm()
        encoder.embed(["read a file"])
        yield Finding("encoder", "ok", f"{encoder.name} looks at the first pieces of code again")


def _reader(haversack: Haversack) -> Iterator[Finding]:
    if haversack.config.index.reader.configured:
        from haversack.assemble.language_model import LanguageModel

        model = LanguageModel(haversack.config.index.reader)
        model.ask("Answer with the word yes.", "Are you there?", 100)
        yield Finding("reader", "ok", f"{model.name} reads the first pieces of code")


def _folder(haversack: Haversack) -> Iterator[Finding]:
    free = shutil.disk_usage(haversack.folder).free
    if free < LOW_DISK_BYTES:
        yield Finding(
            "data folder", "warning", f"{haversack.folder} has {free // 1_000_000} MB left", "free some space"
        )
    else:
        yield Finding("data folder", "ok", str(haversack.folder))
    for problem in haversack.problems:
        yield Finding("data folder", "warning", f"{problem.where} {problem.what}", problem.fix)


def _memory(haversack: Haversack) -> Iterator[Finding]:
    from haversack.memory.database import DATABASE

    wanted = haversack.config.memory_folder() / haversack.project.key
    if haversack.memory_folder != wanted:
        what = f"{wanted} cannot be written; what is remembered goes to {haversack.memory_folder}"
        yield Finding("memory", "warning", what, "make it writable, or set HAVERSACK_DATA_DIR")
    elif (wanted / DATABASE).exists():
        yield Finding("memory", "ok", str(haversack.memory.database.path))  # opening it tells whether it is sound
    else:
        yield Finding("memory", "ok", "nothing was remembered yet")


def _index(haversack: Haversack) -> Iterator[Finding]:
    broken = haversack.store.check()
    for problem in broken:
        yield Finding("index", "problem", f"{problem.where}: {problem.what}", problem.fix)
    if not broken:
        sizes = haversack.store.sizes()
        yield Finding("index", "ok", f"{sizes.units} units of {sizes.items} items in {sizes.segments} segments, sound")


def _freshness(haversack: Haversack) -> Iterator[Finding]:
    status = haversack.status()
    if status.fresh:
        yield Finding("freshness", "ok", f"the index reflects all {status.files} files")
    else:
        what = f"{len(status.changed)} files changed and {len(status.gone)} are gone since the last answer"
        yield Finding("freshness", "ok", what + "; they are read before the next one")
    if status.skipped:
        what = ", ".join(f"{count} {reason}" for reason, count in sorted(status.skipped.items()))
        yield Finding("skipped", "ok", f"left out: {what}")
    for problem in status.problems[:10]:
        yield Finding("file", "warning", f"{problem.where}: {problem.what}", problem.fix)


def _mentions(haversack: Haversack) -> Iterator[Finding]:
    from haversack.retrieve.dangling import dangling

    haversack.refresh()
    found = dangling(haversack.project, haversack.store)
    for each in found[:MENTIONS_SHOWN]:
        what = f"{each.path}:{each.line} points at {each.target}, which is not there"
        yield Finding("mentions", "warning", what, "correct or remove the mention")
    if len(found) > MENTIONS_SHOWN:
        yield Finding("mentions", "warning", f"{len(found) - MENTIONS_SHOWN} more mentions lead nowhere", "as above")
    if not found:
        yield Finding("mentions", "ok", "every link and mention in knowledge and documents leads somewhere")


def _sources(haversack: Haversack) -> Iterator[Finding]:
    sources = haversack.sources
    yield Finding("sources", "ok", ", ".join(sources.names))
    for problem in sources.problems:
        yield Finding("sources", "warning", f"{problem.where}: {problem.what}", problem.fix)


def _conversation(haversack: Haversack) -> Iterator[Finding]:
    from haversack.sources.conversation.finding import described

    if "conversation" in haversack.sources.names:
        known = haversack.store.known("conversation")
        yield Finding("conversation", "ok", described({key: stamp for key, (stamp, _) in known.items()}))
