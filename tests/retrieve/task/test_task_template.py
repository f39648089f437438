"""A filled-in issue template says what its author wrote, not what the template says."""

from __future__ import annotations

import pytest

from haversack.retrieve.task import template
from haversack.retrieve.task.lines import Zone, read_lines
from haversack.retrieve.understand import understand

SAID = "Table overflows by one cell when the title has an emoji"

BUG_REPORT = """**Describe the bug**
A clear and concise description of what the bug is.
%s

**To Reproduce**
Steps to reproduce the behavior:
1. Go to '...'
2. Click on '....'
3. Scroll down to '....'
4. See error

**Expected behavior**
A clear and concise description of what you expected to happen.

**Screenshots**
If applicable, add screenshots to help explain your problem.

**Desktop (please complete the following information):**
 - OS: [e.g. iOS]
 - Browser [e.g. chrome, safari]
 - Version [e.g. 22]

**Smartphone (please complete the following information):**
 - Device: [e.g. iPhone6]
 - OS: [e.g. iOS8.1]
 - Browser [e.g. stock browser, safari]
 - Version [e.g. 22]

**Additional context**
Add any other context about the problem here.
"""
FEATURE_REQUEST = """**Is your feature request related to a problem? Please describe.**
A clear and concise description of what the problem is. Ex. I'm always frustrated when [...]
%s

**Describe the solution you'd like**
A clear and concise description of what you want to happen.

**Describe alternatives you've considered**
A clear and concise description of any alternative solutions or features you've considered.

**Additional context**
Add any other context or screenshots about the feature request here.
"""
FORM = """### Is there an existing issue for this?

- [X] I have searched the existing issues

### Current Behavior

%s

### Expected Behavior

_No response_

### Steps To Reproduce

1. In this environment...
2. With this config...
3. Run '...'
4. See error...

### Environment

```markdown
- OS:
- Node:
```

### What browsers are you seeing the problem on?

_No response_

### Relevant log output

```shell

```

### Anything else?

_No response_

### Code of Conduct

- [X] I agree to follow this project's Code of Conduct
"""
DESCRIBED = """### Bug Description

A short description of the bug.

%s

### Prerequisites

[x] I have read the contributing guidelines

### Setup

* Acme version:
* Works without plugins (yes/no):

### Are you willing to submit a pull request?

None
"""


@pytest.mark.parametrize("form", [BUG_REPORT, FEATURE_REQUEST, FORM, DESCRIBED])
def test_only_what_the_author_wrote_is_left_of_a_default_template(form: str) -> None:
    said = [line for line in read_lines(form % SAID) if line.zone is not Zone.ENVIRONMENT]
    assert [(line.text, line.zone) for line in said] == [(SAID, Zone.TITLE)]
    filled, plain = understand(form % SAID), understand(SAID)
    assert (filled.lines, filled.keywords, filled.quoted) == (plain.lines, plain.keywords, ())
    assert {term: filled.terms[term] for term in plain.terms} == dict(plain.terms)


@pytest.mark.parametrize("form", [BUG_REPORT, FEATURE_REQUEST, FORM, DESCRIBED])
def test_a_template_around_an_issue_with_a_title_adds_nothing(form: str) -> None:
    assert understand(f"{SAID}\n\n{form % SAID}").keywords == understand(f"{SAID}\n\n{SAID}").keywords


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("A clear and concise description of what the bug is. The parser drops commas.", "The parser drops commas."),
        ("A concise description of what you're experiencing.", ""),
        ("Please provide a clear, concise description of the problem: commas are dropped", "commas are dropped"),
        ("_A brief summary of your feature_", ""),
        ("I'm always frustrated when the parser drops commas", "the parser drops commas"),
        ("I’m always frustrated when [...]", ""),
        ("> If relevant, please attach screenshots or a video.", ""),
        ("Please include any additional information about the issue here.", ""),
        # What a user may well ask for.
        ("A short description of each command is missing", None),
        ("Show a clear and concise summary of all failures", None),
        ("Add some context to the errors that the parser raises", None),
        ("Add any missing details to the report", None),
        ("If possible, add support for commas", None),
        ("A brief explanation of why the parser drops commas", None),
        ("Here is a clear description of what the bug is", None),
        ("I am frustrated when the parser drops commas", None),
    ],
)
def test_filler_goes_and_the_answer_behind_it_stays(line: str, left: str | None) -> None:
    assert template.without_filler(line).strip(" >") == (line if left is None else left)


@pytest.mark.parametrize(
    ("line", "dropped"),
    [
        ("1. Go to '...'", True),
        ("2. Click on `....`", True),
        ("3.", True),
        ("4. See error", True),
        ("- Browser [e.g. chrome, safari]", True),
        ("* Turning off plugins made the problem go away (yes/no):", True),
        ("Is there an existing issue for this?", True),
        ("I have searched the existing issues", True),
        ("[x] I have searched the existing issues", True),
        ("1. Go to 'Settings'", False),
        ("2. Click on 'Save...' twice", False),
        ("4. See error in the console", False),
        ("It fails for some inputs (e.g. empty ones)", False),
        ("I've read the docs but the parser drops commas", False),
        ("Is there an existing way to drop commas?", False),
        ("[] is not parsed", False),
    ],
)
def test_lines_left_as_they_were_are_dropped(line: str, dropped: bool) -> None:
    assert template.is_boilerplate(line) is dropped


@pytest.mark.parametrize(
    "title", ["# Use cases of the parser", "# Set-up of the parser hangs", "# Desktop notifications are lost"]
)
def test_a_title_that_begins_like_a_template_is_a_title(title: str) -> None:
    assert read_lines(title)[0].text == title.removeprefix("# ")
