"""receipt."""
