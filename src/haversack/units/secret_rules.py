"""What a secret looks like: rules as data, each with text it must find and text it must leave alone.

The tests run every example of every rule. `redact` asks these rules only about lines that one of its cheap triggers
points to, so a rule may be as careful as it needs to be.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from haversack.patterns import lazily
from haversack.units.secret_names import ABOUT
from haversack.units.secret_values import (
    has_digit,
    has_digit_or_symbol,
    is_expression,
    is_file_or_link,
    is_opaque,
    is_placeholder,
    is_words,
)


def _pattern(pattern: str) -> re.Pattern[str]:
    return lazily(pattern, re.VERBOSE)


# -- judges --------------------------------------------------------------------------------------------------------


def _named(match: re.Match[str]) -> bool:
    return not ABOUT.search(match["name"]) and not is_placeholder(match["secret"])


def _is_environment(match: re.Match[str]) -> bool:
    """`NAME=value`, as environment files have it: no program writes that with a variable on the right."""
    return match["name"].isupper() and match["join"] == "=" and not match["secret"].isupper()


# A sentence goes on with a word; what goes on with one of these is an expression.
_OPERATORS = frozenset({"if", "else", "or", "and", "in", "is", "as", "not", "where", "unless", "then", "await"})


def _is_said(match: re.Match[str]) -> bool:
    """Whether a value without quotes is text: it ends its line or its string, or a sentence goes on behind it."""
    rest = match.string[match.end() : match.end() + 24]
    if not rest.strip(" \t\r") or rest[0] in "\n\\\"'`" or rest.lstrip(" \t\r")[:1] == "\n":
        return True
    word = rest[1:].partition(" ")[0].rstrip(".,\n")
    return ":" in match["join"] and rest[0] == " " and word.isalpha() and word.islower() and word not in _OPERATORS


def _password(match: re.Match[str]) -> bool:
    value = match["secret"]
    if not _named(match) or is_file_or_link(value):
        return False
    if match["quote"]:
        # A plain word after a colon is more often a label or a kind of field than a password.
        enough = (12 if ":" in match["join"] else 8) if value.isalpha() else 6
        return len(value) >= enough and not is_words(value)
    if _is_environment(match):
        return True
    if is_expression(value):
        return value.isalnum() and not value.isalpha() and _is_said(match)
    return has_digit_or_symbol(value)


# A key of a dictionary or a sort is no secret; a key to a service is.
_KEY_TO_SOMETHING = lazily(
    r"(?:api|access|private|secret|signing|encryption|account|master|shared|service|auth|license|deploy)[_-]?$",
    re.IGNORECASE,
)


def _secret(match: re.Match[str]) -> bool:
    value = match["secret"]
    if match["name"][0] in "kK" and not _KEY_TO_SOMETHING.search(
        match.string, max(0, match.start() - 12), match.start()
    ):
        return False
    if not _named(match) or is_file_or_link(value) or (not match["quote"] and is_expression(value)):
        return False
    if _is_environment(match):
        return has_digit(value)
    return len(value) >= 12 and is_opaque(value)


def _registry_auth(match: re.Match[str]) -> bool:
    return match.string[match.start() - 1 : match.start()] in {'"', "_"} and _opaque(match)


def is_inside_word(match: re.Match[str]) -> bool:
    """Whether a match begins in the middle of a word."""
    before = match.string[match.start() - 1 : match.start()]
    return before.isalnum() or before == "_"


def _not_placeholder(match: re.Match[str]) -> bool:
    return not is_placeholder(match["secret"])


def _opaque(match: re.Match[str]) -> bool:
    return is_opaque(match["secret"]) and not is_placeholder(match["secret"])


def _always(_: re.Match[str]) -> bool:
    return True


# -- the rules -----------------------------------------------------------------------------------------------------


class Rule(Struct, frozen=True):
    """One kind of secret. The group `secret` is what is taken out. Earlier rules name a secret more closely."""

    kind: str
    pattern: re.Pattern[str]
    judge: Callable[[re.Match[str]], bool]
    examples: tuple[str, ...]
    innocent: tuple[str, ...] = ()
    # Whether the match may not begin inside a word. Not said in the pattern: fixed text at its start is found faster.
    whole_word: bool = True


# Names are written `name`, `Name` or `NAME`; said in full, they are found faster than by ignoring case.
# In JSON inside JSON, quotes stand behind backslashes.
_JOIN = r"""(?:\\{0,3}["'`]|\]){0,2} (?P<join>[ \t]{0,8}(?:=>|:=|[:=])(?:[ \t]{0,8}|\s{0,40}(?=\\{0,3}["'`])))"""
_PASSWORD_NAME = r"""(?P<name>(?:[Pp]ass[Ww](?:or)?d|PASSW(?:OR)?D|[Pp]assphrase|PASSPHRASE|[Pp]wd|PWD
    |(?<=[_-])pass(?![a-z])|(?<=[_-])PASS(?![A-Z]))[\w-]{0,24})"""
_SECRET_NAME = r"(?P<name>(?:[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Cc]redential|CREDENTIAL|[Kk]ey|KEY)[\w-]{0,24})"
_VALUE = r"""(?P<quote>\\{0,3}["'`])?+(?P<secret>(?(quote)
    (?:[^\s"'`\\]|\\(?!\\{0,2}["'`])){4,512}+(?=\\{0,3}["'`])|[^\s"'`<>{}()\[\],;\\]{6,512}+(?![(\[{<])))"""

RULES = (
    Rule(
        "aws-access-key",
        _pattern(r"(?P<secret>A(?:KIA|SIA)[A-Z2-7]{16})(?![A-Za-z0-9])"),
        _always,
        ("AWS_ACCESS_KEY_ID=AKIAQ3EGRIT7PL2XVN5K", 'key = "ASIAQ3EGRIT7PL2XVN5K"'),
        ("AKIAQ3EGRIT7", "XAKIAQ3EGRIT7PL2XVN5K"),
    ),
    Rule(
        "github-token",
        _pattern(r"(?P<secret>gh[pousr]_[A-Za-z0-9]{36,255})"),
        _always,
        ("ghp_16C7e42F292c6912E7710c838347Ae178B4a",),
        ("ghp_short", "ghx_16C7e42F292c6912E7710c838347Ae178B4a"),
    ),
    Rule(
        "github-token",
        _pattern(r"(?P<secret>github_pat_[A-Za-z0-9_]{22,255})"),
        _opaque,
        ("t = 'github_pat_11AB0a1B2c3D4e5F6g7H_8i9J0k1L2m3N4o5P6'",),
        ("github_pat_here", "github_pat_your_token_goes_right_here"),
    ),
    Rule(
        "gitlab-token",
        _pattern(r"(?P<secret>gl(?:pat|dt|rt|ptt|cbt|agent|soat)-[A-Za-z0-9_-]{20,255})"),
        _always,
        ('gitlab = "glpat-xYz_12AbCdEfGhIjKlMn"',),
        ("glpat-", "glpat-<your token>"),
    ),
    Rule(
        "slack-token",
        _pattern(r"(?P<secret>xox[abeoprs]-(?:[A-Za-z0-9]{1,20}-){0,4}[A-Za-z0-9]{10,255})"),
        _opaque,
        ("xoxb-123456789012-1234567890123-AbCdEf1hIjKlMnOpQrStUvWx",),
        ("xoxb-your-token-here", "xoxp-example"),
    ),
    Rule(
        "slack-webhook",
        _pattern(r"hooks\.slack\.com/services/(?P<secret>T\w{8,12}/B\w{8,12}/\w{20,30})"),
        _opaque,
        ("https://hooks.slack.com/services/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",),
        # What manuals print: a placeholder must stay readable, and the test of every rule checks that it does.
        ("https://hooks.slack.com/services/T00000000/B00000000/" + "X" * 24,),
    ),
    Rule(
        "stripe-token",
        _pattern(r"(?P<secret>(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,255})"),
        _opaque,
        ('stripe.api_key = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"',),
        ("sk_live_xxxxxxxxxxxxxxxxxxxx",),
    ),
    Rule(
        "anthropic-token",
        _pattern(r"(?P<secret>sk-ant-[A-Za-z0-9_-]{24,255})"),
        _opaque,
        ("ANTHROPIC_API_KEY=sk-ant-api03-Ab1dEf2hIj3lMn4pQr5tUv6xYz7123-AbCd8fGhI_AAAA",),
        ("sk-ant-your-key-goes-here-please",),
    ),
    Rule(
        "openai-token",
        _pattern(r"(?P<secret>sk-(?!ant-)(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{24,255})"),
        _opaque,
        ("OPENAI_API_KEY=sk-proj-abcDEF123456ghiJKL789mnoPQR012stuVWX345", "sk-T3Blb7kFJa1b2C3d4E5f6G7h8I9j0K1l2M3n"),
        ("sk-learn-contrib-project-template", "task-1234567890"),
    ),
    Rule(
        "google-api-key",
        _pattern(r"(?P<secret>AIza[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])"),
        _always,
        ("google = AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",),
        ("AIzaShort",),
    ),
    Rule(
        "npm-token",
        _pattern(r"(?P<secret>npm_[A-Za-z0-9]{36})(?!\w)"),
        _opaque,
        ("//registry.npmjs.org/:_authToken=npm_aB1dEf2hIj3lMn4pQr5tUv6xYz0123456789",),
        ("npm_config_registry", "npm_package_version"),
    ),
    Rule(
        "pypi-token",
        _pattern(r"(?P<secret>pypi-AgE[A-Za-z0-9_-]{50,1000})"),
        _always,
        ("password = pypi-AgEIcHlwaS5vcmcCJGFiY2RlZmdoLWlqa2wtbW5vcC1xcnN0LXV2d3h5ejAxMjM0NQACKlszLCJh",),
        ("pypi-publish",),
    ),
    Rule(
        "huggingface-token",
        _pattern(r"(?P<secret>hf_[A-Za-z0-9]{30,64})(?!\w)"),
        _opaque,
        ("hf_94wBhPGp6KrrTH3KDchhKpRxZwd6dmHWLL",),
        ("hf_internal_testing_tiny_random_model",),
    ),
    Rule(
        "sendgrid-token",
        _pattern(r"(?P<secret>SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64})"),
        _opaque,
        ("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",),
        ("SG.send",),
    ),
    Rule(
        "jwt",
        _pattern(
            r"(?P<secret>eyJ(?<![\w-]eyJ)[A-Za-z0-9_-]{8,2000}+\.eyJ[A-Za-z0-9_-]{8,8000}+\.[A-Za-z0-9_-]{0,2000})"
        ),
        _always,
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",),
        ("eyJhbGci", "eyJ.eyJ.x"),
    ),
    Rule(
        "bearer-token",
        _pattern(r"(?:[Bb]earer|BEARER)\s{1,4}(?P<secret>[A-Za-z0-9._~+/=-]{16,4096})"),
        _opaque,
        ('curl -H "Authorization: Bearer 9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c"',),
        ("Bearer authentication-tokens", "Authorization: Bearer ${TOKEN}", "bearer YOUR_ACCESS_TOKEN"),
    ),
    Rule(
        "basic-auth",
        _pattern(
            r"""[Aa]uthorization\\{0,3}["']?\s{0,4}[:=,]\s{0,4}\\{0,3}["']?[Bb]asic\s{1,4}(?P<secret>[A-Za-z0-9+/]{12,2048}={0,2})"""
        ),
        _opaque,
        ("Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==",),
        ("Authorization: Basic <credentials>",),
    ),
    Rule(
        "registry-auth",
        _pattern(
            r"""auth(?:\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"|\s{0,4}=\s{0,4})(?P<secret>[A-Za-z0-9+/]{12,2048}={0,2})"""
        ),
        _registry_auth,
        ('{"auths":{"r":{"auth":"dXNlcjpwYXNzd29yZDEyMw=="}}}', "_auth=dXNlcjpwYXNzd29yZDEyMw=="),
        ('"auth": "optional"', "_auth = authenticationMethod", 'oauth="dXNlcjpwYXNzd29yZDEyMw=="'),
        whole_word=False,
    ),
    Rule(
        "url-password",
        _pattern(r"""://[^\s/:@"'<>`]{0,128}:(?P<secret>[^\s/@"'<>{}`]{3,256})@[\w.\[-]"""),
        _not_placeholder,
        (
            "DATABASE_URL=postgres://admin:s3cr3tP4ss@db.example.com:5432/app",
            "redis://:p4ssw0rd99@cache:6379/0",
            "mongodb+srv://root:Zx81Qp07@cluster0.mongodb.net/test",
        ),
        (
            "postgres://user:password@localhost/db",
            "https://example.com:8080/@scope/name",
            "amqp://$USER:$PASS@host",
            "git clone https://x:${TOKEN}@host/r.git",
            "see http://a:80 and mail me@b.org",
        ),
        whole_word=False,
    ),
    Rule(
        "login-password",
        _pattern(r"""login\s{1,4}\S{1,64}\s{1,4}password\s{1,4}(?P<secret>[^\s"'`{}$]{4,128})"""),
        _not_placeholder,
        ("machine github.com login bob password gh0stPa55",),
        ("machine example.com login bob password <password>",),
    ),
    Rule(
        "login-password",
        _pattern(
            r"""curl\b[^\n]{0,200}?\s(?:-u|--user)[ =]\\{0,3}["']?[^\s:"']{1,64}:(?P<secret>[^\s"'`{}$]{4,128})"""
        ),
        _not_placeholder,
        ("curl -s -u admin:Passw0rd!23 https://host/",),
        ("curl -u user:$PASS https://host/", "curl -u name https://host/"),
    ),
    Rule(
        "password",
        _pattern(_PASSWORD_NAME + _JOIN + _VALUE),
        _password,
        (
            'password = "hunter2hunter"',
            "'db_password': 'Tr0ub4dor&3'",
            'PASSWORD="swordfish"',
            'passwd: "c0rrecthorse"',
            "DB_PASSWORD=correcthorsebatterystaple",
            "export DB_PASS=Tr0ub4dor&3",
            "Server=db;User Id=sa;Password=Hunter2!Hunter2;",
            "password: hunter2hunter",
            "pwd = 9xK!mmQ2",
            r"{\"password\": \"hunter2hunter\"}",
            "use password: hunter2hunter for the database",
        ),
        (
            'password = "password"',
            '"password": "string"',
            'password = "${DB_PASSWORD}"',
            'password_field = "input-42-name"',
            'type="password"',
            'password: "Passwort"',
            'password = "user-password"',
            'password = "[redacted:password]"',
            'passwd = "/etc/passwd2"',
            "password = config.password1",
            "password: option2 if found else None",
            r"{\"password\": \"string\"}",
            "password=password",
            "password: str = None",
            "password = get_password(user)",
            "pwd = os.getcwd()",
            "PASSWORD=$PASSWORD",
            "password: Option2<String>,",
            "passwd=req->passwd2;",
            "password = [redacted:password]",
            "net_pwd =\n\t*host_lvl",
            '"PasswordLastUsed": "2016-09-08T21:47:36Z"',
            'no_discard_passdown := "no_discard_passdown="',
        ),
        whole_word=False,
    ),
    Rule(
        "secret",
        _pattern(_SECRET_NAME + _JOIN + _VALUE),
        _secret,
        (
            "client_secret: 'Zx9-Qw3_Er7.Ty1Ui5'",
            'SECRET_KEY = "django-insecure-8h3!k2@x9z$w1q0p7v5c6b4n"',
            '"access_token": "3f2b8c1d-9e4a-4f6b-8c7d-2a1b3c4d5e6f"',
            "storage_account_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzTq9LmWkRe",
            "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr==;",
            "api_key: 9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d",
            "API_TOKEN=3f2b8c1d-9e4a-4f6b-8c7d-2a1b3c4d5e6f",
            "x-api-key: 4fd1c2b3a49586e7d8c9",
            "APP_SECRET=k7Lm-qw9",
            "https://host/?access_token=9a8b7c6d5e4f3a2b1c0d&page=2",
        ),
        (
            'pad_token = "<|endoftext|>"',
            'token = "bert-base-uncased"',
            'token="hello_world_token_example"',
            '"token": "Wav2Vec2FeatureExtractor"',
            'secret = "my-test-secret"',
            'api_key = "YOUR_API_KEY"',
            'token_url = "/oauth2/v1/token0a1b2c3d"',
            'token = "models/a1b2c3d4.json"',
            'sort_key = "9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d"',
            "token = tokenizer.convert_ids_to_tokens(5)",
            "eos_token=eos_token",
            "last_token = sequence_ids[-1]",
            "signing_key = work->sess->smb3signingkey;",
            "access_key = Sha256Digest",
            "token: list[FutureRequestState]",
            "per_token_cast_to_fp8=per_token_cast_to_fp8,",
            "SECRET_KEY=${SECRET_KEY}",
        ),
        whole_word=False,
    ),
)
