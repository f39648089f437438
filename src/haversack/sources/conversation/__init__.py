"""Conversations with coding agents about the project, read where the agents leave them."""

from haversack.sources.conversation.source import ConversationSource

__all__ = ["ConversationSource"]
