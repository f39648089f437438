"""Where a term stands decides what it counts for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.index.terms import terms
from haversack.retrieve.task import weights as module
from haversack.retrieve.task.lines import read_lines
from haversack.retrieve.task.negation import negated_terms
from haversack.retrieve.task.weights import weigh_terms


def weigh(text: str) -> dict[str, float]:
    lines = read_lines(text)
    return weigh_terms(lines, negated_terms(lines))


def test_the_title_outweighs_the_rest() -> None:
    found = weigh("Router drops cookies\nIt happens.\nAfter a while.\nThe gateway was restarted.\n```\nrestart()\n```")
    assert found["router"] > found["gateway"] > found["restart"]


def test_backticks_and_style_raise_a_word() -> None:
    found = weigh("Title here\nfirst\nsecond line\nplain gateway and `tunnel` and loadBalancer")
    assert found["tunnel"] > found["gateway"]
    assert found["loadbalancer"] > found["gateway"]


def test_environment_counts_for_nearly_nothing() -> None:
    found = weigh("Title here\nOne.\nTwo three.\nThe gateway hangs.\n### Environment\nkernel gizmo")
    assert found["gizmo"] < found["gateway"] / 4


def test_frames_give_their_path_and_function() -> None:
    found = weigh('Boom\n  File "/x/site-packages/acme/gateway.py", line 2, in reconnect')
    assert found["reconnect"] > found["gateway"] > 0
    assert "line" not in found


def test_called_names_outweigh_arguments() -> None:
    found = weigh("Title\n```\nreconnect(gateway)\n```")
    assert found["reconnect"] > found["gateway"]


def test_the_heaviest_weighs_one_and_comes_first() -> None:
    found = weigh("Fix the parser\nthe parser is slow, the parser loops")
    assert next(iter(found.items())) == ("parser", 1.0)
    assert all(0 < weight <= 1 for weight in found.values())


def test_long_texts_keep_the_heaviest_terms() -> None:
    text = "Router drops cookies\n" + "\n".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)} here" for n in range(400))
    found = weigh(text)
    assert len(found) == module.MOST_TERMS
    assert "router" in found


def test_stop_words_alone_are_better_than_nothing() -> None:
    assert weigh("do it") == {"do": 1.0, "it": 1.0}
    assert weigh("") == {}


@pytest.mark.parametrize(
    ("text", "away"),
    [
        ("Use the socket instead of the pipe", {"pipe"}),
        ("Return a list rather than a generator, please", {"generator"}),
        ("Don't touch the scheduler", {"scheduler"}),
        ("이 함수는 소켓 대신 써야 한다", {"소켓"}),
        ("使用套接字而不是管道", {"管道"}),
        ("nutze Sockets anstatt Pipes", {"pipes"}),
        ("The pipe is used instead of the pipe", set()),
        ("Not the vi copy mode but the emacs one", {"vi", "copy", "mode"}),
        ("It fails not in the parser, but in the lexer", {"parser"}),
        ("It does not work", set()),
        ("It does not work but in a loop it does", set()),
    ],
)
def test_what_the_text_turns_away_from(text: str, away: set[str]) -> None:
    assert set(negated_terms(read_lines(text))) >= away
    assert bool(negated_terms(read_lines(text))) == bool(away)


def test_negated_terms_weigh_less() -> None:
    found = weigh("Use the socket instead of the pipe")
    assert found["pipe"] < found["socket"]


@given(st.text(max_size=300))
def test_weights_are_shares_of_the_heaviest(text: str) -> None:
    found = weigh(text)
    assert not found or max(found.values()) == 1.0
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert found == weigh(text)


@given(st.text(alphabet=st.characters(categories=("Lu", "Ll", "Lo", "Zs")), min_size=1, max_size=60))
def test_every_term_of_a_plain_title_is_weighed(text: str) -> None:
    lines = read_lines(text)
    if lines[0].text == text:
        assert set(terms(text)) <= set(weigh(text)) or len(terms(text)) > module.MOST_TERMS
