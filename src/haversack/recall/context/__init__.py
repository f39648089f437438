"""Seed 004's ContextAssembler: context from memories, code, experiences, values and commits, within a budget."""

from haversack.recall.context.assembler import ContextAssembler
from haversack.recall.context.nouns import (
    ContextAssemblyError,
    ContextItem,
    FormattedContext,
    InvalidContextTypeError,
)

__all__ = ["ContextAssembler", "ContextAssemblyError", "ContextItem", "FormattedContext", "InvalidContextTypeError"]
