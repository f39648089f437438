"""`why` answers in a sentence; `report` sums up many packets."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace
from receipt_cases import CHOSEN, NOON, OMITTED, choose, make, receipt_of, unit

from haversack.model import Level, Omitted, Span, Task
from haversack.pack.budget import Budget
from haversack.receipt.certificate import Certificate
from haversack.receipt.record import Metrics, Receipt
from haversack.receipt.report import report, report_json, report_rows, report_text
from haversack.receipt.why import why

RECEIPT = receipt_of()


def test_why_without_a_target_explains_the_packet() -> None:
    answer = why(RECEIPT)
    assert answer == (
        f'Packet {RECEIPT.packet_id} for "Fix `TokenError` in src/auth/login.py on refresh" (read as bug, for '
        f"'Fix' and 'Error') uses {RECEIPT.tokens} of 1,200 tokens (o200k): 2 in Primary context and 1 in Supporting "
        "context. Left out: 2 (budget), 1 (below threshold) and 1 (duplicate); the next, "
        "src/auth/reset.py (reset_password), enters at 1,300 tokens. It covers 80% of what the task names; missing: "
        "refresh (nothing found). Not everything could be read: logs/app.log: permission denied (chmod +r)."
    )


def test_a_packet_with_nothing_to_say_says_little() -> None:
    receipt = receipt_of((), (), task=Task("do it"), problems=(), budget=Budget(10))
    assert "(read as general) uses" in why(receipt)
    assert ": no items. It is " in why(receipt)
    assert why(receipt).endswith("tokens over its budget. Nothing that was found had to be left out.")
    covered = replace(receipt, certificate=Certificate(1.0, 0.0), omitted=OMITTED[2:])
    assert why(covered).endswith("1 (duplicate). It covers 100% of what the task names.")
    assert "covers" not in why(replace(receipt, certificate=None))
    little = replace(receipt, certificate=Certificate(0.69, 0.0))
    assert "It covers 69% of what the task names. That may not be enough: `haversack recall`" in why(little)


@pytest.mark.parametrize(
    "target", ["run", "Login.run", "Login.run()", "src/auth/login.py:12", "src/auth/login.py:1-10"]
)
def test_why_is_this_in(target: str) -> None:
    item = RECEIPT.sections[0].items[0]
    answer = why(replace(RECEIPT, omitted=OMITTED[:3]), target)
    assert answer == (
        f"src/auth/login.py:10-14 is in Primary context, in full ({item.tokens} tokens): the task names it, and it "
        "scored 0.91, above the section's 0.70, chiefly from file type 1.00, task alignment 0.90 and recency 0.40."
    )


def test_why_is_this_in_at_a_lower_level_and_below_the_threshold() -> None:
    answer = why(RECEIPT, "check")
    assert answer.startswith("src/auth/login.py:40-60 is in Primary context, as detailed (")
    assert "it scored 0.60, below the section's 0.70" in answer


def test_why_of_pinned_things_and_of_things_without_a_path_or_factors() -> None:
    note = choose(unit("n1", None, title="Use RS256"), "x", score=0.3, section="history", pinned=True)
    receipt = receipt_of((note,))
    bare = replace(receipt.sections[0].items[0], factors={})
    section = replace(receipt.sections[0], items=(bare,))
    answer = why(replace(receipt, sections=(section,)), "n1")
    assert answer.endswith("tokens): it was pinned, and it scored 0.30.")
    assert answer.startswith("Use RS256 is in History, in full (")


def test_why_of_a_file_with_several_pieces() -> None:
    answer = why(RECEIPT, "src/auth/login.py")
    tokens = sum(item.tokens for item in RECEIPT.sections[0].items)
    assert answer == (
        f"src/auth/login.py is in with 2 pieces ({tokens} tokens): lines 10-14 in full (0.91) and lines 40-60 as "
        "detailed (0.60). For the best of them, the task names it, and it scored 0.91, above the section's 0.70, "
        "chiefly from file type 1.00, task alignment 0.90 and recency 0.40."
    )
    many = tuple(choose(unit(f"u{n}", "src/big.py"), "x", score=n / 10) for n in range(6))
    assert "u5 in full (0.50), u4 in full (0.40), u3 in full (0.30), u2 in full (0.20) and 2 more." in why(
        receipt_of(many), "src/big.py"
    )


def test_why_of_something_in_whose_other_pieces_are_out() -> None:
    one = Omitted("x1", "refresh", "budget", 1500, "primary", 0.5, "docs/auth.md")
    two = Omitted("x2", "rotate", "budget", 1400, "primary", 0.4, "docs/auth.md")
    dim = Omitted("x3", "dim", "below threshold", None, "primary", 0.4, "docs/auth.md")
    assert why(receipt_of(CHOSEN, (one,)), "docs/auth.md").endswith(
        "1 other piece was left out (budget); it would enter at 1,500 tokens."
    )
    assert why(receipt_of(CHOSEN, (one, two)), "docs").endswith(
        "2 other pieces were left out (budget); the first would enter at 1,400 tokens."
    )
    assert why(receipt_of(CHOSEN, (dim,)), "auth.md").endswith("1 other piece was left out (below threshold).")


@pytest.mark.parametrize(
    ("target", "answer"),
    [
        (
            "src/auth/reset.py",
            "src/auth/reset.py (reset_password) was left out of Primary context: budget. "
            "It scored 0.72 and would enter at a budget of about 1,300 tokens.",
        ),
        (
            "legacy",
            "src/old.py (legacy) was left out of Supporting context: below threshold. "
            "It scored 0.20; no budget admits that, but --fill does, or --pin for this one.",
        ),
        (
            "src/copy.py:3",
            "src/copy.py (Login.run) was left out of Primary context: duplicate of run. "
            "It scored 0.80; see it with `haversack show src/copy.py`.",
        ),
    ],
)
def test_why_is_this_out(target: str, answer: str) -> None:
    assert why(RECEIPT, target) == answer


def test_why_of_lines_that_are_out_opens_those_lines_and_no_others() -> None:
    held = Omitted("m", "Shop.sell", "budget", None, "primary", 0.8, "src/shop.py", Span(40, 90))
    receipt = receipt_of(CHOSEN, (held,))
    answer = (
        "src/shop.py (Shop.sell) was left out of Primary context: budget. It scored 0.80; a larger budget shows it "
        "inside something larger; see it with `haversack show src/shop.py:40-90`."
    )
    for target in ("src/shop.py:88", "src/shop.py:1-40", "shop.py", "Shop.sell"):
        assert why(receipt, target) == answer, target
    assert why(receipt, "src/shop.py:91-99").startswith("src/shop.py:91-99 was not among")


def test_why_of_a_folder_that_is_out_counts_its_pieces() -> None:
    left = tuple(Omitted(f"o{n}", "", "budget", 2000 + n, "", 0.1, f"lib/{n}.py") for n in range(3))
    assert why(receipt_of(CHOSEN, left), "lib/").startswith(
        "lib/0.py was left out with 3 pieces: budget. It scored 0.10"
    )


def test_why_of_what_was_never_a_candidate() -> None:
    answer = why(RECEIPT, "src/none\n.py")
    assert answer.startswith("src/none\\n.py was not among the 41 candidates from code and docs: nothing found")
    assert "--pin" in answer
    assert why(RECEIPT, "./").startswith("./ was not among")
    assert why(RECEIPT, "/").startswith("/ was not among")
    assert why(replace(RECEIPT, sources_queried=()), "x.py").startswith("x.py was not among the 41 candidates: ")
    assert why(RECEIPT, "app.log") == "app.log could not be read: logs/app.log: permission denied (chmod +r)."


def later(number: int, **fields: object) -> Receipt:
    return receipt_of(time=NOON + 60 * number, **fields)


def full(number: int, omitted: tuple[Omitted, ...] = OMITTED) -> Receipt:
    return replace(later(number, omitted=omitted), metrics=Metrics(0.97, 0.8))


def test_a_report_of_nothing() -> None:
    empty = report([])
    assert empty.packets == 0
    assert empty.slowest_stage is None
    assert report_text(empty) == "No packets yet. `haversack pack TASK` makes one.\n"
    assert ("utilisation", "unknown") in report_rows(empty)
    assert not any(name == "slowest stage" for name, _ in report_rows(empty))


def test_a_report_sums_up() -> None:
    receipts = [later(1), later(2), full(3)]
    summary = report(receipts)
    assert summary == report(receipts[::-1])
    assert summary.packets == 3
    assert summary.tokens == sum(receipt.tokens for receipt in receipts)
    assert summary.utilisation.median == receipts[0].metrics.utilisation
    assert list(summary.tokens_by_section) == ["Primary context", "Supporting context", "History"]
    assert summary.most_included == {"docs/auth.md": 3, "src/auth/login.py": 3}
    assert summary.most_cut == {"src/auth/logout.py": 3, "src/auth/reset.py": 3}
    assert summary.slowest_stage == "retrieve"
    assert summary.warnings == ()
    text = report_text(summary)
    assert "packets                     3 (0 over budget)\n" in text
    assert "cut src/auth/reset.py       3 times\n" in text
    assert "slowest stage               retrieve, 12.5 ms on average\n" in text
    assert "once" in report_text(report([later(1)]))


def test_full_packets_that_keep_good_things_out_are_a_warning_that_names_the_setting() -> None:
    busy = OMITTED + tuple(Omitted(f"s{n}", "x", "budget", 2000, "supporting", 0.55, None) for n in range(2))
    run = [full(number, busy) for number in range(2, 7)]
    (warning,) = report([later(1), *run]).warnings
    assert warning == (
        "the last 5 packets used 95% or more of their budget, and 5 of them left out what is as good as what "
        "they hold, most often of Supporting context (10 times); raise pack.budget (--budget)"
    )
    assert "warning: the last 5 packets" in report_text(report(run))
    assert report(run[:4]).warnings == ()
    assert report([*run, later(9)]).warnings == ()


def test_full_packets_that_leave_out_only_what_is_worse_are_as_they_should_be() -> None:
    assert report([full(number, ()) for number in range(5)]).warnings == ()
    worse = (Omitted("s", "x", "budget", 2000, "supporting", 0.5, None),)
    assert report([full(number, worse) for number in range(5)]).warnings == ()


def test_a_report_as_json_is_plain() -> None:
    odd = choose(unit("odd", "src/\udc80.py", Span(1, 2)), "x", Level.SUMMARY)
    values = report_json(report([make((odd,)).receipt]))
    json.dumps(values, ensure_ascii=False).encode()
    assert values["packets"] == 1
    assert values["most_included"] == {"src/\ufffd.py": 1}
    assert values["slowest_stage"] == "retrieve"
