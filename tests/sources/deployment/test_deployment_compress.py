"""Compressors of deployment: lines of the text in their order, within the limit, what matters first."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.deployment.deployed_files import COMPOSE, KUBERNETES, STATE, WORKFLOW

from haversack.model import Unit
from haversack.sources.deployment import DeploymentSource
from haversack.tokens import counter

COMPRESS = DeploymentSource().compressors()
UNIT = Unit("d1", "deployment", "resource", "Deployment web", "", meta={"secrets": ("shop-db/password",)})


def test_light_takes_out_comments_and_defaults() -> None:
    text = COMPRESS["light"](UNIT, KUBERNETES, 10_000)
    assert "imagePullPolicy" not in text
    assert "# The shop." not in text
    assert "type: Opaque" not in text
    assert "image: registry.example.com/shop/web:1.4" in text
    managed = "kind: Pod\nmetadata:\n  managedFields:\n  - a: 1\n  name: web\nstatus:\n  phase: Running\n"
    assert COMPRESS["light"](UNIT, managed, 100) == "kind: Pod\nmetadata:\n  name: web"


def test_medium_keeps_what_runs_where() -> None:
    count = counter().count
    text = COMPRESS["medium"](UNIT, KUBERNETES, count(KUBERNETES) // 2)
    assert "kind: Deployment" in text
    assert "replicas: 2" in text
    assert "image:" in text


def test_heavy_keeps_values_that_were_set_under_their_keys() -> None:
    text = COMPRESS["heavy"](UNIT, COMPOSE, 40)
    assert text.startswith("services:\n  web:\n    image: shop/web:1.4")
    difference = Unit("e1", "environments", "difference", "x", "")
    told = "production against default: x\n+ a: 1  (x:1)\n~ b: 1 → 2  (x:1, y:2)\n"
    assert COMPRESS["heavy"](difference, told, 24) == "production against default: x\n~ b: 1 → 2  (x:1, y:2)"


@pytest.mark.parametrize("strength", ["light", "medium", "heavy"])
@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        st.sampled_from([KUBERNETES, COMPOSE, WORKFLOW, STATE]),
        st.lists(st.text(alphabet=" ab:-{}#=\té한", max_size=30), max_size=20).map("\n".join),
    ),
    st.integers(0, 300),
)
def test_the_limit_holds_and_no_line_is_invented(strength: str, text: str, limit: int) -> None:
    short = COMPRESS[strength](UNIT, text, limit)
    assert counter().count(short) <= limit
    lines = iter(text.split("\n"))
    assert all(line in lines for line in short.split("\n") if short)
    assert short == COMPRESS[strength](UNIT, text, limit)
