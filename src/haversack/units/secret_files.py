"""Files that hold secrets by their nature: environment files, Secret manifests, Terraform states and their like.

In these a value is a secret because of where it stands, whatever it looks like. Everything that reads a project's files
reads them through `mask_file`, so what is masked here is masked in every index, packet, search and summary. Masks keep
every line on its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from haversack.patterns import lazily
from haversack.units import deployed
from haversack.units.secret_env import mask_env
from haversack.units.secret_lines import mask_lines
from haversack.units.secret_manifests import HOLDS_SECRETS, mask_manifest, secrets_of
from haversack.units.secret_masks import masked
from haversack.units.secret_terraform import mask_state, mask_terraform


def mask_file(path: str, text: str) -> str:
    """The text of a file with that name, values that are secret by their place masked; lines stay where they are."""
    if not deployed.may_be_deployed(path):
        return _by_its_name(path, text)
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

_PASSWORD_FILES: Final = (
    (".pgpass", lazily(r"^(?!#)(?:[^:\n]*:){4}(?P<value>[^\n]+)$", re.MULTILINE)),
    (".htpasswd", lazily(r"^[^:\n]+:(?P<value>[^\n]+)$", re.MULTILINE)),
    (".netrc", lazily(r"\bpassword\s+(?P<value>\S+)")),
    (".git-credentials", lazily(r"//[^:@\n]*:(?P<value>[^@\n]+)@")),
    (".my.cnf", lazily(r"^\s*password\s*=\s*(?P<value>[^\n]+)$", re.MULTILINE)),
)


def _by_its_name(path: str, text: str) -> str:
    """Files that are nothing but passwords."""
    name = path.rpartition("/")[2].lower()
    for known, pattern in _PASSWORD_FILES:
        if name == known or name == f"_{known[1:]}":
            return masked(text, [(*found.span("value"), "[redacted:password]") for found in pattern.finditer(text)])
    return text
