"""A file's language is told by its name, then by its first line."""

from __future__ import annotations

import pytest
import semble_grammars

from haversack.project import languages
from haversack.project.languages import DATA, PROSE, WITHOUT_GRAMMAR, language_of

EXPECTED = {
    "a.py": "python", "a.pyi": "python", "a.js": "javascript", "a.mjs": "javascript", "a.jsx": "javascript",
    "a.ts": "typescript", "a.tsx": "tsx", "a.go": "go", "a.rs": "rust", "A.java": "java", "a.kt": "kotlin", "a.c": "c",
    "a.h": "c", "a.cpp": "cpp", "a.hpp": "cpp", "A.cs": "csharp", "a.rb": "ruby", "Gemfile": "ruby", "a.php": "php",
    "a.swift": "swift", "a.scala": "scala", "a.sh": "bash", "a.lua": "lua", "a.sql": "sql", "a.html": "html",
    "a.css": "css", "a.scss": "scss", "a.vue": "vue", "a.svelte": "svelte", "a.json": "json", "tsconfig.json": "jsonc",
    "a.yml": "yaml", "a.toml": "toml", "README.md": "markdown", "a.mdx": "markdown", "a.rst": "rst",
    "a.adoc": "asciidoc",
    "a.txt": "text", "LICENSE": "text", "Dockerfile": "dockerfile", "Dockerfile.dev": "dockerfile", "main.tf": "hcl",
    "Makefile": "make", "Makefile.am": "make", "a.mk": "make", "tools/Build": "make", "pkg/BUILD": "starlark",
    "CMakeLists.txt": "cmake", "a.ipynb": "notebook", "build.gradle": "groovy", "build.gradle.kts": "kotlin",
    ".env": "properties", ".env.local": "properties", "Kconfig.debug": "kconfig", "Cargo.lock": "toml",
    "a.PY": "python",
    "x.blade.php": "html", "a.ex": "elixir", "a.zig": "zig", "a.proto": "proto", "a.unknown": "", "noextension": "",
    "a/b.c/README": "text", "config.h.in": "c",
}  # fmt: skip

SHEBANGS = {
    "#!/bin/sh": "bash", "#!/usr/bin/env python3.12": "python", "#!/usr/bin/env -S FOO=1 node --x": "javascript",
    "#! /usr/bin/perl -w": "perl", "#!/usr/bin/env": "", "#!/opt/unknown": "", "#!": "", "# not one": "",
    "#!/usr/bin/ruby\nputs 1": "ruby", "#!/usr/bin/env -S uv run --script": "python",
}  # fmt: skip


@pytest.mark.parametrize(("path", "lang"), EXPECTED.items())
def test_the_name_tells_the_language(path: str, lang: str) -> None:
    assert language_of(path) == lang


@pytest.mark.parametrize(("line", "lang"), SHEBANGS.items())
def test_the_first_line_tells_when_the_name_does_not(line: str, lang: str) -> None:
    assert language_of("tool", line) == lang
    assert language_of("tool.go", line) == "go"


def test_every_language_has_a_grammar_or_is_known_to_have_none() -> None:
    grammars = set(semble_grammars.available_languages())
    named = {
        lang
        for table in ("_BY_EXTENSION", "_BY_NAME", "_BY_EXACT_NAME", "_BY_ENDING", "_BY_INTERPRETER")
        for lang in getattr(languages, table).values()
    }
    assert named - grammars == WITHOUT_GRAMMAR
    assert named >= (PROSE | DATA)


def test_no_extension_belongs_to_two_languages() -> None:
    extensions = [one for listed in languages._EXTENSIONS_OF.values() for one in listed.split()]
    assert len(extensions) == len(set(extensions))
