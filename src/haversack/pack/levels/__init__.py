"""pack/levels."""
