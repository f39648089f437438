"""Deciding what goes into the packet: de-duplicate, divide the budget, choose candidates and levels."""
