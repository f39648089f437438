"""Lines of a task get the zone they deserve; templates, links and repetition go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.retrieve.task import lines as module
from haversack.retrieve.task import template
from haversack.retrieve.task.lines import Zone, bounded, read_lines, without_links
from haversack.retrieve.understand import understand

ISSUE = """<!-- Please fill in
all of this -->
Parser drops the last token
### Describe the bug
The parser drops the last token when the input ends in a comma, see `Parser.next_token()`.

Closes #12, #13.

```python
from acme.parser import Parser
Parser("a,b,").tokens()
```

    >>> indented(call)

```
Traceback (most recent call last):
  File "/home/me/acme/parser.py", line 12, in next_token
    self.advance()
IndexError: list index out of range
2024-01-02 10:00:00 INFO started
```

### Why it matters here
Users lose data.

### Environment
- OS: Linux
- acme version: 1.2.3
Some words about my machine.

### Checklist
- [x] I have searched existing issues
"""


def zones(text: str) -> dict[str, str]:
    return {line.text.strip(): line.zone for line in read_lines(text)}


def test_an_issue_is_read_by_zones() -> None:
    found = zones(ISSUE)
    assert found["Parser drops the last token"] is Zone.TITLE
    assert found["Why it matters here"] is Zone.HEADING
    assert found['Parser("a,b,").tokens()'] is Zone.CODE
    assert found[">>> indented(call)"] is Zone.CODE
    assert found['File "/home/me/acme/parser.py", line 12, in next_token'] is Zone.FRAME
    assert found["IndexError: list index out of range"] is Zone.ERROR
    assert found["2024-01-02 10:00:00 INFO started"] is Zone.OUTPUT
    assert found["- OS: Linux"] is Zone.ENVIRONMENT
    assert found["Some words about my machine."] is Zone.ENVIRONMENT
    assert not any("fill in" in text or "Describe the bug" in text or "searched" in text for text in found)
    assert not any("#12" in text for text in found)


def test_a_fence_knows_its_language_and_an_open_one_reaches_the_end() -> None:
    lines = read_lines("Title\n~~~rust\nfn main() {}\n```\nstill code()")
    assert [(line.zone, line.lang) for line in lines[1:]] == [(Zone.CODE, "rust")] * 3


def test_a_log_or_a_trace_is_not_a_title() -> None:
    lines = read_lines('Traceback (most recent call last):\n  File "a.py", line 1, in f\nIt broke today')
    assert [line.zone for line in lines] == [Zone.FRAME, Zone.TITLE]


def test_a_text_of_nothing_but_template_is_its_own_title() -> None:
    assert read_lines("### Steps to reproduce")[0].text == "### Steps to reproduce"
    assert read_lines("")[0].text == ""
    assert read_lines("# Parser drops tokens")[0].text == "Parser drops tokens"


def test_versions_in_prose_are_prose() -> None:
    line = "Since pytest 6.1.0 symlinked directories are not collected any more when I run the whole suite"
    assert zones("t\n" + line)[line] is Zone.PROSE


@pytest.mark.parametrize(
    "line", ["numpy==1.2.3", "- Python version: 3.8.1", "certifi    2019.9.11", "| node | v18.1.0 |"]
)
def test_version_tables_are_environment(line: str) -> None:
    assert zones("Title\n" + line)[line.strip()] is Zone.ENVIRONMENT


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("see [the code](https://github.com/a/b/blob/main/src/x.py#L12)", "see the code src/x.py:12"),
        ("see https://github.com/a/b/blob/abc/src/x.py#L3-L9 now", "see src/x.py:3 now"),
        ("![shot](https://example.com/a.png)", " "),
        ("[https://example.com](https://example.com)", " "),
        ("[docs](https://example.com/page) say", "docs say"),
        ('<img src="x.png">hello<br>', " hello "),
        ("go to https://example.com/x", "go to  "),
    ],
)
def test_links_give_way_to_what_they_say(line: str, plain: str) -> None:
    assert without_links(line) == plain


def test_comments_end_where_they_end() -> None:
    assert template.without_comments("a <!-- b --> c <!-- d", False) == ("a  c ", True)
    assert template.without_comments("d --> e", True) == (" e", False)


@pytest.mark.parametrize(
    ("line", "dropped"),
    [
        ("- [x] I have searched the issue tracker", True),
        ("- [ ] split the parser in two", False),
        ("_No response_", True),
        ("Signed-off-by: A B <a@b.c>", True),
        ("By submitting this pull request, you agree to the license", True),
        ("Thanks for submitting an issue!", True),
        ("If your issue is a usage question, submit it here instead", True),
        ("To reference an open issue, please write this in your description: `Fixes #NUMBER`", True),
        ("References to other Issues or PRs", True),
        ("Brief description of what is fixed or changed", True),
        ("Other comments:", True),
        ("Other comments are lost when the parser is reset", False),
        ("References to other documents are lost", False),
        ("Please handle empty input", False),
        ("The parser is slow", False),
    ],
)
def test_template_sentences_are_dropped(line: str, dropped: bool) -> None:
    assert template.is_boilerplate(line) is dropped


def test_an_open_task_list_is_a_checklist() -> None:
    assert zones("Title\n- [ ] split the parser in two")["- [ ] split the parser in two"] is Zone.CHECKLIST


def test_long_texts_are_read_at_both_ends() -> None:
    text = "start\n" + "x\n" * module.LONGEST_TEXT + "the end"
    short = bounded(text)
    assert len(short) <= module.LONGEST_TEXT + 1
    assert short.startswith("start")
    assert short.endswith("the end")


def test_long_lines_are_read_in_pieces_and_data_is_cut() -> None:
    words = "Title\n" + "word " * 500 + "needle"
    assert any("needle" in line.text for line in read_lines(words))
    data = "Title\n" + "x" * 5000
    assert max(len(line.text) for line in read_lines(data)) <= module.LONGEST_LINE


def test_repetition_is_left_out_but_late_errors_are_not() -> None:
    text = "Title\n" + "same line again\n" * 50
    assert sum(line.text == "same line again" for line in read_lines(text)) == module.MOST_REPEATS
    many = "Title\n" + "\n".join(f"line of {chr(0x4E00 + n)}" for n in range(module.MOST_LINES + 50))
    many += "\nValueError: late"
    lines = read_lines(many)
    assert lines[-1].text == "ValueError: late"
    assert len(lines) == module.MOST_LINES + 1


def test_of_lines_that_differ_in_their_numbers_a_few_are_read_and_every_frame_and_error() -> None:
    log = [f"worker {n} took item {n * 31} in {n % 97} ms" for n in range(500)]
    frames = [f'  File "shop/cart.py", line {n}, in total' for n in range(1, 21)]
    errors = [f"ValueError: item {n} is missing" for n in range(20)]
    lines = [line.text for line in read_lines("\n".join(["Title", *log, *frames, *errors]))]
    assert [line for line in lines if line in log] == log[: module.MOST_ALIKE]
    assert [line for line in lines if line not in log] == ["Title", *frames, *errors]


@given(st.text(max_size=400))
def test_any_text_has_lines(text: str) -> None:
    assert read_lines(text)


# Numbered as issues are: `#0` must not be taken for a reference to one.
TRACES = [
    (
        "#1  0x0000555555590a1c in status_redraw (c=0x7fffffffd0a0) at status.c:455",
        ("status.c", 455, "status_redraw"),
    ),
    ("#12 main (argc=1, argv=0x7ffe) at tmux.c:530", ("tmux.c", 530, "main")),
    ("    #0 0x4f1b2c in grid_get_cell /home/u/tmux/grid.c:512:9", ("home/u/tmux/grid.c", 512, "grid_get_cell")),
    ("#0 /var/www/src/Foo.php(123): App\\Foo->bar('x')", ("var/www/src/Foo.php", 123, "bar")),
    ("    at render (http://localhost:3000/static/app.js:12:3)", ("static/app.js", 12, "render")),
]


@pytest.mark.parametrize("fence", ["", "```\n"])
@pytest.mark.parametrize(("line", "frame"), TRACES)
def test_frames_are_read_in_a_fence_and_without_one(line: str, frame: tuple[str, int, str], fence: str) -> None:
    text = f"It crashes\n\n{fence}{line}\n{fence}"
    assert zones(text)[line.strip()] is Zone.FRAME
    assert understand(text).frames == (frame,)


@pytest.mark.parametrize(
    "line",
    ["#0  raise () from /lib/libc.so.6", "#3 {main}", "#2  0x00007ffff7e in ?? ()", "#1  <signal handler called>"],
)
def test_frames_without_a_file_are_output(line: str) -> None:
    assert zones(f"It crashes\n{line}")[line] is Zone.OUTPUT
    assert understand(f"It crashes\n{line}").paths == ()


@pytest.mark.parametrize("line", ["#12 broke the parser", "Fixes #12 (from the parser) at last"])
def test_an_issue_number_that_begins_a_line_is_still_one(line: str) -> None:
    assert not any("#12" in text for text in zones(f"Title\n{line}"))
    assert zones(f"Title\n{line}")
