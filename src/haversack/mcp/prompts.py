"""Prompts: requests people make often, each in a few sentences that lead to the right tools."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer

# Seed 001's shares of a budget, and what it keeps back of a window of 100,000 tokens.
SHARES = (("primary", 50), ("supporting", 30), ("reference", 15), ("history", 5))
KEPT_BACK = 10_000
HOLDS = {
    "primary": "the files the task changes, what they do now, what they depend on directly; whole",
    "supporting": "neighbouring modules, tests of what changes, the design behind it; signatures and key parts",
    "reference": "examples, conventions, decisions; a summary each",
    "history": "what was said and tried before; a line each",
}


def add_prompts(server: MCPServer[Any]) -> None:
    """Register them all."""

    @server.prompt(title="Context budget")
    def context_budget(task: str, max_tokens: str = "100000") -> str:
        """Plan what to read for a task within a budget, before reading anything."""
        total = _number(max_tokens)
        room = max(0, total - min(KEPT_BACK, total // 2))
        rows = "\n".join(f"- {name}: {room * share // 100:,} tokens: {HOLDS[name]}" for name, share in SHARES)
        return f"""Task: {task}

Work within {total:,} tokens of context: {total - room:,} stay free for instructions and your answer, {room:,} are \
for reading.

Before you read:
1. Say what you must know to do this, what would merely help, and what a summary of would do.
2. Call assemble_context with the task and a max_tokens of at most {min(room, 8000):,}. It is ranked and cited \
already; its last lines say what was left out.
3. Spend the room in this order, and no share before the one above it has what it needs:
{rows}

While you work:
- Open one thing at a time with get_details, by lines rather than whole files.
- When something is missing, ask why with its path before you search for it.
- When the room runs out: shorten what bears least on the task first, drop what is only named, then ask the user \
what matters. Never pass over a limit silently."""

    @server.prompt(title="Premortem")
    def premortem(task: str, domain: str = "feature", strategy: str = "") -> str:
        """Think of what could go wrong, from what went wrong before."""
        how = f" and strategy {strategy!r}" if strategy else ""
        return f"""Task: {task}

Before you start, suppose it has failed. Call get_premortem_context with domain {domain!r}{how}, and \
search_gotchas with the files you expect to change. Then write down:
1. the three likeliest reasons for failure, each with the experience or gotcha it rests on, or marked as your own \
guess;
2. for each, the cheapest check that would show it early;
3. what you will do differently because of it.
Begin an experience with record_experience before you act, and end it with what came of it."""

    @server.prompt(title="Start a task")
    def start_task(task: str) -> str:
        """Gather what bears on a task, then plan."""
        return f"""Task: {task}

Call assemble_context with this task and max_tokens 6000. Read it, open what you need with get_details, and check \
search_memory for what was settled about it before. Then give a plan that names the files it touches, citing the \
lines it rests on, and say what you could not find."""

    @server.prompt(title="Explain code")
    def explain_code(target: str) -> str:
        """Explain a file or symbol: what it does, why it is so, what uses it."""
        return f"""Explain {target}: what it does, how it is used, and why it is the way it is. Open it with \
get_details, find its users with search_code, and call assemble_context with "why is {target} the way it is" for \
decisions and commits. Cite path and lines for what you say; mark what is your own conclusion."""

    @server.prompt(title="Keep what was learned")
    def keep_what_was_learned() -> str:
        """Close a session: remember what later ones need."""
        return """Look back at this session. For each thing that a later session would otherwise have to find out \
again (a decision and its reason, a preference of the user, a fact that was hard to find, an error and what fixed it) \
call remember with one sentence, the files it concerns and where it can be looked up. End open experiences with \
record_experience. If assemble_context was used, call report_outcome with its packet, how well the task went and \
which items were of use. Keep no secrets and nothing the code already says."""


def _number(given: str) -> int:
    """The number a host passed as text, as prompts' arguments are; the default for what is none."""
    digits = given.replace(",", "").replace("_", "").strip()
    return min(int(digits), 10_000_000) if digits.isdecimal() and int(digits[:12]) > 0 else 100_000
