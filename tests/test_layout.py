"""The folders are the architecture: a stage imports only what stands before it on the path."""

from __future__ import annotations

import ast
from pathlib import Path

import haversack

PACKAGE = Path(haversack.__file__).parent

# From left to right. Modules of one group may import each other.
ORDER = (
    {"errors", "model", "tokens", "logs", "patterns", "safe"},
    {"units"},
    {"config"},
    {"sources.protocol", "project"},
    {"memory"},
    {"sources"},
    {"index"},
    {"retrieve"},
    {"score"},
    {"pack"},
    {"render"},
    {"receipt"},
    {"assemble"},
    {"recall"},
    {"api", "doctor", "evaluate", "measuring", "remembering", "sessions"},
    {"cli", "hook", "install", "mcp", "__main__", "__init__"},
)
PURE = ("model", "tokens", "score", "pack", "render")
DOES_IO = {"os", "io", "pathlib", "subprocess", "socket", "sqlite3", "shutil", "tempfile", "urllib", "http"}
# tokens may be given the path of a tokenizer file and must open it.
ALLOWED_IO = {("tokens.py", "pathlib")}


def rank(module: str) -> int:
    parts = module.split(".")
    for size in (2, 1):
        name = ".".join(parts[:size])
        for number, group in enumerate(ORDER):
            if name in group:
                return number
    raise AssertionError(f"{module} has no place on the path: add it to ORDER")


def imports(path: Path) -> list[str]:
    """Modules a file imports when it runs: what stands under TYPE_CHECKING does not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = []
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append(node.module)
    return found


def modules() -> list[tuple[str, Path]]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = list(path.relative_to(PACKAGE).with_suffix("").parts)
        if parts[-1] == "__init__" and len(parts) > 1:
            parts.pop()
        found.append((".".join(parts), path))
    return found


def test_no_stage_imports_a_later_one() -> None:
    wrong = [
        f"{name} imports {target}"
        for name, path in modules()
        if name != "__init__"
        for target in imports(path)
        if target.startswith("haversack.") and rank(target.removeprefix("haversack.")) > rank(name)
    ]
    assert wrong == []


def test_the_core_does_no_input_or_output() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {target}"
        for name, path in modules()
        if name.split(".")[0] in PURE
        for target in imports(path)
        if target.split(".")[0] in DOES_IO and (path.name, target.split(".")[0]) not in ALLOWED_IO
    ]
    assert wrong == []


def test_sql_stands_only_in_the_index_and_in_memory() -> None:
    # Some agents keep their conversations in a database of their own: one module opens those, to read only.
    own = ("index.", "memory.", "sources.conversation.database")
    wrong = [name for name, path in modules() if "sqlite3" in imports(path) and not name.startswith(own)]
    assert wrong == []


def test_files_can_be_read_in_one_sitting() -> None:
    long = [
        f"{path.relative_to(PACKAGE)} has {lines} lines"
        for _, path in modules()
        if (lines := path.read_text(encoding="utf-8").count("\n")) > 500
    ]
    assert long == []


def test_public_names_are_these_and_load() -> None:
    assert haversack.__all__ == [
        "Citation", "Config", "Haversack", "HaversackError", "Level", "Packet", "Unit", "__version__"
    ]  # fmt: skip
    for name in haversack.__all__:
        assert getattr(haversack, name) is not None
    assert dir(haversack) == sorted(haversack.__all__)
