"""Everything one can ask of a project's memory, as one object: `Haversack.recall`."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec.structs import replace

from haversack.errors import NotFoundError, StoreError, UsageError
from haversack.memory.nouns import Reward
from haversack.model import Problem, Status, Unit
from haversack.recall.answer import Answer, Details, Moment
from haversack.recall.context.assembler import ContextAssembler
from haversack.recall.context.nouns import WEIGHTS, FormattedContext
from haversack.recall.context.searcher import ProjectSearcher
from haversack.recall.layers import MOST_MOMENTS, WINDOW_DAYS, Layers, mean_rewards
from haversack.recall.lessons import Gotcha, Lessons, Pattern
from haversack.recall.rank import ALPHA, BETA, SOURCES, Ranker
from haversack.recall.search import MemorySearch, Wanted
from haversack.recall.skill import Skill, Skills
from haversack.recall.uplift import Effect, effects
from haversack.receipt.codec import decode
from haversack.sources.memory.units import memory_unit
from haversack.tokens import counter

if TYPE_CHECKING:
    from haversack.assemble.texts import Texts
    from haversack.index.embed import Embedder
    from haversack.index.journal import Journal
    from haversack.index.sqlite import SqliteStore
    from haversack.memory.store import MemoryStore
    from haversack.receipt.packet import Packet

Given = TypeVar("Given")


class Opened(Protocol):
    """The parts of an open project that recall works on."""

    problems: tuple[Problem, ...]

    @property
    def store(self) -> SqliteStore: ...

    @property
    def embedder(self) -> Embedder | None: ...

    @property
    def memory(self) -> MemoryStore: ...

    @property
    def journal(self) -> Journal: ...

    @property
    def texts(self) -> Texts: ...

    def fresh(self, answer: Callable[[], Given]) -> Given:
        """The answer from an index brought up to date first."""
        ...


class Recall:
    """Search in three layers, lessons, skills, assembled context, and what came of it."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._rewards: list[Reward] = []
        self._effects: dict[str, Effect] = {}

    # -- layers ----------------------------------------------------------------------------------------------------

    def search_memory(
        self,
        query: str,
        *,
        intent: str | None = None,
        limit: int | None = None,
        alpha: float = ALPHA,
        beta: float = BETA,
        scope: str | None = None,
        within: str | None = None,
        sources: Sequence[str] = SOURCES,
        max_tokens: int | None = None,
        requires_citations: bool = False,
    ) -> Answer:
        """Layer 1: what is remembered that answers, about 50 tokens each, with a certificate of how far it suffices.

        Without a limit, depth grows with the query's complexity; what does not suffice is searched more widely.
        """
        wanted = Wanted(intent, limit, scope, within, tuple(sources), alpha, beta, max_tokens, requires_citations)
        opened = self._opened
        search = MemorySearch(opened.store, opened.embedder, counter().count, self.uplifts)
        answer = opened.fresh(lambda: search.search(query, wanted))
        self._keep(answer.packet, query, [each.id for each in answer.results])
        return answer

    def get_timeline(
        self, observation_id: str, window: float = WINDOW_DAYS, *, limit: int = MOST_MOMENTS
    ) -> tuple[Moment, ...]:
        """Layer 2: what was remembered within `window` days of a record, in order of time, about 150 tokens each."""
        name = self._full_id(observation_id)
        used = [(each, reward.reward) for reward in self._reported() for each in reward.used or reward.carried]
        rewards = mean_rewards(used)
        return self._opened.fresh(lambda: self._layers().timeline(name, window=window, limit=limit, rewards=rewards))

    def get_details(self, task_id: str) -> Details:
        """Layer 3: one record whole, about 500 tokens, and the ids of what belongs to it."""
        name = self._full_id(task_id)
        ended = self._superseded(name)
        if ended is not None:
            return self._layers().whole(ended, (str(ended.meta["superseded_by"]),))
        return self._opened.fresh(lambda: self._layers().details(name))

    # -- lessons ---------------------------------------------------------------------------------------------------

    def get_skill(self, topic: str) -> Skill:
        """What is known about a topic: context, principles, pitfalls, a guide, how sure that is, citations."""
        opened = self._opened
        return opened.fresh(
            lambda: Skills(opened.store, opened.embedder, self._ranker(), self._lessons(), opened.texts).profile(topic)
        )

    def search_patterns(self, query: str, *, limit: int = 10) -> tuple[Pattern, ...]:
        """What worked before, and how often."""
        return self._opened.fresh(lambda: self._lessons().patterns(query, limit=limit))

    def search_gotchas(self, query: str = "", *, files: Sequence[str] = (), limit: int = 10) -> tuple[Gotcha, ...]:
        """What went wrong before, how often, when, and what helped; with `files` only what concerns one of them."""
        return self._opened.fresh(lambda: self._lessons().gotchas(query, files=files, limit=limit))

    # -- context ---------------------------------------------------------------------------------------------------

    @cached_property
    def assembler(self) -> ContextAssembler:
        """Seed 004's assembler over this project, for async callers; it answers from the index as it stands."""
        opened = self._opened
        return ContextAssembler(ProjectSearcher(opened.store, opened.embedder, opened.memory, self.uplifts))

    def assemble_context(
        self,
        query: str,
        context_types: Sequence[str] = tuple(WEIGHTS),
        limit: int = 20,
        max_tokens: int = 2000,
        *,
        soft: bool = False,
    ) -> FormattedContext:
        """Context from memories, code, experiences, values and commits within a budget."""
        return self._kept(
            lambda: self.assembler.assemble_context(query, context_types, limit, max_tokens, soft=soft), query
        )

    def get_premortem_context(
        self, domain: str, strategy: str | None = None, limit: int = 10, max_tokens: int = 1500, *, soft: bool = False
    ) -> FormattedContext:
        """What went wrong before in a domain, and with a strategy, before one starts."""
        return self._kept(
            lambda: self.assembler.get_premortem_context(domain, strategy, limit, max_tokens, soft=soft),
            f"premortem {domain} {strategy or ''}".strip(),
        )

    # -- outcomes --------------------------------------------------------------------------------------------------

    def report_outcome(
        self, packet: Packet | Answer | FormattedContext | str, reward: float, used: Sequence[str] = ()
    ) -> Reward:
        """Say what came of a packet, a search or a context: 0 failed, 1 succeeded, and which items were used."""
        if isinstance(reward, bool) or not isinstance(reward, int | float) or not 0.0 <= reward <= 1.0:
            raise UsageError(f"a reward is a number from 0 to 1, not {reward!r}")
        name, task, carried = self._carried(packet)
        unknown = [each for each in used if each not in carried.values() and each not in carried]
        if unknown:
            raise UsageError(f"packet {name} did not carry {unknown[0]!r}", hint="name items by their ids or paths")
        wanted = set(used)
        ids = tuple(item for item, path in carried.items() if item in wanted or (path and path in wanted))
        return self._opened.memory.add_reward(Reward(name, float(reward), tuple(carried), ids, task))

    def uplift(self) -> dict[str, Effect]:
        """For every item that some packets carried and comparable ones did not: what it did for the reward."""
        rewards = self._reported()
        if len(rewards) != len(self._rewards):
            self._effects = effects(rewards)
            self._rewards = rewards
        return self._effects

    def uplifts(self) -> Mapping[str, float]:
        """Item to its uplift in -1..1, shrunk towards zero while data are few."""
        return {item: effect.uplift for item, effect in self.uplift().items() if effect.uplift}

    # -- parts -----------------------------------------------------------------------------------------------------

    def _reported(self) -> list[Reward]:
        last = self._rewards[-1].number if self._rewards else 0
        return [*self._rewards, *self._opened.memory.rewards(after=last)]

    def _layers(self) -> Layers:
        return Layers(self._opened.store, counter().count)

    def _ranker(self) -> Ranker:
        return Ranker(self._opened.store, self._opened.embedder)

    def _lessons(self) -> Lessons:
        return Lessons(self._ranker(), self._opened.memory)

    def _full_id(self, record: str) -> str:
        """The id behind a beginning of one that fits only one memory or experience; anything else as it is."""
        if not record.strip():
            raise UsageError("no id was given", hint="haversack recall QUERY prints ids")
        memory = self._opened.memory
        for find in (memory.get, memory.experience):
            try:
                return find(record).id
            except NotFoundError:
                continue
        return record

    def _superseded(self, name: str) -> Unit | None:
        """A memory that no longer holds, which the index does not have: on record, and what took its place."""
        try:
            memory = self._opened.memory.get(name)
        except NotFoundError:
            return None
        if memory.status is not Status.SUPERSEDED:
            return None
        unit = memory_unit(memory)
        return replace(unit, status=memory.status, meta={**unit.meta, "superseded_by": memory.superseded_by})

    def _kept(self, answer: Callable[[], Coroutine[Any, Any, FormattedContext]], query: str) -> FormattedContext:
        context = self._opened.fresh(lambda: asyncio.run(answer()))
        self._keep(context.packet, query, [str(item.metadata.get("id", "")) for item in context.items])
        return replace(context, query=query)

    def _keep(self, packet: str, task: str, carried: Sequence[str]) -> None:
        """Remember what an answer carried, so that its outcome can be reported by id."""
        if not packet:
            return
        body = json.dumps({"task": task[:2_000], "carried": [each for each in carried if each]})
        try:
            self._opened.journal.put_answer(packet, time.time(), body)
        except StoreError as error:  # an answer that cannot be remembered is still an answer
            self._opened.problems += (Problem("journal", error.message, error.hint),)

    def _carried(self, packet: Packet | Answer | FormattedContext | str) -> tuple[str, str, dict[str, str | None]]:
        """A packet's id, its task, and the ids it carried with their paths."""
        if isinstance(packet, Answer):
            return packet.packet, packet.query, {each.id: None for each in packet.results}
        if isinstance(packet, FormattedContext):
            ids = [str(item.metadata.get("id", "")) for item in packet.items]
            return packet.packet, packet.query, {each: None for each in ids if each}
        if isinstance(packet, str):
            body = self._opened.journal.answer(packet)
            if body is not None:
                found = json.loads(body)
                return packet, str(found["task"]), {str(each): None for each in found["carried"]}
            receipt = decode(self._opened.journal.receipt(packet))
        else:
            receipt = packet.receipt
        return receipt.packet_id, receipt.task, {item.id: item.path for _, item in receipt.items()}
