"""Units: the canonical pieces of a project, with their secrets gone."""
