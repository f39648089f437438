"""The tools that write, all of it into haversack's own data folder."""

from __future__ import annotations

from collections.abc import Sequence

from haversack.errors import UsageError
from haversack.mcp.asking import Request, ask
from haversack.mcp.current import Current
from haversack.mcp.serving import Serving
from haversack.remembering import Ending, Revision, Story


class Writing:
    """Tools that remember."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving

    async def remember(
        self,
        ctx: Request,
        text: str,
        category: str = "fact",
        importance: float = 0.5,
        paths: Sequence[str] = (),
        sources: Sequence[str] = (),
    ) -> str:
        """Keep a statement for later sessions: what the user decided or prefers, a fact that was hard to find, an error
        and its fix. One sentence each. category: fact, preference, event, workflow, context, error, decision.
        importance: 0-1. paths: files it concerns. sources: where it can be looked up (src/app.py:10-20,
        commit:1a2b3c4).
        """

        def work(current: Current) -> str:
            done = current.remember(
                text, category=category, importance=importance, paths=tuple(paths), sources=tuple(sources)
            )
            what = f"counted with what said the same, {done.memory.count}×" if done.merged else "kept"
            over = f"; supersedes {', '.join(done.superseded)}" if done.superseded else ""
            return f"{done.memory.id}: {what}{over}."

        return (await ask(self._serving, ctx, work)).value

    async def record_experience(
        self,
        ctx: Request,
        domain: str = "",
        strategy: str = "",
        goal: str = "",
        hypothesis: str = "",
        action: str = "",
        prediction: str = "",
        experience: str = "",
        outcome: str = "",
        result: str = "",
        surprise: str = "",
        root_cause: str = "",
        lesson: str = "",
    ) -> str:
        """Learn from what you try. Begin before you act: domain and strategy (words of get_premortem_context), goal,
        hypothesis, action, prediction. The answer is an id. Call again with experience=id and what you now believe, and
        at the end with outcome (confirmed, falsified, abandoned), result, surprise, root_cause (wrong-assumption,
        missing-knowledge, oversight, environment-issue, misleading-symptom, incomplete-fix, wrong-scope,
        test-isolation, timing-issue) and lesson. All of it at once is fine, too.
        """

        story = Story(
            domain=domain, strategy=strategy, goal=goal, hypothesis=hypothesis, action=action, prediction=prediction
        )
        ending = Ending(result=result, surprise=surprise, root_cause=root_cause, takeaway=lesson)
        answer = await ask(self._serving, ctx, lambda current: _experience(current, experience, story, outcome, ending))
        return answer.value

    async def report_outcome(self, ctx: Request, packet: str, reward: float, used: Sequence[str] = ()) -> str:
        """Say what came of a packet (its id, or last) when the task is done: reward 0 failed to 1 succeeded, and which
        items (ids or paths) were of use. Later packets rank by it.
        """

        def work(current: Current) -> str:
            kept = current.recall.report_outcome(packet, reward, tuple(used))
            return f"{kept.packet}: reward {kept.reward:g}, {len(kept.used) or len(kept.carried)} items."

        return (await ask(self._serving, ctx, work)).value


def _experience(current: Current, name: str, story: Story, outcome: str, ending: Ending) -> str:
    """Begin an experience, revise the one named, or end it, by what was said of it."""
    if not outcome and any(ending.values()):
        raise UsageError("an experience ends with an outcome", hint="outcome is confirmed, falsified or abandoned")
    if not name:
        name = current.start_experience(**story).id
    elif not outcome:
        revised = Revision(hypothesis=story["hypothesis"], action=story["action"], prediction=story["prediction"])
        if story["strategy"]:
            revised["strategy"] = story["strategy"]
        done = current.update_experience(name, **revised)
        return f"{done.id}: under way, attempt {done.iteration_count}."
    if not outcome:
        return f"{name}: under way. At its end: record_experience with experience={name!r} and an outcome."
    done = current.resolve_experience(name, outcome=outcome, **ending)
    return f"{done.id}: {done.status}, confidence {done.confidence_tier}."
