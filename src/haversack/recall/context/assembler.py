"""Seed 004's ContextAssembler: asks all sources at once, fits what they answer into a budget, survives what fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from hashlib import blake2b

from haversack import logs
from haversack.errors import HaversackError, UsageError
from haversack.memory.vocabulary import DOMAINS, STRATEGIES, one_of
from haversack.model import Problem
from haversack.recall.context.alike import distinct
from haversack.recall.context.fit import Fitted, Fitter, choose
from haversack.recall.context.nouns import (
    WEIGHTS,
    FormattedContext,
    InvalidContextTypeError,
    Piece,
    Searcher,
)
from haversack.recall.context.premortem import SECTIONS, ask_premortem, joined, shown_once
from haversack.tokens import Counter, counter

SECONDS = 10.0  # a source that takes longer than this is left out and named
MOST_ITEMS = 1_000


class ContextAssembler:
    """Gathers context from several sources for an agent."""

    def __init__(self, searcher: Searcher, *, counter: Counter | None = None) -> None:
        self._searcher = searcher
        self._counter = counter

    async def assemble_context(
        self,
        query: str,
        context_types: Sequence[str],
        limit: int = 20,
        max_tokens: int = 2000,
        *,
        soft: bool = False,
    ) -> FormattedContext:
        """Context for the query from the sources named: memories, code, experiences, values, commits.

        `max_tokens` holds for the whole text, headings and footer included; with `soft` every source that answers shows
        at least its best item, and `exceeded` says so. A source that fails is left out and named in `problems`.
        """
        wanted = _known_types(context_types)
        _check(query, limit, max_tokens)
        search = self._searcher
        asked: dict[str, Awaitable[Sequence[Piece]]] = {}
        for name in wanted:
            if name == "experiences":
                asked[name] = search.search_experiences(query, axis="full", limit=limit)
            else:
                asked[name] = getattr(search, f"search_{name}")(query, limit)
        pieces, problems = await _answers(asked)
        weights = {name: WEIGHTS[name] for name in wanted}
        titles = {name: name.capitalize() for name in wanted}
        page = _Page("# Context", titles, lambda shown: _footer(shown))
        return self._formatted(query, page, distinct(pieces), weights, max_tokens, soft, problems)

    async def get_premortem_context(
        self,
        domain: str,
        strategy: str | None = None,
        limit: int = 10,
        max_tokens: int = 1500,
        *,
        soft: bool = False,
    ) -> FormattedContext:
        """What went wrong before in a domain, and with a strategy: failures, surprises, root causes, principles.

        One failure is told once, under the first heading it belongs to, with how often it happened.
        """
        domain = one_of("domain", domain, DOMAINS)
        strategy = one_of("strategy", strategy, STRATEGIES) if strategy is not None else None
        _check(domain, limit, max_tokens)
        pieces, problems = await _answers(ask_premortem(self._searcher, domain, strategy, limit))
        titles = {name: title for name, title, _ in SECTIONS if strategy or name != "strategy"}
        weights = {name: weight for name, _, weight in SECTIONS if name in titles}
        heading = f"# Premortem: {domain}" + (f" with {strategy}" if strategy else "")
        once = shown_once(self._told(joined(pieces), weights, max_tokens))
        page = _Page(heading, titles, lambda shown: f"*Based on {_experiences(shown)} past experiences*")
        return self._formatted(heading, page, once, weights, max_tokens, soft, problems)

    def _told(
        self, pieces: dict[str, list[Piece]], weights: Mapping[str, int], max_tokens: int
    ) -> dict[str, list[Piece]]:
        """The same, failures that will hardly fit left to the shorter sections if one of those tells them, too."""
        room = max_tokens * weights["failures"] // sum(weights.values())
        fitter = Fitter((self._counter or counter()).count)
        fits = {each.piece.key for each in choose(pieces, {"failures": 1}, room, fitter)["failures"]}
        elsewhere = {each.key for name, found in pieces.items() if name != "failures" for each in found}
        failures = [each for each in pieces["failures"] if each.key in fits or each.key not in elsewhere]
        return {**pieces, "failures": failures}

    def _formatted(
        self,
        query: str,
        page: _Page,
        pieces: Mapping[str, Sequence[Piece]],
        weights: Mapping[str, int],
        max_tokens: int,
        soft: bool,
        problems: tuple[Problem, ...],
    ) -> FormattedContext:
        count = (self._counter or counter()).count
        if not any(pieces.values()):
            return FormattedContext("", [], 0, {}, problems=problems, query=query)
        fitter = Fitter(count)
        frame = count(page.text(dict.fromkeys(weights, ()), all_titles=True)) + len(weights)
        chosen = choose(pieces, weights, max(0, max_tokens - frame), fitter)
        if soft:
            for name, found in chosen.items():
                if not found and pieces.get(name):
                    best = pieces[name][0]
                    found.append(Fitted(best, best.content, count(best.content) + 1))
        text = page.text(chosen)
        while not soft and count(text) > max_tokens and any(chosen.values()):
            _drop_least(chosen)
            text = page.text(chosen)
        if not any(chosen.values()):
            text = ""
        shown = [each for found in chosen.values() for each in found]
        tokens = count(text)
        if tokens > max_tokens:
            logs.warning("context over its budget", tokens=tokens, budget=max_tokens)
        shown.sort(key=lambda each: (-each.piece.relevance, each.piece.key))
        used: dict[str, int] = {}
        for each in shown:
            used[each.piece.source] = used.get(each.piece.source, 0) + 1
        return FormattedContext(
            markdown=text,
            items=[each.item() for each in shown],
            token_count=tokens,
            sources_used=used,
            exceeded=tokens > max_tokens,
            problems=problems,
            experiences=_experiences(chosen),
            packet="x" + blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest(),
            query=query,
        )


class _Page:
    """The Markdown around the items."""

    def __init__(self, heading: str, titles: Mapping[str, str], footer: object) -> None:
        self._heading = heading
        self._titles = titles
        self._footer = footer

    def text(self, chosen: Mapping[str, Sequence[Fitted]], *, all_titles: bool = False) -> str:
        """Sections in their order, those without items left out."""
        parts = [self._heading]
        for name, title in self._titles.items():
            found = chosen.get(name, ())
            if found or all_titles:
                parts += [f"## {title}", *(each.content for each in found)]
        assert callable(self._footer)
        return "\n\n".join([*parts, f"---\n{self._footer(chosen)}"]) + "\n"


def _footer(chosen: Mapping[str, Sequence[Fitted]]) -> str:
    items = sum(map(len, chosen.values()))
    return f"*{items} items from {sum(map(bool, chosen.values()))} sources*"


def _experiences(chosen: Mapping[str, Sequence[Fitted]]) -> int:
    """How many experiences the text rests on: those told, and those behind the principles shown."""
    behind: set[str] = set()
    for each in (each for found in chosen.values() for each in found):
        if each.piece.source == "experience":
            behind.add(each.piece.experience)
        more = each.piece.metadata.get("experiences")
        behind.update(more if isinstance(more, list) else ())
    return len(behind)


def _drop_least(chosen: Mapping[str, list[Fitted]]) -> None:
    least = min(
        (found for found in chosen.values() if found),
        key=lambda found: (found[-1].piece.relevance, found[-1].piece.key),
    )
    least.pop()


def _known_types(context_types: Sequence[str]) -> tuple[str, ...]:
    """The sources asked for, in the order of the sections."""
    given = (context_types,) if isinstance(context_types, str) else tuple(context_types)
    unknown = [name for name in given if name not in WEIGHTS]
    if unknown or not given:
        what = f"unknown context type {unknown[0]!r}" if unknown else "no context type was asked for"
        raise InvalidContextTypeError(what, hint=f"known: {', '.join(WEIGHTS)}")
    return tuple(name for name in WEIGHTS if name in given)


def _check(query: str, limit: int, max_tokens: int) -> None:
    if not query.strip():
        raise UsageError("the query is empty", hint="say what context is needed")
    if not 1 <= limit <= MOST_ITEMS:
        raise UsageError(f"a limit is from 1 to {MOST_ITEMS}, not {limit}")
    if max_tokens < 0:
        raise UsageError(f"a number of tokens cannot be negative, as {max_tokens} is")


async def _answers(
    asked: Mapping[str, Awaitable[Sequence[Piece]]],
) -> tuple[dict[str, list[Piece]], tuple[Problem, ...]]:
    """What each source answered; those that failed or took too long are problems, and the rest goes on."""
    answers = await asyncio.gather(
        *(asyncio.wait_for(_awaited(each), SECONDS) for each in asked.values()), return_exceptions=True
    )
    pieces: dict[str, list[Piece]] = {}
    problems: list[Problem] = []
    for name, answer in zip(asked, answers, strict=True):
        if isinstance(answer, BaseException):
            if not isinstance(answer, Exception):
                raise answer
            late = isinstance(answer, TimeoutError)
            what = f"took longer than {SECONDS:.0f} s" if late else f"failed: {_said(answer)}"
            problems.append(Problem(name, what, "the rest of the context does not need it; haversack doctor says more"))
            logs.warning("source left out of context", source=name, reason=what)
            pieces[name] = []
        else:
            pieces[name] = list(answer)
    return pieces, tuple(problems)


async def _awaited(answer: Awaitable[Sequence[Piece]]) -> Sequence[Piece]:
    return await answer


def _said(error: Exception) -> str:
    return error.message if isinstance(error, HaversackError) else f"{type(error).__name__}: {error}"
