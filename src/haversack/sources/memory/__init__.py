"""What is remembered, as units: memories, experiences on their axes, and the values that follow from them."""

from haversack.sources.memory.source import ExperiencesSource, MemoriesSource, ValuesSource

__all__ = ["ExperiencesSource", "MemoriesSource", "ValuesSource"]
