"""haversack as a LangChain retriever, and as a node of a LangGraph graph.

    python examples/langchain_retriever.py "fix the redirect after login"

Needs `langchain-core`. The model here is a stand-in that answers without a network; put your own in its place.
"""

from __future__ import annotations

import sys
from typing import TypedDict

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever

from haversack import Haversack, Packet


class HaversackRetriever(BaseRetriever):
    """What bears on a question in a project, best first; all of it together fits the budget."""

    project: str = "."
    budget: int = 4000

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        with Haversack(self.project) as haversack:
            return documents(haversack.pack(query, budget=self.budget))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        with Haversack(self.project) as haversack:
            return documents(await haversack.apack(query, budget=self.budget))


def documents(packet: Packet) -> list[Document]:
    """The items of a packet as LangChain knows them."""
    return [
        Document(
            page_content=item.text,
            metadata={
                "source": str(item.citations[0]) if item.citations else item.title,
                "kind": item.kind,
                "level": str(item.level),
                "score": item.score,
                "packet": packet.packet_id,
            },
        )
        for item in sorted(packet.items, key=lambda item: -item.score)
    ]


class State(TypedDict, total=False):
    """What a graph carries from node to node."""

    question: str
    context: str


def retrieve(state: State) -> State:
    """A node: `graph.add_node("retrieve", retrieve)`. The packet's own text is cited, fenced and within the budget."""
    with Haversack(".") as haversack:
        return {"context": haversack.pack(state["question"], budget=4000).text}


def main(question: str) -> None:
    """Retrieve, then ask."""
    for document in HaversackRetriever().invoke(question):
        print(document.metadata["level"], document.metadata["source"])
    prompt = ChatPromptTemplate.from_messages([("system", "{context}"), ("user", "{question}")])
    chain = prompt | FakeListChatModel(responses=["The answer of a model."])
    print(chain.invoke({"question": question, **retrieve({"question": question})}).content)


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]) or "fix the redirect after login")
