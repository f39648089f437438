"""What scoring needs to know about a unit: raw numbers that retrieval fills in."""

from __future__ import annotations

from haversack.model import Features

__all__ = ["CONFIDENCE_OF_TIER", "Features"]

# Seed 004 orders the tiers gold > silver > bronze > abandoned without numbers; the spacing is our choice.
CONFIDENCE_OF_TIER = {"gold": 1.0, "silver": 0.8, "bronze": 0.5, "abandoned": 0.2}
