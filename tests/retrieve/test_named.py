"""A path in a task means a file of the project, not one of another package that is called alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.index.made import store_with, unit

from haversack.retrieve.named import named
from haversack.retrieve.understand import understand

FILES = {
    "acme/__init__.py": "setup",
    "acme/text.py": "wrap",
    "acme/traceback.py": "render",
    "src/flat.py": "flatten",
    "lib/runner.js": "runTest",
    "lib/utils.js": "slug",
    "command.go": "execute",
    "args.go": "check",
    "quic/src/runtime/mod.rs": "spawn",
    "java/com/acme/Thread.java": "join",
    "src/Support/Str.php": "length",
    "lib/acme/base.rb": "save",
    "lib/internal/modules/loader.js": "load",
}


def files(tmp_path: Path, task: str) -> list[str]:
    store = store_with(tmp_path, [unit(path, name, "words", start=1) for path, name in FILES.items()])
    snapshot = store.snapshot()
    return [snapshot.items[int(snapshot.item_of[position])].key for position in named(snapshot, understand(task))]


@pytest.mark.parametrize(
    "frame",
    [
        'File "/usr/lib/python3.11/traceback.py", line 1, in format_exception',
        'File "C:\\Python311\\Lib\\traceback.py", line 1, in format_exception',
        'File "/opt/venv/lib/python3.11/site-packages/django/utils/text.py", line 1, in wrap',
        'File "<frozen text>", line 1, in wrap',
        "at next (/srv/app/node_modules/express/lib/utils.js:1:1)",
        "at Module.load (internal/modules/cjs/runner.js:1:1)",
        "at node:internal/main/runner.js:1:1",
        "at /home/ann/.cargo/registry/src/index.crates.io-6f17d22bba15001f/tokio-1.38.0/src/runtime/mod.rs:1:9",
        "at /rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/std/src/runtime/mod.rs:1:9",
        "/home/u/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/args.go:1 +0x1d",
        "/usr/local/go/src/testing/args.go:1 +0x1d",
        "/app/vendor/bundle/ruby/3.0.0/gems/other-7.0.1/lib/base.rb:1:in `load'",
        "/home/u/.rbenv/versions/3.1.0/lib/ruby/3.1.0/net/base.rb:1:in `load'",
        "#0 /app/vendor/other/framework/lib/Str.php(1): Other\\Str->size()",
        "at java.lang.Thread.run(Thread.java:1)",
    ],
)
def test_a_frame_of_another_package_means_no_file_that_is_called_alike(tmp_path: Path, frame: str) -> None:
    assert files(tmp_path, f"It crashes\n\n{frame}") == []


@pytest.mark.parametrize(
    ("frame", "path"),
    [
        ('File "/usr/lib/python3.11/site-packages/acme/text.py", line 1, in wrap', "acme/text.py"),
        ('File "/usr/lib/python3.11/site-packages/flat.py", line 1, in flatten', "src/flat.py"),
        ("at Runner.runTest (/srv/app/node_modules/runner/lib/runner.js:1:1)", "lib/runner.js"),
        ("at load (internal/modules/loader.js:1:1)", "lib/internal/modules/loader.js"),
        ("at /home/ann/.cargo/registry/src/index-6f17/quic-0.11.0/src/runtime/mod.rs:1:9", "quic/src/runtime/mod.rs"),
        ("cli.(*Command).execute(0x1)\n\t/u/go/pkg/mod/a.org/cli@v1.8.0/command.go:1 +0x1d", "command.go"),
        ("/app/vendor/bundle/ruby/3.0.0/gems/acme-7.0.1/lib/acme/base.rb:1:in `save'", "lib/acme/base.rb"),
        ("#0 /app/vendor/acme/support/src/Support/Str.php(1): Str->length()", "src/Support/Str.php"),
        ("at com.acme.Thread.join(Thread.java:1)", "java/com/acme/Thread.java"),
    ],
)
def test_a_frame_of_this_project_means_its_file_where_it_is_installed_too(
    tmp_path: Path, frame: str, path: str
) -> None:
    assert files(tmp_path, f"It crashes\n\n{frame}") == [path]


@pytest.mark.parametrize("place", ["/home/u/app/", "/usr/src/app/", "", "C:\\work\\"])
def test_a_frame_of_any_other_place_means_the_file_that_is_called_so(tmp_path: Path, place: str) -> None:
    assert files(tmp_path, f'It crashes\n\nFile "{place}text.py", line 1, in wrap') == ["acme/text.py"]


def test_a_path_in_words_follows_the_same_rule(tmp_path: Path) -> None:
    assert files(tmp_path, "Why does /usr/lib/python3.11/site-packages/django/utils/text.py wrap?") == []
    assert files(tmp_path, "Why does /usr/lib/python3.11/site-packages/acme/text.py wrap?") == ["acme/text.py"]
    assert files(tmp_path, "Not /usr/lib/python3.11/traceback.py but our traceback.py") == ["acme/traceback.py"]


def test_several_of_a_thing_name_it(tmp_path: Path) -> None:
    store = store_with(tmp_path, [unit("shop/types.py", "NamedType", "words", start=1)])
    assert len(named(store.snapshot(), understand("Some `NamedTypes` are equal that should not be"))) == 1
