"""haversack as a LlamaIndex retriever, with a query engine on top.

    python examples/llamaindex_retriever.py "fix the redirect after login"

Needs `llama-index-core`. The model here is LlamaIndex's own stand-in, which repeats what it is given.
"""

from __future__ import annotations

import asyncio
import sys

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from haversack import Haversack, Packet


class HaversackRetriever(BaseRetriever):
    """What bears on a question in a project, best first; all of it together fits the budget."""

    def __init__(self, project: str = ".", budget: int = 4000) -> None:
        self.project = project
        self.budget = budget
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        with Haversack(self.project) as haversack:
            return nodes(haversack.pack(query_bundle.query_str, budget=self.budget))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        with Haversack(self.project) as haversack:
            return nodes(await haversack.apack(query_bundle.query_str, budget=self.budget))


def nodes(packet: Packet) -> list[NodeWithScore]:
    """The items of a packet as LlamaIndex knows them."""
    return [
        NodeWithScore(
            node=TextNode(
                id_=item.id,
                text=item.text,
                metadata={"source": str(item.citations[0]) if item.citations else item.title, "kind": item.kind},
            ),
            score=item.score,
        )
        for item in sorted(packet.items, key=lambda item: -item.score)
    ]


def main(question: str) -> None:
    """Retrieve in both ways, then ask."""
    retriever = HaversackRetriever()
    for found in retriever.retrieve(question):
        print(round(found.score or 0.0, 2), found.node.metadata["source"])
    print(len(asyncio.run(retriever.aretrieve(question))), "found again")
    engine = RetrieverQueryEngine.from_args(retriever, llm=MockLLM(max_tokens=40))
    print(str(engine.query(question)))


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]) or "fix the redirect after login")
