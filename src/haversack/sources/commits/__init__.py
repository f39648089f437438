"""A project's history: one unit a commit, with message, author, time, files, churn and, for recent ones, the diff."""

from haversack.sources.commits.source import CommitsSource

__all__ = ["CommitsSource"]
