"""What a file is for, told from its path and language."""

from __future__ import annotations

import re

from haversack.model import Role
from haversack.patterns import lazily
from haversack.project.languages import DATA, PROSE, words

VENDORED_FOLDERS = words(
    "vendor vendors vendored _vendor extern externals third_party third-party thirdparty 3rdparty node_modules "
    "bower_components site-packages pods carthage gtest gmock googletest googlemock"
)
FIXTURE_FOLDERS = words(
    "fixtures fixture testdata test-data test_data testfixtures __fixtures__ __snapshots__ cassettes golden goldens "
    "__mocks__"
)
TEST_FOLDERS = words(
    "test tests __tests__ spec specs e2e cypress unittests androidtest jvmtest commontest testsuite selftests kunit"
)
EXAMPLE_FOLDERS = words(
    "example examples sample samples demo demos tutorial tutorials playground cookbook "
    "bench benches benchmark benchmarks docs_src docs-src doc_src"
)
DOCS_FOLDERS = words("doc docs documentation wiki website")
REQUIREMENT_FOLDERS = words("requirements specs spec .specify rfcs prd")
CHANGELOG_FOLDERS = words("changelog changelogs changelog.d newsfragments release-notes releasenotes .changes")
GENERATED_FOLDERS = words("generated __generated__ gen-go gen-java autogen")
TYPES_FOLDERS = words("types typings @types")

PEOPLE_FILES = words("authors contributors credits maintainers owners codeowners thanks notice copying license licence")
LOCK_FILES = words(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock poetry.lock uv.lock pdm.lock pipfile.lock "
    "cargo.lock go.sum composer.lock gemfile.lock mix.lock pubspec.lock podfile.lock package.resolved flake.lock "
    "packages.lock.json gradle.lockfile .terraform.lock.hcl deno.lock conda-lock.yml"
)
# The last are messages of the source, copied out to be translated.
_GENERATED_NAME = lazily(
    r"""_pb2(_grpc)?\.pyi?$ | \.pb(\.gw)?\.(go|cc|h|c|swift)$ | \.(g|freezed|gr|mocks)\.dart$ | \.designer\.(cs|vb)$
      | \.g(enerated)?\.[a-z]+$ | \.min\.(js|css|mjs)$ | [._-]bundle\.js$ | \.(js|css|mjs)\.map$ | ^zz_generated\.
      | _generated\.[a-z]+$ | \.gen\.[a-z]+$ | \.(pot?|xlf|xliff)$""",
    re.VERBOSE,
)

_TEST_NAME = lazily(
    r"""^test_.+\.(py|pyi|c|cc|cpp|rb|jl|lua)$ | ^(conftest|tests?|test_helper|spec_helper)\.[a-z]+$ | _tests?\.[a-z]+$
      | _spec\.(rb|lua|js|ts|ex|cr)$ | [._-](test|spec|e2e|cy)\.[cm]?[jt]sx?$ | _unittest\.(cc|cpp|py)$
      | \.(test|spec)\.(vue|svelte|dart|php)$ | \.(bats|robot|t)$ | ^setuptests\.[jt]s$""",
    re.VERBOSE,
)
# Told from `Contest.java` and `SecretKeySpec.java` by the capital and by the language's own habit.
_TEST_CLASS = lazily(
    r"""(?: (?:Tests?|TestCase|[a-z0-9]IT|ITCase)\.(?:java|kt|kts|groovy) | (?:Spec|Suite|Test)\.(?:scala|sc)
      | Tests?\.(?:cs|fs|vb|swift|m|mm|php|dart) | Spec\.(?:hs|kt|groovy) )$""",
    re.VERBOSE,
)
_TEST_PROJECT = lazily(r"(?:[a-z0-9]Tests?|[._-][Tt]ests?)/")
# `releases.md` and `release-2.1.rst` tell of releases; `release-process.rst` tells how one is made.
_CHANGELOG = lazily(
    r"^(?:(?:changelog|changes|history|news|release[-_]notes|whatsnew)(?:[-_.][\w.-]*)?"
    r"|releases?(?:[-_]?v?\d[\w.-]*)?(?:\.[a-z]+)?)$"
)
_TYPES_NAME = lazily(r"\.d\.[cm]?ts$|\.pyi$|\.rbi$|^(types?|typings|interfaces)\.(ts|tsx|py|go|rs|kt|swift|scala|hs)$")
_DEPENDENCY_LIST = lazily(r"^(requirements|constraints)[\w.-]*\.(txt|in)$")
_CONFIG_NAME = lazily(
    r"""^\. | \.config\.[cm]?[jt]s$ | ^(jenkinsfile|rakefile|procfile|gemfile|pipfile)$
      | ^(setup\.py|noxfile\.py|(build|settings)\.gradle(\.kts)?)$""",
    re.VERBOSE,
)
_CONFIG_LANGS = (DATA - {"csv", "diff", "notebook", "svg"}) | words(
    "cmake dockerfile gitignore hcl jsonnet just kconfig make meson nix starlark"
)


def role_of(path: str, lang: str) -> Role:
    """What the file at a project path is for."""
    folder, _, name = path.lower().rpartition("/")
    folders = frozenset(folder.split("/"))
    if not folders.isdisjoint(VENDORED_FOLDERS):
        return Role.VENDORED
    if name in LOCK_FILES or _GENERATED_NAME.search(name) or not folders.isdisjoint(GENERATED_FOLDERS):
        return Role.GENERATED
    if not folders.isdisjoint(FIXTURE_FOLDERS) or name.endswith(".snap"):
        return Role.FIXTURE
    if lang in PROSE or (not lang and _is_about_project(folders, name)):
        return _role_of_prose(folders, name)
    return _role_of_code(path, folders, name, lang)


def _is_about_project(folders: frozenset[str], name: str) -> bool:
    """Whether a file of no known language tells of the project and its makers: `release-notes/2.x`, `AUTHORS`."""
    return name in PEOPLE_FILES or bool(_CHANGELOG.match(name)) or not folders.isdisjoint(CHANGELOG_FOLDERS)


def _role_of_prose(folders: frozenset[str], name: str) -> Role:
    if _DEPENDENCY_LIST.match(name):
        return Role.CONFIG
    if _CHANGELOG.match(name) or not folders.isdisjoint(CHANGELOG_FOLDERS):
        return Role.CHANGELOG
    if not folders.isdisjoint(REQUIREMENT_FOLDERS):
        return Role.REQUIREMENTS
    # A text file among tests is what a test reads; a Markdown file there explains the tests.
    if not folders.isdisjoint(TEST_FOLDERS) and name.endswith((".txt", ".text", ".log")):
        return Role.FIXTURE
    return Role.DOCS


def _role_of_code(path: str, folders: frozenset[str], name: str, lang: str) -> Role:
    if _is_test(path, folders, name):
        return Role.FIXTURE if lang in DATA or not lang else Role.TEST
    if not folders.isdisjoint(EXAMPLE_FOLDERS):
        return Role.EXAMPLE
    if lang in _CONFIG_LANGS or _CONFIG_NAME.search(name):
        return Role.CONFIG
    if not folders.isdisjoint(DOCS_FOLDERS):
        return Role.DOCS
    if _TYPES_NAME.search(name) or (lang in {"typescript", "tsx"} and not folders.isdisjoint(TYPES_FOLDERS)):
        return Role.TYPES
    return Role.SOURCE


def _is_test(path: str, folders: frozenset[str], name: str) -> bool:
    if not folders.isdisjoint(TEST_FOLDERS) or _TEST_NAME.search(name):
        return True
    return bool(_TEST_CLASS.search(path) or _TEST_PROJECT.search(path))
