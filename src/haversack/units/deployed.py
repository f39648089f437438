"""Which kind of deployment file a file is, told from its name and, where names do not tell, from its text."""

from __future__ import annotations

import re
from typing import Final

from haversack.patterns import lazily

ENV, STATE, COMPOSE, HELM, CI, KUBERNETES = "env", "terraform-state", "compose", "helm", "ci", "kubernetes"
TERRAFORM, DOCKERFILE, PROCFILE, SYSTEMD = "terraform", "dockerfile", "procfile", "systemd"
SETTINGS: Final = "settings"
"""A program's own settings: no deployment file, but its values are secrets by their names all the same."""
KINDS: Final = (ENV, STATE, COMPOSE, HELM, CI, KUBERNETES, TERRAFORM, DOCKERFILE, PROCFILE, SYSTEMD)

# Only the beginning is looked at: a manifest says what it is in its first lines, after a licence at most.
HEAD_CHARS: Final = 20_000
MANIFEST_ENDINGS: Final = (".yaml", ".yml", ".json")

_BY_NAME: Final = tuple(
    (kind, lazily(pattern, re.VERBOSE))
    for kind, pattern in (
        (ENV, r"""(?:.*/)?(?: \.env(?:[._-][\w.-]+)? | [\w.-]+\.env(?:[._-][\w-]+)? | \.envrc | \.flaskenv
                  | env[._-](?:example|sample|template|dist) )$"""),
        (STATE, r"(?:.*/)?[\w.-]*\.tfstate(?:\.[\w.-]*)?$"),
        (COMPOSE, r"(?:.*/)?(?:docker-)?compose(?:[._-][\w.-]+)?\.ya?ml$"),
        (CI, r"""(?:.*/)?(?: \.github/workflows/[^/]+\.ya?ml | \.gitlab-ci[\w.-]*\.ya?ml | \.gitlab/ci/.+\.ya?ml
                 | \.circleci/config\.ya?ml | azure-pipelines[\w.-]*\.ya?ml | \.azure-pipelines/.+\.ya?ml
                 | \.travis\.ya?ml
                 | bitbucket-pipelines\.ya?ml | \.drone\.ya?ml | cloudbuild[\w.-]*\.ya?ml | \.buildkite/[^/]+\.ya?ml
                 | \.?appveyor\.ya?ml | jenkinsfile(?:\.[\w-]+)? | \.woodpecker(?:/[^/]+)?\.ya?ml
                 | buildspec[\w.-]*\.ya?ml | \.github/actions/.+/action\.ya?ml )$"""),
        (HELM, r"""(?:.*/)?(?: chart\.ya?ml | helmfile[\w.-]*\.ya?ml | (?:[\w.-]+[._-])?values(?:[._-][\w.-]+)?\.ya?ml
                   | templates/(?:.+/)?[^/]+\.(?:tpl|ya?ml) )$"""),
        (KUBERNETES, r"(?:.*/)?kustomization\.ya?ml$"),
        (TERRAFORM, r"(?:.*/)?[^/]+\.(?:tf|tofu|tfvars|tf\.json|tfvars\.json)$|(?:.*/)?terragrunt\.hcl$"),
        (DOCKERFILE, r"(?:.*/)?(?:(?:dockerfile|containerfile)(?:[._-][\w.-]+)?|[^/]+\.(?:dockerfile|containerfile))$"),
        (PROCFILE, r"(?:.*/)?procfile(?:\.[\w-]+)?$"),
        (SETTINGS, r"""(?:.*/)?(?: (?:application|bootstrap|appsettings|database|secrets?|credentials|settings|config)
                       (?:[._-][\w-]+)?\.(?:ya?ml|json|ini|toml|conf|cfg) | credentials | [\w.-]+\.properties )$"""),
    )
)  # fmt: skip
_UNIT_ENDING: Final = (".service", ".socket", ".timer", ".mount", ".target", ".path", ".slice", ".container")
_UNIT_HEAD: Final = lazily(r"^\[(?:Unit|Service|Install|Socket|Timer|Mount|Path|Slice|Container)\]\s*$", re.MULTILINE)
_API_VERSION: Final = lazily(r"""^[ \t]*["']?apiVersion["']?[ \t]*:""", re.MULTILINE)
_KIND: Final = lazily(r"""^[ \t]*["']?kind["']?[ \t]*:""", re.MULTILINE)
_CODE: Final = (".py", ".js", ".ts", ".go", ".java", ".rb", ".rs", ".md", ".rst", ".txt", ".html")
EXAMPLE: Final = lazily(r"[._-](?:example|sample|template|tmpl|tpl|dist|defaults?)(?:[._-]|$)")


def kind_by_name(path: str) -> str:
    """The kind where the name alone tells; "" where it does not."""
    lowered = path.lower()
    if lowered.endswith(_CODE):
        return ""
    return next((kind for kind, name in _BY_NAME if name.match(lowered)), "")


def may_be_deployed(path: str) -> bool:
    """Whether the name allows a deployment file: cheap, for most files the only question asked."""
    return path.lower().endswith((*MANIFEST_ENDINGS, *_UNIT_ENDING)) or bool(kind_by_name(path))


def deployed_kind(path: str, text: str) -> str:
    """The kind of a file with that name and text; "" when it deploys nothing."""
    kind = kind_by_name(path)
    if kind == HELM and "/templates/" in f"/{path}" and not _is_manifest(text) and not path.endswith(".tpl"):
        return ""  # a folder of that name that belongs to something else
    if kind:
        return kind
    lowered = path.lower()
    if lowered.endswith(_UNIT_ENDING):
        return SYSTEMD if _UNIT_HEAD.search(text, 0, HEAD_CHARS) else ""
    return KUBERNETES if lowered.endswith(MANIFEST_ENDINGS) and _is_manifest(text) else ""


def is_example(path: str) -> bool:
    """Whether an environment file is the one that shows others what to fill in."""
    return EXAMPLE.search(path.rpartition("/")[2].lower()) is not None


def _is_manifest(text: str) -> bool:
    return _API_VERSION.search(text, 0, HEAD_CHARS) is not None and _KIND.search(text, 0, HEAD_CHARS) is not None
