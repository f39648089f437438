"""Resources and prompts: what a host can attach and offer."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent, TextResourceContents

from tests.mcp.conftest import Asked, Connect

pytestmark = pytest.mark.anyio


async def read(asked: Asked, address: str) -> str:
    (content,) = (await asked.client.read_resource(address)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


async def prompt(asked: Asked, name: str, **arguments: str) -> str:
    (message,) = (await asked.client.get_prompt(name, arguments)).messages
    assert isinstance(message.content, TextContent)
    return message.content.text


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_packets_items_and_knowledge_have_addresses(connect: Connect, project: Path, mode: str) -> None:
    (project / ".context").mkdir()
    decision = "# Decisions\n\n## [2026-01-02-101500] Sign tokens\n\n**Decision**: RS256\n"
    (project / ".context" / "DECISIONS.md").write_text(decision, encoding="utf-8")
    async with connect(mode) as asked:
        templates = (await asked.client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == [
            "haversack://packet/{id}", "haversack://unit/{+id}", "haversack://knowledge/{kind}",
        ]  # fmt: skip
        listed = [str(each.uri) for each in (await asked.client.list_resources()).resources]
        assert listed == ["haversack://knowledge", "haversack://status"]
        await asked.text("assemble_context", query="sessions expire too early")
        packet = await read(asked, "haversack://packet/last")
        assert "Task: `sessions expire too early`" in packet
        item = next(word for word in packet.split() if word.startswith("haversack://unit/"))
        assert "```" in await read(asked, item)
        assert "def expired" in await read(asked, "haversack://unit/shop/session.py:15-17")
        for address in ("haversack://knowledge", "haversack://knowledge/all", "haversack://knowledge/decision"):
            assert "Sign tokens" in await read(asked, address)
        assert "Nothing is written down yet." in await read(asked, "haversack://knowledge/task")
        assert "9 files" in await read(asked, "haversack://status")


async def test_an_address_that_leads_nowhere_is_said(connect: Connect) -> None:
    async with connect() as asked:
        for address, words in {
            "haversack://packet/zzz": "no packet begins with",
            "haversack://unit/nothing_of_the_kind": "nothing here is called",
            "haversack://unit/../../etc/passwd": "inside the project",
            "haversack://knowledge/rumour": "known kinds",
            "haversack://nothing/at/all": "Unknown resource",
        }.items():
            with pytest.raises(MCPError, match=words):
                await asked.client.read_resource(address)


async def test_prompts_lead_to_the_tools(connect: Connect) -> None:
    async with connect() as asked:
        names = [each.name for each in (await asked.client.list_prompts()).prompts]
        assert names == ["context_budget", "premortem", "start_task", "explain_code", "keep_what_was_learned"]
        budget = await prompt(asked, "context_budget", task="Use signed tokens", max_tokens="50,000")
        assert "50,000 tokens" in budget
        assert "primary: 20,000 tokens" in budget
        assert "100,000 tokens" in await prompt(asked, "context_budget", task="x", max_tokens="plenty")
        told = await prompt(asked, "premortem", task="x", domain="security", strategy="research-first")
        assert "domain 'security' and strategy 'research-first'" in told
        assert "assemble_context" in await prompt(asked, "start_task", task="x")
        assert "shop/cart.py" in await prompt(asked, "explain_code", target="shop/cart.py")
        assert "remember" in await prompt(asked, "keep_what_was_learned")
        with pytest.raises(MCPError):
            await asked.client.get_prompt("nope", {})
