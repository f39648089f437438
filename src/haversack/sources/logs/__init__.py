"""Logs and test reports: lines grouped into patterns, stack traces joined and linked to the code they name."""

from haversack.sources.logs.source import LogsSource

__all__ = ["LogsSource"]
