"""A file's path tells what it is for."""

from __future__ import annotations

import pytest

from haversack.model import Role
from haversack.project.languages import language_of
from haversack.project.roles import role_of

EXPECTED = {
    Role.SOURCE: (
        "src/app.py", "cmd/main.go", "lib/contest.rb", "src/Latest.java", "crypto/SecretKeySpec.java",
        "net/CipherSuite.kt", "src/attestation.ts", "src/testing_utils.py", "contests/run.py",
        "src/greatest.cs", "noextension", "src/a.proto", "src/protest.scala",
    ),
    Role.TEST: (
        "tests/a.py", "pkg/test_a.py", "pkg/a_test.py", "conftest.py", "src/a.test.ts", "src/a.spec.tsx",
        "src/__tests__/a.js", "pkg/a_test.go", "tests/it.rs", "src/test/java/A.java", "src/ATest.java",
        "src/UserIT.java", "src/ATests.cs", "App.Tests/A.cs", "spec/a_spec.rb", "tests/ATest.php",
        "AppTests/ATests.swift", "src/ASpec.scala", "src/ASuite.scala", "src/a_unittest.cc", "test/a_test.exs",
        "a.bats", "t/basic.t", "app/tests.py", "cypress/a.ts", "e2e/login.ts", "src/Module1Test.kt",
        "src/ParserSpec.hs", "tools/testing/selftests/x.c", "e2e/login.cy.js",
    ),
    Role.TYPES: ("src/a.d.ts", "pkg/a.pyi", "src/types.ts", "src/types/user.ts", "pkg/types.go", "typings/x.ts"),
    Role.DOCS: ("README.md", "docs/guide.rst", "docs/conf.py", "LICENSE", "tests/README.md", "notes.txt", "AUTHORS",
                "docs/release-process.rst", "RELEASING.md"),
    Role.REQUIREMENTS: (".aiwg/requirements/UC-001.md", "specs/login.md", ".specify/plan.md", "rfcs/0001.md"),
    Role.CONFIG: (
        "pyproject.toml", ".github/workflows/ci.yml", "package.json", "Dockerfile", "Makefile",
        "vite.config.ts", "requirements.txt", "requirements-dev.txt", ".eslintrc.js", "infra/main.tf",
        "setup.py",
    ),
    Role.EXAMPLE: ("examples/a.py", "samples/x/main.go", "demo/app.ts", "benches/a.rs", "docs_src/a.py"),
    Role.FIXTURE: (
        "tests/fixtures/a.py", "pkg/testdata/in.json", "src/__snapshots__/a.snap", "tests/data.json",
        "tests/expected.txt", "src/a.snap", "tests/fixtures/README.md", "tests/input",
    ),
    Role.CHANGELOG: (
        "CHANGELOG.md", "HISTORY.rst", "CHANGES", "changelog.d/1.md", "docs/release-notes.md", "NEWS.txt",
        "release-notes/VERSION-2.x", "RELEASES.md", "docs/release-2.1.rst", "releases.txt",
    ),
    Role.GENERATED: (
        "package-lock.json", "go.sum", "uv.lock", "api/a_pb2.py", "api/a.pb.go", "lib/a.g.dart",
        "src/a.generated.ts", "src/generated/a.ts", "Form.Designer.cs", "locale/de/LC_MESSAGES/app.po",
    ),
    Role.VENDORED: (
        "vendor/a.go", "third_party/x/y.c", "src/third-party/z.js", "Pods/A/b.m", "vendor/uv.lock", "lib/gtest/gtest.h",
        "pkg/extern/ply/lex.py", "pkg/externals/six.py",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("role", "path"), [(role, path) for role, paths in EXPECTED.items() for path in paths])
def test_the_path_tells_the_role(role: Role, path: str) -> None:
    assert role_of(path, language_of(path)) is role
