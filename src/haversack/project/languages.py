"""Which language a file is written in, told from its name and its first line.

Names are those of the syntax grammars where one exists; `WITHOUT_GRAMMAR` lists the rest.
"""

from __future__ import annotations

import re


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set: how this package writes its tables of names."""
    return frozenset(text.split())


WITHOUT_GRAMMAR = words(
    "ada assembly awk coffeescript csv cython devicetree diff elm fish fsharp kconfig less linkerscript lisp meson "
    "nim notebook pascal prisma purescript qml rescript robot sass stylus svg tcl text thrift twig "
    "verilog vhdl visualbasic wgsl glsl hlsl"
)
"""Languages haversack names although no syntax grammar is shipped for them."""

# One line per language, so that a reader finds a language and a reviewer sees a double.
_EXTENSIONS_OF = {
    "ada": "adb ads",
    "asciidoc": "adoc asciidoc asc",
    "assembly": "s asm nasm",
    "astro": "astro",
    "awk": "awk",
    "bash": "sh bash zsh ksh bats ebuild",
    "batch": "bat cmd",
    "c": "c h cl",
    "clojure": "clj cljs cljc edn",
    "cmake": "cmake",
    "coffeescript": "coffee",
    "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp cu cuh ino cppm ixx",
    "csharp": "cs csx",
    "css": "css pcss",
    "csv": "csv tsv",
    "cython": "pyx pxd pxi",
    "dart": "dart",
    "devicetree": "dts dtsi dtso",
    "diff": "diff patch",
    "dockerfile": "dockerfile containerfile",
    "dtd": "dtd",
    "elixir": "ex exs",
    "elm": "elm",
    "embedded_template": "erb ejs eex leex",
    "erlang": "erl hrl",
    "fish": "fish",
    "fortran": "f f77 f90 f95 f03 f08 for",
    "fsharp": "fs fsi fsx",
    "glsl": "glsl vert frag comp geom",
    "gotmpl": "tmpl gotmpl gohtml",
    "go": "go",
    "graphql": "graphql gql graphqls",
    "groovy": "groovy gradle gvy jenkinsfile",
    "haskell": "hs lhs",
    "hcl": "hcl tf tfvars nomad",
    "heex": "heex",
    "hlsl": "hlsl fx",
    "html": "html htm xhtml",
    "ini": "ini cfg conf editorconfig desktop service",
    "java": "java",
    "javascript": "js mjs cjs jsx",
    "jinja2": "j2 jinja jinja2",
    "json": "json geojson webmanifest jsonl ndjson",
    "json5": "json5",
    "jsonc": "jsonc code-workspace",
    "jsonnet": "jsonnet libsonnet",
    "julia": "jl",
    "just": "just",
    "kdl": "kdl",
    "kotlin": "kt kts",
    "latex": "tex sty cls bib ltx",
    "less": "less",
    "linkerscript": "ld lds",
    "lisp": "lisp el lsp",
    "lua": "lua luau",
    "make": "mk mak make",
    "markdown": "md markdown mkd mdown mdc mdx qmd rmd",
    "meson": "meson",
    "nim": "nim nims",
    "nix": "nix",
    "notebook": "ipynb",
    "objc": "m mm",
    "ocaml": "ml mli mll mly",
    "org": "org",
    "pascal": "pas dpr",
    "perl": "pl pm t pod",
    "php": "php phtml php5 php7 inc",
    "powershell": "ps1 psm1 psd1",
    "prisma": "prisma",
    "properties": "properties env",
    "proto": "proto",
    "purescript": "purs",
    "python": "py pyi pyw pyt gyp wsgi",
    "qml": "qml",
    "r": "r",
    "racket": "rkt",
    "rescript": "res resi",
    "robot": "robot",
    "rst": "rst rest",
    "ruby": "rb rake gemspec ru podspec rbi",
    "rust": "rs",
    "sass": "sass",
    "scala": "scala sc sbt",
    "scheme": "scm ss sld",
    "scss": "scss",
    "solidity": "sol",
    "sql": "sql ddl psql pgsql",
    "starlark": "bzl star bazel",
    "stylus": "styl",
    "svelte": "svelte",
    "svg": "svg",
    "swift": "swift",
    "tcl": "tcl",
    "text": "txt text log",
    "thrift": "thrift",
    "toml": "toml",
    "tsx": "tsx",
    "twig": "twig",
    "typescript": "ts mts cts",
    "typst": "typ",
    "verilog": "v sv svh vh",
    "vhdl": "vhd vhdl",
    "vim": "vim",
    "visualbasic": "vb bas",
    "vue": "vue",
    "wat": "wat",
    "wgsl": "wgsl",
    "xml": "xml xsd xsl xslt plist csproj fsproj vbproj props targets resx xaml wsdl rss storyboard",
    "yaml": "yaml yml",
    "zig": "zig zon",
}

_NAMES_OF = {
    "bash": ".bashrc .bash_profile .profile .zshrc .zprofile .zshenv .envrc pkgbuild apkbuild configure gradlew mvnw",
    "cmake": "cmakelists.txt",
    "dockerfile": "dockerfile containerfile",
    "gitignore": ".gitignore .ignore .haversackignore .dockerignore .npmignore .eslintignore codeowners",
    "groovy": "jenkinsfile",
    "hcl": ".terraform.lock.hcl",
    "ini": ".editorconfig .gitconfig .gitmodules .npmrc .pylintrc .flake8 .coveragerc pipfile setup.cfg tox.ini",
    "json": ".babelrc .eslintrc .prettierrc composer.lock pipfile.lock flake.lock",
    "jsonc": "tsconfig.json jsconfig.json devcontainer.json settings.json",
    "just": "justfile .justfile",
    "kconfig": "kconfig",
    "make": "makefile gnumakefile kbuild",
    "meson": "meson.build meson_options.txt",
    "properties": ".env",
    "ruby": "rakefile gemfile guardfile vagrantfile brewfile podfile fastfile dangerfile capfile",
    "starlark": "build.bazel workspace.bazel module.bazel tiltfile buck",
    "text": "license licence copying notice authors contributors readme changelog changes todo install news version "
    "maintainers requirements.txt go.sum",
    "toml": "cargo.lock poetry.lock uv.lock pdm.lock",
    "vim": ".vimrc _vimrc",
    "yaml": ".clang-format .clang-tidy .yamllint yarn.lock pubspec.lock",
}

_BY_EXTENSION = {extension: lang for lang, extensions in _EXTENSIONS_OF.items() for extension in extensions.split()}
_BY_NAME = {name: lang for lang, names in _NAMES_OF.items() for name in names.split()}
# A kernel's `Build` is a makefile, Bazel's `BUILD` is not: here the case tells.
_BY_EXACT_NAME = {"BUILD": "starlark", "WORKSPACE": "starlark", "Build": "make"}
# `gradle.kts` and the like need no entry: the last extension decides. These do, because theirs says something else.
_BY_ENDING = {".blade.php": "html", ".h.in": "c", ".yml.dist": "yaml", ".env.example": "properties"}

_BY_INTERPRETER = {
    "ash": "bash",
    "awk": "awk",
    "bash": "bash",
    "bun": "typescript",
    "dash": "bash",
    "deno": "typescript",
    "escript": "erlang",
    "fish": "fish",
    "gawk": "awk",
    "groovy": "groovy",
    "julia": "julia",
    "ksh": "bash",
    "lua": "lua",
    "make": "make",
    "node": "javascript",
    "nodejs": "javascript",
    "ocaml": "ocaml",
    "perl": "perl",
    "php": "php",
    "pwsh": "powershell",
    "python": "python",
    "pypy": "python",
    "racket": "racket",
    "rscript": "r",
    "ruby": "ruby",
    "runghc": "haskell",
    "scala": "scala",
    "sh": "bash",
    "swift": "swift",
    "tclsh": "tcl",
    "ts-node": "typescript",
    "uv": "python",
    "zsh": "bash",
}
_SHEBANG = re.compile(r"#!\s*(?P<program>\S+)(?P<arguments>[^\n]*)")
_VERSION = re.compile(r"[\d.]+$")

PROSE = words("asciidoc latex markdown org rst text typst")
"""Languages people write sentences in."""

DATA = words("csv diff ini json json5 jsonc kdl notebook properties svg toml xml yaml")
"""Languages that hold values rather than behaviour."""

LANGUAGES = frozenset(
    (*_BY_EXTENSION.values(), *_BY_NAME.values(), *_BY_EXACT_NAME.values(), *_BY_INTERPRETER.values())
)
"""All that a file can be told to be written in."""


def language_of(path: str, first_line: str = "") -> str:
    """The canonical name of a file's language; "" when nothing tells."""
    written = path.rpartition("/")[2]
    name = written.lower()
    if found := _BY_NAME.get(name) or _BY_EXACT_NAME.get(written):
        return found
    stem, dot, extension = name.rpartition(".")
    if dot:
        if "." in stem:
            for ending, lang in _BY_ENDING.items():
                if name.endswith(ending):
                    return lang
        if found := _BY_EXTENSION.get(extension):
            return found
    if name.startswith(("dockerfile.", "containerfile.")):
        return "dockerfile"
    if name.startswith((".env.", "kconfig.", "makefile.")):
        return {".": "properties", "k": "kconfig", "m": "make"}[name[0]]
    return _by_shebang(first_line) if first_line.startswith("#!") else ""


def _by_shebang(line: str) -> str:
    shebang = _SHEBANG.match(line)
    if not shebang:
        return ""
    words = [shebang["program"].rpartition("/")[2], *shebang["arguments"].split()]
    if words[0] == "env":
        # `env -S FOO=1 python3 -u`: the program is the first word that is neither an option nor an assignment.
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    program = words[0].rpartition("/")[2].lower() if words else ""
    return _BY_INTERPRETER.get(program) or _BY_INTERPRETER.get(_VERSION.sub("", program), "")
