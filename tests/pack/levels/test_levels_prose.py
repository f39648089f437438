"""Prose, commits and plain text at their levels."""

from __future__ import annotations

from level_cases import climb, count, file_unit

from haversack.model import Level, Span, Unit
from haversack.pack.levels import Limits, StubInfo, excerpt
from haversack.pack.levels.ladder import summarize_file
from haversack.pack.levels.sentences import first_sentences, sentence_spans, shortened

GUIDE = """---
title: Guide
---

# Orchard guide

The orchard keeps apples. It has done so for years. Nobody remembers the beginning of it all.

## Harvest

Pick in autumn. The ladder stands behind the barn, as everybody knows. Never pick alone in the dark.

1. Take a basket. It must be dry.
2. Climb the ladder. Hold on to the tree while you do.
3. Pick what is red. Leave what is green for another week.
4. Come down slowly. The last rung is broken.
5. Weigh the basket. Write the weight into the book.
6. Sweep the floor. The broom is in the corner.
7. Go home. It was a long day for all of us.
8. Rest well. Tomorrow is another day of harvest.

```python
def pick(tree):
    for apple in tree:
        if apple.red:
            yield apple
    tree.rest()
    tree.sleep()
    tree.dream()
    print("all apples are picked and the day is over for the tree")
```

| tool | place |
|------|-------|
| ladder | behind the barn |
| basket | on the shelf |
| broom | in the corner |
| book | with the accountant |

### Storage

Keep apples cool. The cellar is the best place for that, and the attic the worst one.
"""


def spoken(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def test_detail_keeps_headings_first_sentences_and_the_tasks_sentences() -> None:
    rung = climb(file_unit(GUIDE, "guide.md", "markdown", "docs"), GUIDE, terms=["weigh", "attic"])[Level.DETAILED]
    shown = rung.text.split("\n")
    for kept in (
        "# Orchard guide",
        "## Harvest",
        "### Storage",
        "The orchard keeps apples. …",
        "Pick in autumn. …",
        "1. Take a basket. …",
        "5. Weigh the basket. Write the weight into the book.",
        "Keep apples cool. The cellar is the best place for that, and the attic the worst one.",
        "```python",
        "```",
        "| tool | place |",
    ):
        assert kept in shown, kept
    assert "8. Rest well" not in rung.text
    assert "tree.dream()" not in rung.text
    assert rung.elided


def test_summary_extracts_the_authors_sentences() -> None:
    rung = climb(file_unit(GUIDE, "guide.md", "markdown", "docs"), GUIDE, terms=["rung", "broken"])[Level.SUMMARY]
    assert rung.text.startswith("The orchard keeps apples.")
    assert "The last rung is broken." in rung.text
    assert " … " in rung.text


def test_the_front_matter_is_not_a_sentence() -> None:
    rung = climb(file_unit(GUIDE, "guide.md", "markdown", "docs"), GUIDE)[Level.SUMMARY]
    assert "title: Guide" not in rung.text


def test_what_is_written_for_programs_is_no_sentence() -> None:
    text = (
        "<!-- Copyright of somebody.\nAll rights reserved by them. -->\n\n[![build](https://x.y/badge.svg)](https://x.y)\n"
        "![picture](a.png)\n<div align='center'>\n\nApples keep well in the cellar. "
        + "They like it cool and dark and quiet. " * 6
        + "\n</div>\n<!-- never closed\n"
    )
    rungs = climb(file_unit(text, "a.md", "markdown", "docs"), text)
    assert rungs[Level.SUMMARY].text.startswith("Apples keep well in the cellar.")
    assert "rights" not in rungs[Level.DETAILED].text


def test_sentences_end_where_readers_say_they_end() -> None:
    assert spoken("One. Two! Three? Four") == ["One.", "Two!", "Three?", "Four"]
    assert spoken("Use e.g. Rust, cf. Fig. 3, by J. Doe et al. in v1.2.3 of foo.py. Then stop.") == [
        "Use e.g. Rust, cf. Fig. 3, by J. Doe et al. in v1.2.3 of foo.py.",
        "Then stop.",
    ]
    assert spoken("彼は来た。「見た。」勝った！終わり") == ["彼は来た。", "「見た。」", "勝った！", "終わり"]
    assert spoken('She said "stop." He did. and went on') == ['She said "stop."', "He did. and went on"]
    assert spoken("क्या हुआ। सब ठीक। ") == ["क्या हुआ।", "सब ठीक।"]
    assert spoken("Wait... what? Really?! Yes.") == ["Wait... what?", "Really?!", "Yes."]
    assert spoken("  \n ") == []


def test_first_sentences_stop_at_their_limits() -> None:
    assert first_sentences("One here. Two here. Three here.", 2, 100) == "One here. Two here."
    assert first_sentences("One here. Two here.", 5, 12) == "One here."
    assert first_sentences("word " * 50, 1, 30) == "word word word word word …"
    assert shortened("x" * 50, 20) == "x" * 18 + " …"


def test_restructured_text_keeps_its_underlined_headings() -> None:
    text = (
        "=====\nTitle\n=====\n\nIntro sentence here. " + "Another one follows it closely. " * 8
        + "\n\nUsage\n-----\n\nRun it often. " + "It will be alright in the end. " * 8
        + "\n\n.. code-block:: sh\n\n    make\n    make install\n"
    )  # fmt: skip
    shown = climb(file_unit(text, "guide.rst", "rst", "docs"), text)[Level.DETAILED].text.split("\n")
    assert shown[:3] == ["=====", "Title", "====="]
    assert any(line.startswith("Intro sentence here. ") and line.endswith(" …") for line in shown)
    assert shown[shown.index("Usage") : shown.index("Usage") + 2] == ["Usage", "-----"]


def test_prose_without_sentences_is_summarised_by_its_first_lines() -> None:
    text = "```\n" + "".join(f"line {n} of the code goes here\n" for n in range(60)) + "```\n"
    rung = climb(file_unit(text, "code.md", "markdown", "docs"), text)[Level.SUMMARY]
    assert rung.text.startswith("```\nline 0")


def test_one_endless_sentence_is_cut_to_the_limit() -> None:
    text = "word " * 3000
    rungs = climb(file_unit(text, "a.txt", "text", "docs"), text, limits=Limits(detailed=100, summary=50))
    assert rungs[Level.DETAILED].tokens <= 100
    assert rungs[Level.SUMMARY].tokens <= 50
    assert rungs[Level.SUMMARY].text.endswith("…")


COMMIT = """Make the cellar cooler

Apples went bad in summer. The fan now starts earlier. It is also quieter than before.
Nobody complained about the noise, but still.

M\tcellar/fan.py
A\tcellar/thermometer.py
D\tattic/box.py

diff --git a/cellar/fan.py b/cellar/fan.py
index 1111111..2222222 100644
--- a/cellar/fan.py
+++ b/cellar/fan.py
@@ -1,9 +1,9 @@ def start
 context line one that nobody needs to read again
 context line two that nobody needs to read again
-    if degrees > 20:
+    if degrees > 15:
         fan.start()
 context line three that nobody needs to read again
 context line four that nobody needs to read again
diff --git a/cellar/thermometer.py b/cellar/thermometer.py
@@ -0,0 +1,30 @@
""" + "".join(f"+reading_{n} = measure(sensor, {n}, unit='celsius')\n" for n in range(30))


def commit_unit(**meta: tuple[str, ...]) -> Unit:
    return Unit(id="c", source="commits", kind="commit", title="Make the cellar cooler", text=COMMIT, meta=meta)


def test_a_commit_in_detail_is_its_message_files_and_changed_lines() -> None:
    rung = climb(commit_unit(), COMMIT, terms=["reading_25"])[Level.DETAILED]
    shown = rung.text.split("\n")
    assert shown[0] == "Make the cellar cooler"
    assert "M\tcellar/fan.py" in shown
    assert "+    if degrees > 15:" in shown
    assert "context line one" not in rung.text
    assert "+reading_25 = measure(sensor, 25, unit='celsius')" in shown
    assert "reading_29" not in rung.text
    assert rung.span is None
    assert any(line.strip().endswith("lines elided") for line in shown)


def test_a_commit_in_short_is_its_message_and_files() -> None:
    rung = climb(commit_unit(), COMMIT)[Level.SUMMARY]
    assert rung.text == (
        "Make the cellar cooler\n"
        "Apples went bad in summer. The fan now starts earlier. It is also quieter than before.\n"
        "Files: cellar/fan.py, cellar/thermometer.py, attic/box.py."
    )
    many = commit_unit(files=tuple(f"orchard/module_{n}.py" for n in range(90)))
    rung = climb(many, COMMIT, terms=["module_77"])[Level.SUMMARY]
    assert "orchard/module_77.py" in rung.text
    assert rung.text.endswith(" more.")


def test_files_listed_bare_are_known_by_what_the_commit_says() -> None:
    text = (
        "Move the cellar\n\nIt was too small.\n\nattic/box.py\nold/fan.py -> cellar/fan.py\nand 3 more files\n\n"
        + "".join(
            f"diff --git a/cellar/fan.py b/cellar/fan.py\n@@ -{n} +{n} @@\n context\n-old line {n}\n+new line {n}\n"
            for n in range(30)
        )
    )
    unit = commit_unit(files=("attic/box.py", "cellar/fan.py"))
    assert climb(unit, text)[Level.SUMMARY].text == (
        "Move the cellar\nIt was too small.\nFiles: attic/box.py, cellar/fan.py."
    )
    small = climb(unit, text, limits=Limits(detailed=60))[Level.DETAILED].text.split("\n")
    assert small[:7] == text.split("\n")[:7]


def test_a_commit_with_an_empty_message_still_names_its_files() -> None:
    text = "\n" + COMMIT[COMMIT.index("M\t") :]
    assert climb(commit_unit(), text)[Level.SUMMARY].text.startswith("Files: cellar/fan.py")


def test_settings_keep_their_outer_keys_and_the_tasks_lines() -> None:
    text = "".join(
        f"service_{n}:\n  image: registry/app-{n}\n  ports:\n    - {8000 + n}\n  note: nothing special here\n"
        for n in range(20)
    )
    shown = climb(file_unit(text, "a.yaml", "yaml"), text, terms=["8013"])[Level.DETAILED].text.split("\n")
    assert "service_0:" in shown
    assert "service_19:" in shown
    assert "    - 8013" in shown
    assert "    - 8007" not in shown
    assert "  # … lines 2-5 elided" in shown


def test_a_log_is_shown_by_its_beginning_and_the_tasks_lines() -> None:
    text = "".join(f"2026-01-01 00:00:{n % 60:02d} worker {n} finished its round as usual\n" for n in range(300))
    text += "2026-01-01 00:09:00 worker crashed with a segmentation fault\n"
    unit = Unit(id="l", source="logs", kind="log", title="l", text=text, path="a.log", span=Span(1, 301))
    for level in (Level.DETAILED, Level.SUMMARY):
        rung = climb(unit, text, terms=["segmentation"])[level]
        assert rung.text.startswith("2026-01-01 00:00:00 worker 0")
        assert "segmentation fault" in rung.text


def test_a_unit_of_an_unknown_source_is_read_as_prose() -> None:
    text = "We decided to keep the apples. " * 3 + "The attic was too warm for them all summer long. " * 12
    unit = Unit(id="m", source="chat", kind="message", title="m", text=text)
    assert climb(unit, text)[Level.SUMMARY].text.startswith("We decided to keep the apples.")


def test_an_empty_text_has_nothing_but_a_stub() -> None:
    assert list(climb(file_unit(" \n\n"), " \n\n")) == [Level.STUB]
    info = StubInfo("a.py", "file", "python", None, 0)
    for level in (Level.FULL, Level.DETAILED, Level.SUMMARY):
        assert summarize_file("", "python", level, info=info, count=count).text == ""
        assert summarize_file(" \n", "python", level, info=info, count=count).level is level


def test_limits_bind_every_level_and_zero_leaves_it_out() -> None:
    rungs = climb(
        file_unit(GUIDE, "guide.md", "markdown", "docs"), GUIDE, limits=Limits(full=100, detailed=0, summary=40, stub=0)
    )
    assert list(rungs) == [Level.FULL, Level.SUMMARY]
    assert rungs[Level.FULL].tokens <= 100
    assert rungs[Level.FULL].elided
    assert rungs[Level.FULL].text.split("\n")[-1].startswith("… lines ")
    assert climb(file_unit(GUIDE), GUIDE, limits=Limits(full=0, detailed=0, summary=0, stub=0)) == {}
    unlimited = climb(
        file_unit(GUIDE, "g.md", "markdown", "docs"), GUIDE, limits=Limits(detailed=-1, summary=-1, stub=-1)
    )
    assert list(unlimited) == [level for level in Level if level is not Level.LIGHT]


def test_an_excerpt_goes_to_the_last_line_that_fits() -> None:
    text = "".join(f"line {n} says something\n" for n in range(100))
    cut = excerpt(text, 1, 200, count, lang="python")
    assert cut is not None
    kept = cut.text.split("\n")[:-1]
    assert cut.span == Span(1, len(kept))
    assert cut.text.endswith(f"# … lines {len(kept) + 1}-100 elided")
    longer = [*kept, f"line {len(kept)} says something", f"# … lines {len(kept) + 2}-100 elided"]
    assert count("\n".join(longer)) > 200


def test_an_excerpt_of_what_fits_is_the_text() -> None:
    cut = excerpt("one\ntwo\n", 5, 50, count, numbered=True)
    assert cut is not None
    assert (cut.text, cut.span, cut.elided) == ("5| one\n6| two", Span(5, 6), False)
    assert excerpt("one\ntwo\n", 5, 50, count, located=False) is not None


def test_an_excerpt_breaks_a_line_only_when_there_is_no_other_way() -> None:
    cut = excerpt("word " * 400 + "\nnext\n", 7, 50, count)
    assert cut is not None
    assert cut.tokens <= 50
    assert cut.text.endswith("\n… line 7 cut here, lines 8-8 elided")
    assert cut.span == Span(7, 7)
    assert excerpt("word " * 400, 7, 3, count) is None
    assert excerpt("word " * 400, 7, 0, count) is None


def test_a_cut_leaves_letters_with_their_accents() -> None:
    text = "e\u0301" * 400
    cut = excerpt(text, 1, 60, count)
    assert cut is not None
    shown = cut.text.split("\n")[0]
    assert shown == "e\u0301" * (len(shown) // 2)
