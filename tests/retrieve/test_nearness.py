"""Whether a prompt is about anything here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sample import make

from haversack import Haversack
from haversack.retrieve.nearness import is_near
from haversack.retrieve.understand import understand


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Haversack]:
    with Haversack(make(tmp_path / "shop"), data_dir=tmp_path / "data") as project:
        project.index()
        yield project


@pytest.mark.parametrize(
    "prompt",
    ["refresh_session", "look at shop/cart.py", '  File "shop/session.py", line 22, in refresh_session',
     "sessions expire too early", "put an item into the cart"],
)  # fmt: skip
def test_what_names_or_describes_something_here_is_near(shop: Haversack, prompt: str) -> None:
    assert is_near(shop.store.snapshot(), shop.embedder, understand(prompt))


@pytest.mark.parametrize(
    "prompt", ["what's the weather like in Paris?", "happy birthday!", "do you believe in ghosts", "сколько лет луне?"]
)
def test_small_talk_is_near_to_nothing(shop: Haversack, prompt: str) -> None:
    assert not is_near(shop.store.snapshot(), shop.embedder, understand(prompt))


def test_without_vectors_only_names_tell(shop: Haversack) -> None:
    assert is_near(shop.store.snapshot(), None, understand("why does some_other_name fail"))
    assert not is_near(shop.store.snapshot(), None, understand("sessions expire too early"))


def test_nothing_is_near_in_an_empty_project(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with Haversack(tmp_path / "empty", data_dir=tmp_path / "data") as project:
        project.index()
        assert not is_near(project.store.snapshot(), project.embedder, understand("sessions expire too early"))
