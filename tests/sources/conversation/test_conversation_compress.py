"""Three strengths: without times, the telling sentences, only what was settled; never more than asked, nothing new."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from haversack.model import Unit
from haversack.sources.conversation import ConversationSource
from haversack.tokens import counter

COMPRESSORS = ConversationSource().compressors()
TEXT = (
    "[2026-11-01 10:00] user: I looked at the login today. It takes three seconds.\n\n"
    "Use 24h token expiry. The rest can stay as it is.\n\nPlease always run ruff. See you."
)


def unit(text: str, role: str = "user") -> Unit:
    return Unit(id="c1", source="conversation", kind="message", title="", text=text, meta={"speaker": role})


def compressed(strength: str, limit: int, text: str = TEXT) -> str:
    return COMPRESSORS[strength](unit(text), text, limit)


def test_light_leaves_out_times() -> None:
    assert compressed("light", 500) == TEXT.removeprefix("[2026-11-01 10:00] ")


def test_medium_keeps_the_telling_sentences_in_their_order() -> None:
    assert compressed("medium", 16) == "user: Use 24h token expiry. … Please always run ruff."
    longer = compressed("medium", 26)
    assert longer == "user: I looked at the login today. … Use 24h token expiry. … Please always run ruff."
    assert compressed("medium", 500) == "user: " + " ".join(TEXT.partition("user: ")[2].split())


def test_heavy_keeps_what_was_settled_and_nothing_else() -> None:
    assert compressed("heavy", 500) == "user: Use 24h token expiry. … Please always run ruff."
    assert compressed("heavy", 500, "user: Look at this. It fails.") == "user: Look at this."


def test_what_holds_no_sentence_is_cut() -> None:
    code = "user: " + "```\n" + "x = 1\n" * 50
    for strength in COMPRESSORS:
        assert 0 < counter().count(compressed(strength, 20, code)) <= 20


@settings(max_examples=60, deadline=None)
@given(
    text=st.lists(st.text(alphabet="ab use.,!?\n[]:`0-9é漢", max_size=60), max_size=8).map("\n".join),
    limit=st.integers(0, 60),
    strength=st.sampled_from(sorted(COMPRESSORS)),
)
def test_never_more_than_asked_and_nothing_invented(text: str, limit: int, strength: str) -> None:
    made = compressed(strength, limit, f"user: {text}")
    assert counter().count(made) <= limit
    assert made == compressed(strength, limit, f"user: {text}")
    for piece in made.removeprefix("user: ").split(" … "):
        assert "".join(piece.split()) in "".join(f"user: {text}".split())
