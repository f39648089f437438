"""Where secrets stand in files that deploy something, by kind of file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from haversack.units import deployed
from haversack.units.secret_env import mask_env
from haversack.units.secret_lines import mask_lines
from haversack.units.secret_manifests import HOLDS_SECRETS, mask_manifest, secrets_of
from haversack.units.secret_masks import masked
from haversack.units.secret_terraform import mask_state, mask_terraform


def mask_deployed(path: str, text: str) -> str:
    """The text with the secrets of its kind of file masked; of no kind, with those of manifests."""
    masker = _MASKERS.get(deployed.deployed_kind(path, text))
    if masker is not None:
        return masker(path, text)
    if path.lower().endswith(deployed.MANIFEST_ENDINGS) and HOLDS_SECRETS.search(text):
        return masked(text, secrets_of(text))
    return text


def _mask_settings(path: str, text: str) -> str:
    return mask_manifest(path, text) if path.lower().endswith(deployed.MANIFEST_ENDINGS) else mask_lines(path, text)


_MASKERS: Final[dict[str, Callable[[str, str], str]]] = {
    deployed.ENV: mask_env,
    deployed.STATE: mask_state,
    deployed.COMPOSE: mask_manifest,
    deployed.HELM: mask_manifest,
    deployed.CI: mask_manifest,
    deployed.KUBERNETES: mask_manifest,
    deployed.TERRAFORM: mask_terraform,
    deployed.DOCKERFILE: mask_lines,
    deployed.PROCFILE: mask_lines,
    deployed.SYSTEMD: mask_lines,
    deployed.SETTINGS: _mask_settings,
}
