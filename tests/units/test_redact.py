"""No secret gets past redaction, lines stay where they are, and ordinary code stays as it is."""

from __future__ import annotations

import random
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haversack.units import redact as module
from haversack.units.redact import Redacted, redact
from haversack.units.secret_rules import RULES, Rule
from haversack.units.secret_values import is_opaque, is_placeholder

KEY_LINES = "\n".join(
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"[number:] + "A" * number for number in range(4)
)
PRIVATE_KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{KEY_LINES}\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(("rule", "example"), [(rule, example) for rule in RULES for example in rule.examples])
def test_every_rule_finds_its_examples(rule: Rule, example: str) -> None:
    found = redact(example)
    assert rule.kind in found.found
    assert f"[redacted:{rule.kind}]" in found.text
    secret = next(match["secret"] for match in rule.pattern.finditer(example) if rule.judge(match))
    assert secret not in found.text


@pytest.mark.parametrize(("rule", "example"), [(rule, example) for rule in RULES for example in rule.innocent])
def test_every_rule_leaves_the_innocent_alone(rule: Rule, example: str) -> None:
    assert redact(example) == Redacted(example)


@pytest.mark.parametrize("example", [example for rule in RULES for example in rule.examples])
def test_secrets_are_found_wherever_they_stand(example: str) -> None:
    around = f"def run():\n    x = 1  # {example}\n\nvalue = 2\n"
    found = redact(around)
    assert found.found
    assert found.text.count("\n") == around.count("\n")
    assert found.text.startswith("def run():\n    x = 1  # ")
    assert found.text.endswith("\n\nvalue = 2\n")


def test_private_keys_go_and_their_lines_stay() -> None:
    text = f"before\n{PRIVATE_KEY}\nafter\n"
    found = redact(text)
    assert found.found == ("private-key",)
    assert found.text == "before\n[redacted:private-key]" + "\n" * 5 + "\nafter\n"
    assert found.text.split("\n").index("after") == text.split("\n").index("after")


@pytest.mark.parametrize(
    "text",
    [
        '{"key": "' + PRIVATE_KEY.replace("\n", "\\n") + '\\n"}',
        "\n".join(f'    "{line}\\n"' for line in PRIVATE_KEY.split("\n")),
        "\n".join(f"# {line}" for line in PRIVATE_KEY.split("\n")),
        PRIVATE_KEY.replace("RSA ", "OPENSSH "),
        PRIVATE_KEY.replace("RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK"),
        PRIVATE_KEY.partition("-----END")[0],
        "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + KEY_LINES,
    ],
)
def test_private_keys_are_found_in_strings_comments_and_cut_off_files(text: str) -> None:
    found = redact(text)
    assert "private-key" in found.found
    assert "MIIEvQIBADAN" not in found.text
    assert found.text.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        'if "-----BEGIN PRIVATE KEY-----" in text:\n    pass\n',
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOC\n-----END PUBLIC KEY-----\n",
    ],
)
def test_talk_of_private_keys_is_no_private_key(text: str) -> None:
    assert redact(text).text == text


def test_a_value_on_the_line_after_its_name_is_found() -> None:
    found = redact('config = {\n    "api_key":\n        "9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d",\n}\n')
    assert found.text == 'config = {\n    "api_key":\n        "[redacted:secret]",\n}\n'


def test_a_secret_deep_in_a_very_long_line_is_found() -> None:
    text = "var a=1;" * 20_000 + 'b="ghp_16C7e42F292c6912E7710c838347Ae178B4a";' + "c=2;" * 20_000
    found = redact(text)
    assert found.found == ("github-token",)
    assert len(found.text) > 200_000


@pytest.mark.parametrize(
    "piece", ['token="a1B2c3D4e5F6g7H8i9J0" ', "eyJa1B2c3D4e5F6g7H8-", "xoxb-a1b2c3d4e5f6g7h8-", "Zq3" * 2000]
)
def test_a_line_made_to_be_slow_is_not(piece: str) -> None:
    """These took minutes a megabyte before long lines were shown to the engine in pieces."""
    text = piece * (200_000 // len(piece))
    assert redact(text).text.count("\n") == 0


def test_several_secrets_on_a_line_are_each_named_in_order() -> None:
    found = redact("a=AKIAQ3EGRIT7PL2XVN5K b=ghp_16C7e42F292c6912E7710c838347Ae178B4a password=Tr0ub4dor&3\n")
    assert found.found == ("aws-access-key", "github-token", "password")


def test_the_engine_s_providers_are_found_too() -> None:
    found = redact("DO_TOKEN=dop_v1_" + "a1b2c3d4e5f60718" * 4)
    assert found.found
    assert "a1b2c3d4" not in found.text


def test_text_in_every_script_keeps_its_offsets() -> None:
    found = redact("설정: пароль ключ 鍵 🔑 password = 'hunter2hunter' 끝\n")
    assert found.text == "설정: пароль ключ 鍵 🔑 password = '[redacted:password]' 끝\n"


def test_lone_surrogates_are_no_trouble() -> None:
    found = redact("\ud800 token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'")
    assert found.found == ("github-token",)
    assert found.text.startswith("\ud800")


def test_without_the_engine_the_rules_still_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    import redact_secret

    def too_much(_: str) -> object:
        raise redact_secret.InputLimitExceededError("too much")

    monkeypatch.setattr(redact_secret, "scan", too_much)
    assert redact("ghp_16C7e42F292c6912E7710c838347Ae178B4a").found == ("github-token",)


CODE = '''\
from __future__ import annotations

class TokenizerConfig:
    """Tokens, keys and secrets: the words, not the things."""

    pad_token = "<|endoftext|>"
    eos_token: str = "</s>"
    token_type_ids = [0, 1, 1, 2]

    def get(self, key: str, password: str | None = None) -> str:
        sha = "d56c55bf564ddb176759eb6ec199442682564916"
        digest = "sha256:53e76d8a9c2f27d781cd438a4fb7409cf8939eab2591a170a2f8cd89fc16f322"
        integrity = "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
        uuid = "550e8400-e29b-41d4-a716-446655440000"
        return self.tokens[key] + os.environ["API_TOKEN"] + getpass("Password: ")

static const u64 K[] = { 0x428a2f98d728ae22ULL, 0x7137449123ef65cdULL };
#define KEY_SIZE 32
access_key = settings.access_key
<input type="password" name="password" placeholder="Enter your password">
url = "https://user@example.com:8443/path?key=value"
'''


def test_ordinary_code_is_left_as_it_is() -> None:
    assert redact(CODE) == Redacted(CODE)


def test_nothing_found_gives_the_same_text_back() -> None:
    assert redact("").text == ""
    text = "plain text\n" * 100
    assert redact(text).text is text


def test_random_keys_under_telling_names_are_found() -> None:
    choose = random.Random(3)
    missed = 0
    for _ in range(300):
        key = "".join(choose.choices(string.ascii_letters + string.digits, k=32))
        missed += key in redact(f'api_key = "{key}"').text
    assert missed <= 6


def test_words_and_names_are_not_opaque_and_placeholders_are_told() -> None:
    assert not any(
        map(is_opaque, ("bert-base-uncased", "Wav2Vec2FeatureExtractor", "ForConditionalGeneration", "abc12"))
    )
    assert is_opaque("9a8b7c6d5e4f3a2b1c0d")
    assert all(
        map(is_placeholder, ("xxxxxxxx", "${TOKEN}", "<token>", "changeme", "your-api-key", "{{ secret }}", "aaaa"))
    )
    assert not is_placeholder("hunter2hunter")


SECRETISH = st.one_of(
    st.sampled_from([example for rule in RULES for example in (*rule.examples, *rule.innocent)]),
    st.sampled_from(
        ["password=", "token: ", "'", '"', "[redacted:secret]", "\n", "://a:", "@", "-----BEGIN PRIVATE KEY-----"]
    ),
    st.text(alphabet=string.ascii_letters + string.digits + " \n'\"=:/@[]-_", max_size=40),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(SECRETISH, max_size=8).map("".join))
def test_redacting_twice_is_redacting_once_and_lines_stay(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text
    assert once.text.count("\n") == text.count("\n")
    assert len(once.found) <= len(re.findall(r"\[redacted:", once.text)) + module.MAX_ROUNDS


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_taken(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text
    assert once.text.count("\n") == text.count("\n")
