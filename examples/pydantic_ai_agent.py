"""A Pydantic AI agent that begins with a packet for its task and may ask for more.

    python examples/pydantic_ai_agent.py "fix the redirect after login"

Needs `pydantic-ai-slim`. The model here is Pydantic AI's own stand-in, which calls every tool once.
"""

from __future__ import annotations

import asyncio
import sys

from pydantic_ai import Agent, RunContext
from pydantic_ai.models.test import TestModel

from haversack import Haversack

agent = Agent(TestModel(), deps_type=Haversack, instructions="You work on the project of the user.")


@agent.instructions
async def what_to_read(ctx: RunContext[Haversack]) -> str:
    """What bears on the task, cited, within the budget."""
    return (await ctx.deps.apack(str(ctx.prompt), budget=4000)).text


@agent.tool
async def read_more(ctx: RunContext[Haversack], question: str) -> str:
    """Find code, documentation, decisions and history that bear on a question."""
    return (await ctx.deps.apack(question, budget=2000)).text


async def main(task: str) -> None:
    """Run the agent once, and show what the model was given with the task."""
    with Haversack(".") as project:
        result = await agent.run(task, deps=project)
    for message in result.all_messages():
        print(getattr(message, "instructions", None) or message.kind)
    print(result.output)


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:]) or "fix the redirect after login"))
