"""Source packages and repositories, fetched once, with the licence that lets us learn from them."""

from __future__ import annotations

import io
import json
import re
import subprocess
import tarfile
import tomllib
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TIMEOUT = 60  # seconds for one answer of a registry
LARGEST_ARCHIVE = 60 << 20  # bytes; larger ones are data
LARGEST_FILE = 400_000  # bytes of one source file
MOST_FILES = 900  # of one package: a giant must not drown the others
MOST_OF_REPOSITORY = 2_400  # the same for a repository, which brings languages that few packages do
PERMISSIVE = re.compile(r"\b(?:MIT|BSD|Apache(?:[- ](?:License|Software|2))?|ISC)\b|Apache-2\.0", re.IGNORECASE)
RESTRICTED = re.compile(
    r"\bA?L?GPL|GNU|Mozilla|MPL|EPL|CDDL|SSPL|BUSL|Commons Clause|proprietary|derived|\bTCL\b|\bVim\b", re.IGNORECASE
)
# What a licence file says near its top.
TEXTS = {
    "Apache-2.0": re.compile(r"Apache License\s+(?:,\s*)?Version 2\.0", re.IGNORECASE),
    "MIT": re.compile(r"MIT License|Permission is hereby granted, free of charge, to any person", re.IGNORECASE),
    "BSD": re.compile(r"Redistribution and use in source and binary forms", re.IGNORECASE),
    "ISC": re.compile(r"Permission to use, copy, modify, and/?(?: ?or)? distribute this software", re.IGNORECASE),
}
ENDINGS = frozenset(
    (
        "py",
        "pyi",
        "js",
        "jsx",
        "mjs",
        "cjs",
        "ts",
        "tsx",
        "go",
        "rs",
        "java",
        "c",
        "h",
        "cc",
        "cpp",
        "cxx",
        "hpp",
        "hh",
        "md",
        "rst",
    )
)
# Copies of other people's code: neither theirs to license to us by this file nor known not to be excluded.
FOREIGN = re.compile(
    r"(?:^|/)(?:_?vendor(?:ed)?|third[_-]?party|node_modules|external|extern|deps|dist|bundled|patched|\.yarn)/"
)
MINIFIED = re.compile(r"\.min\.|-bundle\.|\.bundle\.|\.d\.ts$")


class RefusedError(Exception):
    """This package may not be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Package:
    """One package or repository at one version, its files in order."""

    origin: str  # pypi, npm or git
    name: str
    version: str
    licence: str
    files: dict[str, str]
    history: Path | None = None


@dataclass(frozen=True, slots=True)
class Excluded:
    """Repositories nothing may be learnt from, and what their packages may be called."""

    repositories: frozenset[str]
    names: frozenset[str]

    @classmethod
    def read(cls, path: Path | None) -> Excluded:
        lines = path.read_text(encoding="utf-8").splitlines() if path else []
        found = [line.strip().lower() for line in lines if line.strip() and not line.startswith("#")]
        names = {name for each in found for name in each.split("/")[1:]}
        return cls(frozenset(found), frozenset(names - {"core", "compiler", "json"}))

    def check(self, name: str, *texts: str) -> None:
        """Refuse a package by its name, or by a repository that its own description points to."""
        parts = name.lower().removeprefix("@").split("/")  # owner/name, @scope/name or a name alone
        if name.lower() in self.repositories or self.names & {parts[0], parts[-1]}:
            raise RefusedError("excluded by name")
        for text in texts:
            for owner, repository in re.findall(r"github\.com[/:]([\w.-]+)/([\w.-]+)", text):
                if f"{owner}/{repository.removesuffix('.git')}".lower() in self.repositories:
                    raise RefusedError(f"belongs to excluded {owner}/{repository}")


def listed(path: Path) -> Iterator[tuple[str, str, str]]:
    """Part (train, tune, evaluate), origin and name of everything in sources.toml."""
    for part, origins in tomllib.loads(path.read_text(encoding="utf-8")).items():
        for origin, names in origins.items():
            yield from ((part, origin, name) for name in names.split() if not name.endswith("[skip]"))


def gather(origin: str, name: str, cache: Path, mirror: Path | None, excluded: Excluded) -> Package:
    """The package's files, from the cache when they were fetched before."""
    excluded.check(name)
    if origin == "git":
        return _repository(name, cache, mirror)
    return (_from_pypi if origin == "pypi" else _from_npm)(name, cache, excluded)


def _from_pypi(name: str, cache: Path, excluded: Excluded) -> Package:
    page = f"https://pypi.org/pypi/{name}/json"
    told = json.loads(_get(page, cache / f"pypi-{name}.json"))
    info = told["info"]
    excluded.check(name, *map(str, (info.get("project_urls") or {}).values()), str(info.get("home_page") or ""))
    classifiers = [c.rpartition("::")[2].strip() for c in info["classifiers"] if c.startswith("License")]
    said = info.get("license_expression") or "; ".join(classifiers) or (info.get("license") or "")[:60]
    said = " ".join(said.split())
    _permitted(said)
    archives = [u for u in told["urls"] if u["packagetype"] == "sdist"] or [
        u for u in told["urls"] if u["filename"].endswith("-none-any.whl")
    ]
    if not archives:
        raise RefusedError("no source archive")
    if archives[0]["size"] > LARGEST_ARCHIVE:
        raise RefusedError("archive too large")
    # Some mirrors of the registry answer with addresses relative to the page.
    blob = _get(urllib.parse.urljoin(page, archives[0]["url"]), cache / archives[0]["filename"])
    return Package("pypi", name, info["version"], said, _unpacked(blob))


def _from_npm(name: str, cache: Path, excluded: Excluded) -> Package:
    page = f"https://registry.npmjs.org/{name}/latest"
    told = json.loads(_get(page, cache / f"npm-{name.replace('/', '+')}.json"))
    excluded.check(name, json.dumps(told.get("repository") or ""))
    said = told.get("license") or ""
    said = said.get("type", "") if isinstance(said, dict) else str(said)
    _permitted(said)
    kept = cache / f"npm-{name.replace('/', '+')}-{told['version']}.tgz"
    blob = _get(urllib.parse.urljoin(page, told["dist"]["tarball"]), kept)
    if len(blob) > LARGEST_ARCHIVE:
        raise RefusedError("archive too large")
    return Package("npm", name, told["version"], said, _unpacked(blob))


def _permitted(said: str) -> None:
    if not PERMISSIVE.search(said) or RESTRICTED.search(said):
        raise RefusedError(f"licence {said or 'not stated'!r}")


def _get(url: str, kept: Path) -> bytes:
    if kept.exists():
        return kept.read_bytes()
    request = urllib.request.Request(url, headers={"User-Agent": "haversack-training"})
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        blob: bytes = answer.read()
    kept.parent.mkdir(parents=True, exist_ok=True)
    partial = kept.with_name(kept.name + ".part")
    partial.write_bytes(blob)
    partial.replace(kept)
    return blob


def wanted(path: str) -> bool:
    """Whether a file of a package is of use: source or prose, written here, not by a machine."""
    return path.rpartition(".")[2].lower() in ENDINGS and not FOREIGN.search(path) and not MINIFIED.search(path)


def _unpacked(blob: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    for path, data in sorted(_members(blob)):
        inside = path.partition("/")[2] or path
        if wanted(inside) and len(found) < MOST_FILES:
            found[inside] = data.decode("utf-8", "replace").replace("\r\n", "\n")
    return found


def _members(blob: bytes) -> Iterator[tuple[str, bytes]]:
    if blob[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(blob)) as archive:
            for info in archive.infolist():
                if info.file_size <= LARGEST_FILE and wanted(info.filename):
                    yield "package/" + info.filename, archive.read(info)
        return
    with tarfile.open(fileobj=io.BytesIO(blob)) as archive:
        for member in archive:
            if member.isfile() and member.size <= LARGEST_FILE and wanted(member.name):
                file = archive.extractfile(member)
                if file is not None:
                    yield member.name, file.read()


def git(folder: Path, *arguments: str, given: bytes | None = None) -> bytes:
    """What git prints."""
    return subprocess.run(["git", "-C", str(folder), *arguments], input=given, capture_output=True, check=True).stdout


def _repository(name: str, cache: Path, mirror: Path | None) -> Package:
    folder = mirror / name.replace("/", "+") / "repo" if mirror else cache / name.replace("/", "+")
    if not folder.exists():
        if mirror:
            raise RefusedError("not in the mirror")
        subprocess.run(["git", "clone", "-q", "--bare", f"https://github.com/{name}.git", str(folder)], check=True)
    head = git(folder, "rev-parse", "HEAD").decode().strip()
    listing = []
    licences = []
    for line in git(folder, "ls-tree", "-r", "-l", "-z", "HEAD").decode("utf-8", "replace").split("\0"):
        described, _, path = line.partition("\t")
        if not path or described.split()[1] != "blob":
            continue
        size = described.split()[3]
        if re.fullmatch(r"(?:LICEN[CS]E|COPYING)(?!.*third)[\w.-]*", path, re.IGNORECASE):
            licences.append(described.split()[2])
        if wanted(path) and size.isdigit() and int(size) <= LARGEST_FILE:
            listing.append((path, described.split()[2]))
    licence = _licence_of(list(_blobs(folder, licences).values()))
    step = max(1, -(-len(listing) // MOST_OF_REPOSITORY))  # every n-th file of a giant: all its corners
    chosen = listing[::step]
    texts = _blobs(folder, [blob for _, blob in chosen])
    files = {path: texts[blob].replace("\r\n", "\n") for path, blob in chosen if blob in texts}
    return Package("git", name, head[:12], licence, files, folder)


def _licence_of(texts: list[str]) -> str:
    if any(re.search(r"\bvim licen[cs]e|GNU (?:lesser |affero )?general", text, re.IGNORECASE) for text in texts):
        raise RefusedError("another licence beside the permissive one")
    found = sorted({name for text in texts for name, said in TEXTS.items() if said.search(text[:3_000])})
    if not found:
        raise RefusedError("no permissive licence file")
    return " / ".join(found)


def _blobs(folder: Path, wanted_blobs: list[str]) -> dict[str, str]:
    """Texts by object name; objects that a partial copy lacks are left out."""
    out = git(folder, "cat-file", "--batch", given="\n".join(wanted_blobs).encode() + b"\n")
    found, at = {}, 0
    while at < len(out):
        end = out.index(b"\n", at)
        head = out[at:end].split()
        at = end + 1
        if len(head) == 3 and head[1] == b"blob":
            size = int(head[2])
            found[head[0].decode()] = out[at : at + size].decode("utf-8", "replace")
            at += size + 1
    return found
