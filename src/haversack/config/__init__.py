"""Settings: declared once in `settings`, read by `load` from files, environment and flags, each with its origin."""

from haversack.config.load import Config, Row, load

__all__ = ["Config", "Row", "load"]
