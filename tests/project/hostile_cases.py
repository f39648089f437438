"""A repository that tries everything a repository can try: each of its programs would leave a file behind."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

from project_cases import ENVIRONMENT, repository, run_git, write

HOOKS = (
    "post-index-change",
    "fsmonitor-watchman",
    "pre-commit",
    "post-checkout",
    "reference-transaction",
    "pre-auto-gc",
)


class Trap:
    """Programs planted in a repository, and whether any of them ran."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)

    def program(self, name: str) -> str:
        """A program that leaves a file with its name."""
        path = self.folder / f"{name}.sh"
        path.write_text(f"#!/bin/sh\ntouch '{self.folder}/{name}.ran'\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        return str(path)

    def ran(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.ran"))

    def reset(self) -> None:
        for path in self.folder.glob("*.ran"):
            path.unlink()


def hostile_repository(root: Path, trap: Trap) -> Path:
    """A repository with history, odd names, a signed commit, a missing blob, and every setting that names a program."""
    repository(
        root, {"a.txt": "one\n", "-rf": "dash\n", "--output=pwned": "dash\n", "new\nline.txt": "x\n", "b.bin": b"\0"}
    )
    write(root, {".gitattributes": "* diff=evil filter=evil\n", "a.txt": "one\ntwo\n", "gone.txt": "missing\n"})
    run_git(root, "add", "-A", "-f")
    run_git(root, "commit", "-q", "-m", "second\n\n--output=pwned")
    _sign(root)
    write(root, {"a.txt": "one\ntwo\nthree\n"})
    run_git(root, "commit", "-q", "-am", "third")
    for hook in HOOKS:
        path = root / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(Path(trap.program(f"hook-{hook}")).read_bytes())
        path.chmod(0o755)
    with (root / ".git" / "config").open("a") as config:
        config.write(_settings(root, trap))
    _lose(root, "gone.txt")
    return root


def run_git_without_care(root: Path) -> None:
    """What tools do that trust the repository: proof that the traps are set."""
    quiet_filter = ("-c", "filter.evil.process=", "-c", "filter.evil.required=false")
    quiet_diff = ("-c", "diff.evil.command=", "-c", "diff.external=")
    for args in (
        ["status"],
        ["log", "-n2"],
        [*quiet_filter, "log", "-p", "--ext-diff", "-n1"],
        [*quiet_filter, *quiet_diff, "log", "-p", "-n1"],
        ["cat-file", "blob", "HEAD:gone.txt"],
    ):
        subprocess.run(["git", *args], cwd=root, env=ENVIRONMENT, capture_output=True, check=False, timeout=30)


def _settings(root: Path, trap: Trap) -> str:
    included = root / ".git" / "more.config"
    included.write_text(
        f"[pager]\n\tlog = {trap.program('included-pager')}\n[diff]\n\texternal = {trap.program('included-diff')}\n"
    )
    return f"""
[core]
\tfsmonitor = {trap.program("fsmonitor")}
\thooksPath = {root}/.git/hooks
\tpager = {trap.program("pager")}
\tsshCommand = {trap.program("ssh")}
\tgitProxy = {trap.program("proxy")}
\talternateRefsCommand = {trap.program("alternate")}
\teditor = {trap.program("editor")}
\taskPass = {trap.program("askpass")}
\trepositoryformatversion = 1
[extensions]
\tpartialClone = evil
[remote "evil"]
\turl = ext::{trap.program("remote")}
\tpromisor = true
\tpartialclonefilter = blob:none
\tuploadpack = {trap.program("uploadpack")}
[protocol "ext"]
\tallow = always
[protocol]
\tallow = always
[diff]
\texternal = {trap.program("external-diff")}
\tsubmodule = log
[diff "evil"]
\tcommand = {trap.program("diff-driver")}
\ttextconv = {trap.program("textconv")}
[filter "evil"]
\tclean = {trap.program("clean")}
\tsmudge = {trap.program("smudge")}
\tprocess = {trap.program("process")}
\trequired = true
[log]
\tshowSignature = true
\tmailmap = true
[gpg]
\tprogram = {trap.program("gpg")}
[alias]
\tlog = !{trap.program("alias-log")}
\tls-files = !{trap.program("alias-ls-files")}
\trev-list = !{trap.program("alias-rev-list")}
[credential]
\thelper = !{trap.program("credential")}
[include]
\tpath = {included}
[includeIf "gitdir:/"]
\tpath = {included}
"""


def _sign(root: Path) -> None:
    """Make the newest commit one that looks signed, so that whoever checks signatures starts the checker."""
    raw = run_git(root, "cat-file", "commit", "HEAD")
    header, _, message = raw.partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAdFiEE\n -----END PGP SIGNATURE-----"
    signed = f"{header}\n{signature}\n\n{message}\n".encode()
    sha = run_git(root, "hash-object", "-t", "commit", "-w", "--stdin", stdin=signed)
    run_git(root, "reset", "-q", "--hard", sha)


def _lose(root: Path, name: str) -> None:
    """Remove a file's content from the object store: git would fetch it from the remote the repository names."""
    blob = run_git(root, "hash-object", "--no-filters", name)
    path = root / ".git" / "objects" / blob[:2] / blob[2:]
    path.unlink()
