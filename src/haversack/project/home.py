"""A folder that nobody meant to be read: a home, or what holds it, found because an agent was started there."""

from __future__ import annotations

import os
from pathlib import Path

from haversack.config.files import PROJECT_FILE
from haversack.errors import ProjectError
from haversack.project.find import Project


def refuse_home(project: Project) -> None:
    """ProjectError for a home folder, or one above it, that is no repository and has no settings of its own.

    For whoever runs unasked in every folder: all that a person keeps would be read.
    """
    try:
        home = Path.home()
    except RuntimeError:  # there is none
        return
    if project.is_git or not home.is_absolute() or (project.root / PROJECT_FILE).exists():
        return
    if Path(os.path.realpath(home)).is_relative_to(project.root):
        raise ProjectError(
            f"{project.root} is a home folder or holds one, not a project",
            hint=f"Start the agent inside a project; {PROJECT_FILE} makes any folder one.",
        )
