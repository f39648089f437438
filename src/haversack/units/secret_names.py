"""Which names stand for secrets, and which values only point to one."""

from __future__ import annotations

import re
from typing import Final

from haversack.patterns import lazily
from haversack.units.secret_values import is_placeholder


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


# `password_hash`, `token_type`, `secretName`: about a secret, but none. Short words stand apart: `id` is in `android`.
ABOUT: Final = lazily(
    r"""(?: (?i:hash|type|kind|field|label|name|path|file|policy|length|size|index|prefix|suffix|format|regex|pattern
          |rule|hint|placeholder|class|style|icon|input|element|selector|count|limit|expires?|expiry|endpoint|header|izers?
          |version|mode|algo|algorithm|digest|salt|provider|manager|store|used|changed|updated|created|date|time)
      | [_-](?i:ids?|url|uri|dir|len|at|ref|env|var|ttl|age) | (?:Ids?|Url|Uri|Dir|Len|At|Ref|Env|Var|Ttl|Age) )$""",
    re.VERBOSE,
)

_WORD: Final = lazily(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SECRET_WORDS: Final = words(
    "password passwords passwd passphrase pwd secret token credential credentials apikey apitoken "
    "authtoken accesskey secretkey privatekey pw dsn pat pin passcode userpass"
)
_ENDS_WITH: Final = ("password", "passwd", "secret", "token", "apikey")
# A key of a dictionary or a sort is no secret; a key to a service is.
_KEY_TO: Final = words(
    "api access private secret signing sign encryption encrypt account master shared service auth license "
    "deploy app application jwt hmac ssh session cookie crypto cipher storage admin root ssl tls webhook "
    "write"
)
# `existingSecret: web-db` names an object of the cluster, `SetCredential=name:value` a credential.
_NAMES_AN_OBJECT: Final = lazily(
    r"(?:(?:\w*existing\w*|image[_-]?pull|pull|tls|create|enable|has|mount)[_-]?secrets?|(?:set|load|import)credential\w*)$",
    re.IGNORECASE,
)
_POINTS: Final = lazily(
    r"""(?: [!*][\w:.-]+.* | \$(?!\{\w+:?[-=+][^}]).* | \{\{.* | <.*> | %\(.* | ENC\[.* | \[redacted:.* | @\w+\(.*
      | (?:var|local|data|module|each|self|path|(?:random|aws|google|azurerm|kubernetes|vault)_\w+)\.[\w.\[\]*"-]+
      | (?:secrets?|env|vars|steps|inputs|github|parameters|variables)\.[\w.-]+ | [a-z]+\+?[a-z]*://[^@]*
      | (?:arn|ref|op|vault|ssm|secretsmanager|awskms|gcpkms|file|keyvault)[:+].* | \.{0,2}/[\w./-]+
      | (?i:true|false|yes|no|on|off|null|none|nil|~|read|write|inherit|required|optional|disabled|enabled|auto|default)
      | (?i:your|change|replace|insert|enter|fill)[\w .-]* | [x*.-]+ )$""",
    re.VERBOSE,
)


def is_secret_name(name: str) -> bool:
    """Whether what goes by this name is a secret, whatever it looks like."""
    if ABOUT.search(name) or _NAMES_AN_OBJECT.match(name):
        return False
    words = [word.lower() for word in _WORD.findall(name) if not word.isdigit()]
    if not words:
        return False
    last = words[-1]
    if last in _SECRET_WORDS or last.endswith(_ENDS_WITH) or (last == "pass" and len(words) > 1):
        return True
    if last in {"key", "keys"}:
        return any(word in _KEY_TO for word in words[:-1])
    # `PASSWORD_PROD`, `token2`: the word need not come last when it says all.
    return any(word in {"password", "passwd", "passphrase", "apikey"} for word in words)


def points_to_secret(value: str) -> bool:
    """Whether a value says where a secret is, or that there is none, instead of being one."""
    value = value.strip().strip("\"'").strip()
    return not value or _POINTS.match(value) is not None


def kind_of_name(name: str) -> str:
    """What stands in the place of a value under this name."""
    return "password" if re.search(r"(?i)pass|pwd|pw$", name) else "secret"


def is_left_open(value: str) -> bool:
    """Whether an example leaves the value to be filled in."""
    return points_to_secret(value) or is_placeholder(value.strip("\"'"))
