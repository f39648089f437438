"""The tools that read. Each is a few lines over the library call a Python user makes."""

from __future__ import annotations

from collections.abc import Sequence

from haversack.errors import NotFoundError, UsageError
from haversack.mcp.asking import Request, ask
from haversack.mcp.current import Current
from haversack.mcp.pages import Cursor, checked, page
from haversack.mcp.serving import Serving
from haversack.mcp.shown import gotcha_text, hit_text, pattern_text, quoted
from haversack.model import Level
from haversack.recall.sizes import clip
from haversack.render.safe import code_span, visible
from haversack.tokens import counter

NOTE_TOKENS = 80
"""Of an assembled text's budget: for its name, how fresh it is, and where it goes on."""
MOST_RESULTS = 100
CODE_SHARE = 3
"""Hits looked at for each that is wanted: documents and commits are found beside code and passed over."""


class Reading:
    """Tools that change nothing."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving

    async def assemble_context(
        self,
        ctx: Request,
        query: str,
        context_types: Sequence[str] = (),
        limit: int = 20,
        max_tokens: int = 2000,
        cursor: str = "",
    ) -> str:
        """What to read before working on a task: the code, docs, decisions, history and lessons that bear on it,
        ranked, cited, within max_tokens. Call this first, with the task in the user's words (paste errors and stack
        traces whole). Use 2000 for a glance, 4000-8000 for real work. context_types narrows it to some of memories,
        code, experiences, values, commits. cursor goes on with what did not fit.
        """
        room = checked(max_tokens) - NOTE_TOKENS
        if context_types and cursor:
            raise UsageError("a cursor goes on with all kinds", hint="leave context_types out, or raise max_tokens")

        def work(current: Current) -> tuple[str, list[str]]:
            if context_types:
                found = current.recall.assemble_context(query, tuple(context_types), limit, room)
                return found.markdown or "Nothing found.\n", [f"Packet {found.packet}."] if found.packet else []
            before = cursor.split(".") if cursor else []
            packet = current.pack(query, budget=room, exclude=_carried(current, before))
            notes = [f"Packet {packet.packet_id}."]
            if any(each.enters_at_budget is not None for each in packet.omitted):
                notes.append(f'More: cursor="{".".join([*before, packet.packet_id])}"')
            return packet.text, notes

        answer = await ask(self._serving, ctx, work)
        text, notes = answer.value
        said = clip(" ".join((*notes, answer.freshness)), NOTE_TOKENS - 2, counter().count)
        return f"{text}\n{said}"

    async def get_premortem_context(
        self, ctx: Request, domain: str, strategy: str = "", limit: int = 10, max_tokens: int = 1500
    ) -> str:
        """What went wrong before in this project, before you start or when a test or build fails for the first time:
        past failures, surprises, root causes, principles. domain: debugging, refactoring, feature, testing,
        configuration, documentation, performance, security, integration. strategy, for how it went:
        systematic-elimination, trial-and-error, research-first, divide-and-conquer, root-cause-analysis,
        copy-from-similar, check-assumptions, read-the-error, ask-user.
        """
        room = checked(max_tokens) - NOTE_TOKENS

        def work(current: Current) -> tuple[str, str]:
            current.refresh()
            found = current.recall.get_premortem_context(domain, strategy or None, limit, room)
            return found.markdown, f"Packet {found.packet}." if found.packet else ""

        answer = await ask(self._serving, ctx, work)
        text, name = answer.value
        said = clip(f"{name} {answer.freshness}".strip(), NOTE_TOKENS - 2, counter().count)
        return f"{text or 'No experience speaks of this yet.'}\n\n{said}"

    async def search_memory(
        self,
        ctx: Request,
        query: str,
        intent: str = "",
        limit: int = 10,
        alpha: float = 0.7,
        beta: float = 0.2,
        max_tokens: int = 1000,
        cursor: str = "",
    ) -> str:
        """Search what was remembered in earlier sessions: decisions, preferences, facts, experiences. One line each
        with its id; get_timeline and get_details say more. Use it before asking the user something that may have been
        settled. intent: how_to, what_happened, known_issues, environment, code_structure.
        """
        room = checked(max_tokens)
        begin = Cursor.read(cursor, "memory", query, intent, alpha, beta)

        def work(current: Current) -> tuple[list[str], list[str]]:
            found = current.recall.search_memory(
                query, intent=intent or None, limit=_wanted(begin, limit), alpha=alpha, beta=beta
            )
            known = found.certificate.completeness
            covered = "" if known is None else f" covers {known:.0%} of the question"
            return [each.text for each in found.results], [
                f"Packet {found.packet}{covered}. {found.suggestion}".strip()
            ]

        answer = await ask(self._serving, ctx, work)
        lines, notes = answer.value
        return page(lines, max_tokens=room, cursor=begin, limit=limit, notes=[*notes, answer.freshness])

    async def get_timeline(
        self,
        ctx: Request,
        observation_id: str,
        window: float = 7,
        limit: int = 20,
        max_tokens: int = 1500,
        cursor: str = "",
    ) -> str:
        """What was remembered before and after one record (an id from search_memory), within `window` days. Use it to
        see how something came about.
        """
        room = checked(max_tokens)
        begin = Cursor.read(cursor, "timeline", observation_id, window, limit)
        answer = await ask(
            self._serving, ctx, lambda current: current.recall.get_timeline(observation_id, window, limit=limit)
        )
        lines = [each.text for each in answer.value]
        return page(lines, max_tokens=room, cursor=begin, notes=[answer.freshness])

    async def get_details(self, ctx: Request, task_id: str, max_tokens: int = 1500, cursor: str = "") -> str:
        """One thing whole: a memory or experience by id, a packet's item by id, path, path:10-40, a symbol, or a
        commit. Use it to open what another tool named; files come as they are on disk now.
        """
        room = checked(max_tokens)
        begin = Cursor.read(cursor, "details", task_id)
        answer = await ask(self._serving, ctx, lambda current: details(current, task_id))
        head, body, lang = answer.value
        # The fence stands in every page, so each is quoted by itself.
        frame = counter().count(f"{head}\n```{lang}\n\n```\n\n")
        text = page(
            body.split("\n"),
            max_tokens=max(1, room - frame - counter().count(answer.freshness) - 24),
            cursor=begin,
        )
        shown, mark, more = text.partition('\n\nMore: cursor="')
        notes = f"{answer.freshness} {mark.strip()}{more}".strip()
        return f"{head}\n{quoted(shown, lang)}\n\n{notes}"

    async def get_skill(self, ctx: Request, topic: str, max_tokens: int = 1500, cursor: str = "") -> str:
        """How something is done in this project: context, principles, pitfalls, a guide, how sure that is, with
        citations. Use it before you work in an area for the first time ("migrations", "error handling").
        """
        room = checked(max_tokens)
        begin = Cursor.read(cursor, "skill", topic)
        answer = await ask(self._serving, ctx, lambda current: current.recall.get_skill(topic).text)
        return page(
            answer.value.strip().split("\n\n"),
            max_tokens=room,
            cursor=begin,
            between="\n\n",
            notes=[answer.freshness],
        )

    async def search_patterns(
        self, ctx: Request, query: str, limit: int = 10, max_tokens: int = 1500, cursor: str = ""
    ) -> str:
        """What worked before in this project and how often. Use it when you choose how to do something."""
        room = checked(max_tokens)
        begin = Cursor.read(cursor, "patterns", query)
        answer = await ask(
            self._serving,
            ctx,
            lambda current: current.recall.search_patterns(query, limit=_wanted(begin, limit)),
        )
        blocks = [pattern_text(each) for each in answer.value]
        return page(blocks, max_tokens=room, cursor=begin, limit=limit, between="\n\n", notes=[answer.freshness])

    async def search_gotchas(
        self,
        ctx: Request,
        query: str,
        files: Sequence[str] = (),
        limit: int = 10,
        max_tokens: int = 1500,
        cursor: str = "",
    ) -> str:
        """What went wrong before, when, how often and what helped. Use it when something fails strangely, or with
        `files` before you edit them.
        """
        room = checked(max_tokens)
        begin = Cursor.read(cursor, "gotchas", query, tuple(files))
        answer = await ask(
            self._serving,
            ctx,
            lambda current: current.recall.search_gotchas(query, files=tuple(files), limit=_wanted(begin, limit)),
        )
        blocks = [gotcha_text(each) for each in answer.value]
        return page(blocks, max_tokens=room, cursor=begin, limit=limit, between="\n\n", notes=[answer.freshness])

    async def search_code(
        self,
        ctx: Request,
        query: str,
        path: str = "",
        kind: str = "",
        limit: int = 10,
        max_tokens: int = 1500,
        cursor: str = "",
    ) -> str:
        """Find functions, classes and other code by meaning, words or name; each hit with its first lines. Use it
        instead of grep when you do not know the exact words. path: a folder, file or glob. kind: function, method,
        class, …
        """
        room = checked(max_tokens)
        begin = Cursor.read(cursor, "code", query, path, kind)

        def work(current: Current) -> list[str]:
            most = _wanted(begin, limit)
            found = current.search(query, path=path or None, kind=kind or None, limit=most * CODE_SHARE)
            hits = [hit for hit in found if hit.unit.source == "code"]
            return [hit_text(current, hit) for hit in hits[:most]]

        answer = await ask(self._serving, ctx, work)
        return page(answer.value, max_tokens=room, cursor=begin, limit=limit, between="\n\n", notes=[answer.freshness])

    async def why(
        self, ctx: Request, target: str = "", packet: str = "last", max_tokens: int = 500, cursor: str = ""
    ) -> str:
        """Why something (a path, path:lines, symbol or id) is in a packet or is not, and what budget would admit it.
        Use it when a packet lacks what you expected.
        """
        room = checked(max_tokens)
        begin = Cursor.read(cursor, "why", target, packet)
        answer = await ask(self._serving, ctx, lambda current: current.why(packet, target or None))
        return page(answer.value.splitlines(), max_tokens=room, cursor=begin)


def details(current: Current, target: str) -> tuple[str, str, str]:
    """A heading, the text and its language: a record of memory, or whatever else the words name."""
    try:
        found = current.recall.get_details(target)
    except NotFoundError:
        pass
    else:
        if found.metadata.get("source") in ("memories", "experiences", "values"):
            related = f" Related: {', '.join(found.related)}." if found.related else ""
            cited = f" [{visible(str(found.citations[0]))}]" if found.citations else ""
            return f"{found.id} {found.metadata['kind']}{cited}{related}", found.full_content, ""
    shown = current.show(target)
    also = f" (also {len(shown.alternatives)} more of that name)" if shown.alternatives else ""
    return f"{code_span(str(shown.citation))} {code_span(shown.title)}{also}", shown.text, shown.lang


def _wanted(begin: Cursor, limit: int) -> int:
    """Results to ask for: those before the cursor, those wanted, and one that tells whether there are more."""
    return begin.start + max(1, min(limit, MOST_RESULTS)) + 1


def _carried(current: Current, packets: Sequence[str]) -> list[str]:
    """What earlier packets of the same question showed, to be left out of the next."""
    from haversack.receipt.codec import decode

    receipts = [decode(current.journal.receipt(each)) for each in packets]
    shown = [item for receipt in receipts for _, item in receipt.items() if item.level is not Level.STUB]
    return sorted({item.path or item.id for item in shown})
