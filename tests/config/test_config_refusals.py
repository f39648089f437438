"""What is wrong with a settings file is said with the file, the line, the key and the way out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from haversack.config import load
from haversack.errors import ConfigError

NOBODY: dict[str, str] = {"XDG_CONFIG_HOME": "/nonexistent", "HOME": "/nonexistent"}


def refusal(root: Path, text: str | bytes, env: dict[str, str] | None = None) -> ConfigError:
    (root / "haversack.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ConfigError) as caught:
        load(root, env=env or NOBODY)
    assert caught.value.exit_code == 2
    return caught.value


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[index]\nexclude = []\n", "haversack.toml:2: unknown setting index.exclude", "Did you mean project.ignore?"),
        ("[pack]\nbugdet = 1\n", "haversack.toml:2: unknown setting pack.bugdet", "Did you mean pack.budget?"),
        ("budget = 1\n", "haversack.toml:1: unknown setting budget", "Did you mean pack.budget?"),
        ("[pakc]\nbudget = 1\n", "haversack.toml:1: unknown setting pakc", "Did you mean pack?"),
        (
            "[levels]\nmax_tokens = 1\n",
            "haversack.toml:2: unknown setting levels.max_tokens",
            "Did you mean levels.stub.max_tokens?",
        ),
        ("zzzzqqq = 1\n", "haversack.toml:1: unknown setting zzzzqqq", "`haversack config` lists every setting."),
        ("[sources.cod]\nenabled = true\n", "haversack.toml:1: there is no source 'cod'", "Did you mean sources.code?"),
        (
            "[sources.documentation]\nenabled = true\n",
            "haversack.toml:1: there is no source 'documentation'",
            "Did you mean sources.docs?",
        ),
        (
            "[enrichment.sources.code]\ntreshold = 1\n",
            "haversack.toml:2: unknown setting enrichment.sources.code.treshold",
            "Did you mean enrichment.sources.code.threshold?",
        ),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_known_one(tmp_path: Path, text: str, message: str, hint: str) -> None:
    error = refusal(tmp_path, text)
    assert (error.message, error.hint) == (message, hint)


def test_an_unknown_source_far_from_all_lists_the_known_ones(tmp_path: Path) -> None:
    error = refusal(tmp_path, "[sources.xyzzy]\n")
    assert error.hint.startswith("Known sources: code, commits, conversation")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[pack]\nbudget = -1\n", "pack.budget: expected a whole number, 0 or more, got -1"),
        ("[pack]\nbudget = 1.5\n", "pack.budget: expected a whole number, 0 or more, got 1.5"),
        ("[pack]\nbudget = true\n", "pack.budget: expected a whole number, 0 or more, got True"),
        ("[pack]\nbudget = {}\n", "pack.budget: expected a whole number, 0 or more, got {}"),
        ("[pack]\nsoft = 1\n", "pack.soft: expected true or false, got 1"),
        ("[pack]\nformat = 'html'\n", "pack.format: expected one of markdown, json, xml, got 'html'"),
        ("[project]\nignore = 'x'\n", "project.ignore: expected a list, each item text, got 'x'"),
        ("[project]\nignore = [1]\n", "project.ignore: expected a list, each item text, got [1]"),
        ("[index]\nworkers = 999\n", "index.workers: expected a whole number from 0 to 256, got 999"),
        ("[sources.code]\nthreshold = 2\n", "sources.code.threshold: expected a number from 0 to 1, got 2"),
        ("[relevance]\n weights.recency = nan\n", "relevance.weights.recency: expected a number, 0 or more, got nan"),
        ("[relevance]\n weights.recency = 'a'\n", "relevance.weights.recency: expected a number, 0 or more, got 'a'"),
        (
            "[presets.a.sections.b]\ncap = '200%'\n",
            "presets.a.sections.b.cap: expected tokens (a whole number, 0 or more) "
            "or a percentage of the budget such as \"25%\", got '200%'",
        ),
        (
            "[sources.deployment]\nredact_secrets = false\n",
            "sources.deployment.redact_secrets: expected true: secrets are redacted in every source, got False",
        ),
        (
            f"[pack]\nformat = '{'x' * 90}'\n",
            "pack.format: expected one of markdown, json, xml, got '" + "x" * 39 + "…",
        ),
        ("version = '2.0.0'\n", "version: expected a version of this file's form that this program reads, "
         "such as \"1.0.0\", got '2.0.0'"),
    ],
)  # fmt: skip
def test_a_wrong_value_says_what_was_expected(tmp_path: Path, text: str, message: str) -> None:
    error = refusal(tmp_path, text)
    place, _, rest = error.message.partition(": ")
    assert place in ("haversack.toml:1", "haversack.toml:2")
    assert rest == message
    assert error.hint


def test_a_value_where_a_table_belongs(tmp_path: Path) -> None:
    error = refusal(tmp_path, "pack = 8000\n")
    assert error.message == "haversack.toml:1: expected a table, got 8000"
    assert error.hint == "Write [pack] above it."


def test_a_syntax_error_names_line_and_column(tmp_path: Path) -> None:
    error = refusal(tmp_path, "[pack]\nbudget 8000\n")
    assert error.message == "haversack.toml:2:8: not valid TOML: expected '=' after a key in a key/value pair"
    assert "haversack init --print" in error.hint


def test_a_file_that_ends_too_early(tmp_path: Path) -> None:
    error = refusal(tmp_path, '[project]\nignore = ["a"')
    assert error.message.startswith("haversack.toml:2: not valid TOML: ")


def test_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    error = refusal(tmp_path, b"[pack]\nformat = '\xff'\n")
    assert error.message == "haversack.toml:2: not UTF-8 (byte 0xff)"
    assert error.hint == "Save the file as UTF-8."


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "haversack.toml").write_bytes(b"\xef\xbb\xbf[pack]\nbudget = 5\n")
    assert load(tmp_path, env=NOBODY).pack.budget == 5


def test_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "haversack.toml").write_bytes(b"[pack]\r\nbudget = 5\r\n")
    assert load(tmp_path, env=NOBODY).origin("budget") == "haversack.toml:2"


def test_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "haversack.toml").mkdir()
    with pytest.raises(ConfigError, match=r"^haversack\.toml is a folder"):
        load(tmp_path, env=NOBODY)


def test_a_pipe_in_place_of_the_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "haversack.toml")
    with pytest.raises(ConfigError, match="not a regular file"):
        load(tmp_path, env=NOBODY)


def test_a_file_too_large_to_be_settings(tmp_path: Path) -> None:
    error = refusal(tmp_path, "# " + "x" * 1_000_000)
    assert error.message == "haversack.toml is larger than 1,000,000 bytes"


def test_a_file_nested_beyond_reason(tmp_path: Path) -> None:
    error = refusal(tmp_path, "x = " + "[" * 5000 + "]" * 5000)
    assert error.message == "haversack.toml: nested too deeply"


@pytest.mark.parametrize("broken", ["stat", "open"])
def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    (tmp_path / "haversack.toml").write_text("")
    real = getattr(Path, broken)

    def denied(self: Path, *args: object, **kwargs: object) -> object:
        if self.name == "haversack.toml":
            raise PermissionError(13, "Permission denied")
        return real(self, *args, **kwargs)

    monkeypatch.setattr(Path, broken, denied)
    with pytest.raises(ConfigError, match=r"haversack\.toml cannot be read: permission denied"):
        load(tmp_path, env=NOBODY)


def test_a_pyproject_that_may_not_be_read_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.haversack]\n")

    def denied(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    assert load(tmp_path, env=NOBODY).files == ()


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside.toml").write_text("[pack]\nbudget = 1\n")
    root = tmp_path / "project"
    root.mkdir()
    (root / "haversack.toml").symlink_to(tmp_path / "outside.toml")
    with pytest.raises(ConfigError, match="a link that leads outside the project"):
        load(root, env=NOBODY)


@pytest.mark.parametrize(
    "text",
    [
        "[index]\ndata_dir = '../elsewhere'\n",
        "[index]\ndata_dir = '/etc'\n",
        "[index]\ndata_dir = '~/x'\n",
        "[index]\ndata_dir = 'link/x'\n",
        "[project]\nroots = ['.', '..']\n",
        "[levels.cache]\npath = '/tmp'\n",
        "[sources.logs]\nfiles = ['logs/*.log', '/var/log/*.log']\n",
        "[sources.logs]\nfiles = ['../*/secret.log']\n",
        "[sources.logs]\nfiles = ['logs/../../secret.log']\n",
        "[sources.logs]\nfiles = ['~/x.log']\n",
        "[sources.logs]\nfiles = ['link/**/*.log']\n",
        "[enrichment.sources.logs]\nfiles = ['/var/log/syslog']\n",
        "[sources.conversation]\nfiles = ['../talk.jsonl']\n",
        "[sources.conversation]\nfiles = ['link']\n",
        "[pack]\ncounter = '/etc/tokenizer.json'\n",
    ],
)
def test_a_cloned_project_cannot_send_us_outside_itself(tmp_path: Path, text: str) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    error = refusal(root, text)
    assert "leads outside the project" in error.message
    assert "user file" in error.hint


@pytest.mark.parametrize(
    ("table", "line", "key"),
    [
        ("sources.conversation", "home = 'talk'", "sources.conversation.home"),
        ("sources.deployment", "ci_runs = true", "sources.deployment.ci_runs"),
        ("enrichment.sources.deployment", "ci_runs = true", "enrichment.sources.deployment.ci_runs"),
        ("index", "embedding = 'model'", "index.embedding"),
        ("levels.writer", "endpoint = 'http://example.com/v1'", "levels.writer.endpoint"),
    ],
)
def test_some_things_only_the_user_may_say(tmp_path: Path, table: str, line: str, key: str) -> None:
    written = f"[{table}]\n{line}\n"
    error = refusal(tmp_path, written)
    assert error.message == f"haversack.toml:2: {key} cannot be set by a project's own file"
    assert error.hint == "Set it in the user file, the environment or a flag instead."
    (tmp_path / "haversack.toml").unlink()
    mine = tmp_path / "user.toml"
    mine.write_text(written)
    assert load(tmp_path, env=NOBODY, user_file=mine).said


def test_the_user_may_name_logs_and_transcripts_anywhere(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    mine = tmp_path / "user.toml"
    mine.write_text("[sources.logs]\nfiles = ['/var/log/*.log', 'logs/app.log']\n")
    config = load(root, env=NOBODY, user_file=mine)
    assert config.source("logs").options["files"] == ("/var/log/*.log", "logs/app.log"), "as typed"
    assert load(root, env=NOBODY, flags={"sources.conversation.files": ("~/talk.jsonl",)}).said
    own = "[sources.logs]\nfiles = ['logs/**/*.txt', '-']\n[pack]\ncounter = 'chars/4'\n"
    (root / "haversack.toml").write_text(own)
    assert load(root, env=NOBODY).source("logs").options["files"] == ("logs/**/*.txt", "-")


def test_folders_count_from_where_they_were_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, user, here = tmp_path / "project", tmp_path / "user", tmp_path / "here"
    for folder in (root, user, here):
        folder.mkdir()
    monkeypatch.chdir(here)
    (user / "config.toml").write_text("[index]\ndata_dir = 'data'\n")
    mine = user / "config.toml"
    assert load(root, env=NOBODY, user_file=mine).index.data_dir == str(user / "data")
    (root / "haversack.toml").write_text("[index]\ndata_dir = '.cache'\n[project]\nroots = ['src', 'lib']\n")
    assert load(root, env=NOBODY, user_file=mine).index.data_dir == str(root / ".cache")
    assert load(root, env=NOBODY, user_file=mine).project.roots == ("src", "lib")
    env = {**NOBODY, "HAVERSACK_DATA_DIR": "data", "HAVERSACK_ROOTS": "., ../sibling"}
    config = load(root, env=env, user_file=mine)
    assert config.index.data_dir == str(here / "data")
    assert config.project.roots == (".", "../sibling")
