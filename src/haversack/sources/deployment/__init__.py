"""Deployment: manifests, pipelines, images and environment files, cut by what they declare. Secrets are names here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from haversack.model import Citation, Unit
from haversack.sources.protocol import Compressor, TextFile
from haversack.units import deployed

NAME: Final = "deployment"
THRESHOLD: Final = 0.6  # seed 002's threshold for deployment


class DeploymentSource:
    """Reads deployment files into one "file" unit and one unit per resource, service, job, stage or section."""

    name: str = NAME
    threshold: float = THRESHOLD

    def __init__(self, include_env_configs: bool = True, include_k8s: bool = True) -> None:
        left_out = {deployed.ENV} if not include_env_configs else set()
        self._left_out = frozenset(left_out | ({deployed.KUBERNETES} if not include_k8s else set()))

    def claims(self, path: str, lang: str) -> bool:  # noqa: ARG002 - the protocol asks every file source the same way
        """Whether the name allows a deployment file; `takes` looks at the text."""
        return deployed.may_be_deployed(path)

    def takes(self, file: TextFile) -> bool:
        """Whether the file deploys something."""
        return deployed.deployed_kind(file.path, file.text) in deployed.KINDS

    def units(self, file: TextFile) -> Iterable[Unit]:
        """The file's units in order; their lines partition it. None for a kind that is switched off."""
        kind = deployed.deployed_kind(file.path, file.text)
        if kind in self._left_out:
            return ()
        from haversack.sources.deployment.units import units_of  # parsers that only new files need

        return units_of(file, kind)

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The file and its lines."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """Defaults removed; configuration summarised; only what differs from the defaults."""
        from haversack.sources.deployment.compress import heavy, light, medium

        return {"light": light, "medium": medium, "heavy": heavy}
