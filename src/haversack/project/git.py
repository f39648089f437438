"""Runs git so that a repository it reads cannot run anything.

A repository's own configuration may name programs: monitors, hooks, filters, pagers, diff drivers, signature checkers,
transports. Each is switched off here, on every call, whatever the command; haversack only uses commands that read what
git has stored.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path

from haversack.errors import SourceError
from haversack.project.find import Repository, find_repository

TIMEOUT_SECONDS = 60.0
MAX_BYTES = 256 * 1024 * 1024
CHUNK_BYTES = 256 * 1024
# Git's complaints are a line or two; a hostile repository could make them endless.
MAX_COMPLAINT_BYTES = 4096

# Nothing of the caller's environment reaches git but what finding a program needs.
_KEPT_VARIABLES = ("SYSTEMROOT", "WINDIR", "TMPDIR", "TEMP", "TMP")
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",  # a promisor remote would be fetched from; per-protocol settings cannot override this
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_SETTINGS = (
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.quotePath=false",
    f"core.hooksPath={os.devnull}",
    "core.pager=cat",
    f"core.attributesFile={os.devnull}",
    f"core.excludesFile={os.devnull}",
    "core.sshCommand=false",
    "core.alternateRefsCommand=false",
    "diff.external=",
    "diff.submodule=short",
    "gpg.program=false",
    "gpg.ssh.program=false",
    "gpg.x509.program=false",
    "log.showSignature=false",
    "log.mailmap=false",
    "protocol.allow=never",
    "protocol.ext.allow=never",
    "protocol.file.allow=never",
    "submodule.recurse=false",
)
# For commands that print differences: no drivers, no converters, and the output's form does not depend on settings.
DIFF_OPTIONS = (
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    f"-O{os.devnull}",
    "--submodule=short",
    "--ignore-submodules=none",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
_DIFFING = frozenset({"log", "diff-tree", "show"})


def git(
    project_root: Path,
    args: Sequence[str],
    *,
    input: bytes | None = None,  # noqa: A002 - called what subprocess calls it
    timeout: float = TIMEOUT_SECONDS,
    max_bytes: int = MAX_BYTES,
) -> bytes:
    """What a git command prints. SourceError when git is missing, fails, is too slow or prints too much."""
    taken = bytearray()
    with stream(project_root, args, stdin=input, timeout=timeout) as chunks:
        for chunk in chunks:
            taken += chunk
            if len(taken) > max_bytes:
                raise SourceError(
                    f"git {args[0]} in {project_root} printed more than {max_bytes:,} bytes",
                    hint="The repository may be damaged: run 'git fsck' in it.",
                )
    return bytes(taken)


@contextmanager
def stream(
    project_root: Path, args: Sequence[str], *, stdin: bytes | None = None, timeout: float = TIMEOUT_SECONDS
) -> Iterator[Iterator[bytes]]:
    """Chunks of what a git command prints, as it prints them; they end in SourceError when it fails.

    Leaving the block before the last chunk ends the command without complaint.
    """
    repository = find_repository(project_root)
    if repository is None:
        raise SourceError(
            f"{project_root} is not in a git repository", hint="Run 'git init', or turn off the commits source."
        )
    run = _Run(repository, project_root, args, stdin, timeout)
    try:
        yield run.chunks()
    finally:
        run.end()


class _Run:
    """One git process, its deadline, and the threads that keep its pipes from filling up."""

    def __init__(
        self, repository: Repository, project_root: Path, args: Sequence[str], stdin: bytes | None, timeout: float
    ) -> None:
        self.what = f"git {args[0]} in {project_root}"
        self.timeout = timeout
        self.process = subprocess.Popen(
            [find_git(project_root), *_arguments(repository, args)],
            cwd=project_root,
            env=_environment(),
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.late = False
        self.complaint = b""
        self.timer = threading.Timer(timeout, self._give_up)
        self.threads = [threading.Thread(target=self._listen, daemon=True)]
        if stdin is not None:
            self.threads.append(threading.Thread(target=self._feed, args=(stdin,), daemon=True))
        self.timer.daemon = True
        for thread in (self.timer, *self.threads):
            thread.start()

    def chunks(self) -> Iterator[bytes]:
        output = self.process.stdout
        assert isinstance(output, BufferedReader)
        while chunk := output.read1(CHUNK_BYTES):
            yield chunk
        code = self.process.wait()
        for thread in self.threads:
            thread.join()
        if self.late:
            raise SourceError(f"{self.what} took longer than {self.timeout:g} s", hint="Try again with fewer commits.")
        if code:
            raise _failure(self.what, code, self.complaint)

    def end(self) -> None:
        self.timer.cancel()
        self.process.kill()
        self.process.wait()
        for thread in self.threads:
            thread.join()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()

    def _give_up(self) -> None:
        self.late = True
        self.process.kill()

    def _listen(self) -> None:
        assert self.process.stderr
        while chunk := self.process.stderr.read(MAX_COMPLAINT_BYTES):
            self.complaint = (self.complaint + chunk)[:MAX_COMPLAINT_BYTES]

    def _feed(self, data: bytes) -> None:
        assert self.process.stdin
        # Git may end before it has read everything; why is told by its exit code, not by the broken pipe.
        with suppress(OSError):
            self.process.stdin.write(data)
        with suppress(OSError):
            self.process.stdin.close()


def find_git(project_root: Path) -> str:
    """The git program on the path. A program that lies in the project it is to read is passed over."""
    inside = os.path.join(str(project_root), "")
    folders = [
        folder
        for folder in os.environ.get("PATH", os.defpath).split(os.pathsep)
        if Path(folder).is_absolute() and not os.path.join(os.path.realpath(folder), "").startswith(inside)
    ]
    found = shutil.which("git", path=os.pathsep.join(folders))
    if not found:
        raise SourceError(
            "git is not installed, or not on the PATH",
            hint="Install git to read history, or turn off the commits source.",
        )
    return found


def _arguments(repository: Repository, args: Sequence[str]) -> list[str]:
    """Git's own options, then the command. Naming the data folder keeps git from looking for another one."""
    settings = [part for setting in (*_SETTINGS, f"safe.directory={repository.top}") for part in ("-c", setting)]
    command = [args[0], *DIFF_OPTIONS, *args[1:]] if args[0] in _DIFFING else list(args)
    places = [f"--git-dir={repository.git_dir}", f"--work-tree={repository.top}"]
    return [*places, "--no-pager", "--literal-pathspecs", *settings, *command]


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return {**kept, "PATH": os.environ.get("PATH", os.defpath), **_ENVIRONMENT}


def _failure(what: str, code: int, complaint: bytes) -> SourceError:
    said = complaint.decode("utf-8", "replace").strip()
    lines = [line.removeprefix("fatal: ").removeprefix("error: ") for line in said.splitlines() if line.strip()]
    return SourceError(
        f"{what} failed: {lines[0] if lines else f'exit code {code}'}",
        hint="Run 'git fsck' there to see what is damaged; everything but the history is read all the same.",
    )
