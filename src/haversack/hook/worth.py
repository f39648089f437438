"""What is worth a packet, told without opening anything: prompts that speak of something, checks that fail."""

from __future__ import annotations

from haversack.hook.moment import Kind, Moment
from haversack.patterns import lazily

# Words with which people steer a session. A prompt of nothing else names nothing that could be looked up.
_STEERING = """
a about actually again ahead all alright also always am an and any anyway are as at awesome back be because been
before bye can cheers clear commit continue cool could did do does doing done don exactly excellent fine first for
from get give go going good got great had happy has have hello help her here hey hi him his hm hmm how however i if in
into is it its just keep know last later less let lets lgtm like little ll look looks love made make many maybe me
mean mind minute more morning most move much my need never next nice night no nope not nothing now of off oh ok okay
on once one only or other our out over perfect please plz pretty proceed pull push question really reply rest retry
right s same say see seems she should show so some something sorry sounds start still stop sure t take talk tell than
thank thanks that thats the their them then there these they thing things think this those thx time to today together
too totally true try undo up us use ve very wait want was way we well were what when where which while who why will
with wonderful works would wow wrong y yay yeah yep yes yet you your yup
"""
STEERING = frozenset(_STEERING.split())
MOST_STEERING = 60  # words; whoever writes more than that says something
_WORD = lazily(r"[^\W_]+")
_COMMAND = lazily(r"[/!][\w:-]*(?:\s|$)")

_CHECK = lazily(
    r"""(?x) \b(?:
      py\.?test | unittest | nosetests | tox | nox | jest | vitest | mocha | ava | karma | cypress | playwright
    | rspec | phpunit | pest | ctest | bats | busted | behave | cucumber
    | (?:npm|pnpm|yarn|bun|deno)\ (?:run\ )?(?:[\w:-]*(?:test|build|check|lint|compile)[\w:-]*|t\b|ci\b)
    | (?:cargo|go|dotnet|swift|mix|zig|stack|cabal|dune|sbt|lein|gradle|gradlew|mvn|mvnw|bazel|buck2?|dart|flutter|make
        |ninja|rake|just|task|meson|scons|poetry|uv|hatch|rails|composer|nx|turbo)\b[^|;&\n]{0,60}?\b
        (?:test\w*|build\w*|check|compile|verify|vet|clippy|nextest|install|all|lint|package|run)
    | make | ninja | cmake\ --build | msbuild | xcodebuild | gradlew? | mvnw? | tsc | javac | rustc | gcc | g\+\+
    | clang | mypy | pyright | eslint | webpack | vite\ build | next\ build | rollup | docker\ build
    )\b"""
)
# How test runners and compilers sum up, where the host does not tell how the command ended.
_FAILED = lazily(
    r"""(?xm)
      ^(?:FAILED|FAIL|ERROR)[ :]\s*\S | \b[1-9]\d*\ (?:failed|failing|failures?|errors?)\b | \bTests?\ failed\b
    | ^---\ FAIL: | \btest\ result:\ FAILED | ^error(?:\[\w+\])?: | \bBUILD\ (?:FAILED|FAILURE)\b
    | \bBuild\ FAILED\b | \berror\ TS\d+: | ^make(?:\[\d+\])?:\ \*\*\*
    | ^Traceback\ \(most\ recent\ call\ last\) | ^panic:
    """
)


def worth_asking(moment: Moment) -> bool:
    """Whether something should be looked up at this moment."""
    if moment.kind is Kind.PROMPT:
        return says_something(moment.prompt)
    if moment.kind is Kind.TOOL:
        return is_failing_check(moment.command, moment.output, moment.failed)
    return True


def says_something(prompt: str) -> bool:
    """Whether a prompt names anything at all: not small talk, not a command to the host."""
    text = prompt.strip()
    if not text or _COMMAND.match(text):
        return False
    words = _WORD.findall(text)
    return len(words) > MOST_STEERING or any(word.casefold() not in STEERING and not word.isdecimal() for word in words)


def is_failing_check(command: str, output: str, failed: bool | None) -> bool:
    """Whether this was a test or a build, and it failed."""
    if failed is False or not _CHECK.search(command):
        return False
    return bool(failed or _FAILED.search(output))
