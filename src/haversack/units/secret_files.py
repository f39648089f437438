"""Files that hold secrets by their nature: environment files, Secret manifests, Terraform states and their like.

In these a value is a secret because of where it stands, whatever it looks like. Everything that reads a project's files
reads them through `mask_file`, so what is masked here is masked in every index, packet, search and summary. Masks keep
every line on its line.
"""

from __future__ import annotations

import re
from typing import Final

from haversack.patterns import lazily
from haversack.units import deployed
from haversack.units.secret_masks import masked


def mask_file(path: str, text: str) -> str:
    """The text of a file with that name, values that are secret by their place masked; lines stay where they are."""
    if not deployed.may_be_deployed(path):
        return _by_its_name(path, text)
    from haversack.units.secret_places import mask_deployed  # parsers that few files need

    return mask_deployed(path, text)


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
