"""How good haversack is on the project's own past changes, and weights of the ranking fitted to them."""
