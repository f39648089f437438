"""Whether two statements say the same, contradict each other, or neither: by their words, in any script, no model.

Meant to be sure rather than clever. A statement that is taken for a repetition is counted, not stored; one that is
contradicted is no longer served. So words that differ must be slips of the pen to count as the same, and must be the
one value of an otherwise equal statement to count as a contradiction.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeAlias

from haversack.memory.nouns import Memory
from haversack.memory.words import WEAK, Statement, statement, word_set

MOST_WORDS = 2_000  # of a long text; beyond that it is another statement unless it is equal
LONG = 12  # words from which a small addition does not make it another statement
SMALL_SHARE = 0.1  # what a small addition is
SLIP = 80.0  # two words this alike, in percent, are one word with a slip of the pen
SHORTEST_SLIP = 5  # letters: shorter words that differ are other words
LONGEST_VALUE = 5  # words


class Verdict(StrEnum):
    """What a new statement is to an older one."""

    SAME = "same"
    CONTRADICTS = "contradicts"
    OTHER = "other"


# Events happened and errors occurred, whatever happens later; these hold until they change.
_CAN_CHANGE = word_set("fact preference workflow context decision")
# What follows one of these can have only one value at a time.
_EXCLUSIVE = word_set(
    "prefer default name named call called locate located listen choose chose chosen decide decided deploy host port "
    "version set equal favour favor"
)
# These are of one value even with a verb in between: `the default theme is X`.
_SINGULAR = word_set("default name port version")
# What follows one of these has one value if it is a name or a number; there can be many adjectives.
_COPULA = word_set("is are was were be = : 是 为 為 は が")
# There can be many of these, but one for each purpose: `we use X for Y`.
_PURPOSEFUL = word_set("use used using run require need store stored write written build built manage handle live")
_PURPOSE = word_set("for as to when in on")
_COMPARING = word_set("over than instead before after to from rather")
# A number after one of these says which one is meant.
_COUNTED = word_set(
    "ticket issue bug pr sprint step phase chapter case test item task number release commit revision build line page "
    "section day week round part"
)
_OPPOSITES = frozenset(
    frozenset(pair.split())
    for pair in (
        "dark light", "tab space", "on off", "enabled disabled", "enable disable", "true false", "required optional",
        "slow fast", "allowed forbidden", "public private", "sync async", "up down", "open closed", "single double",
        "internal external", "safe unsafe", "stable unstable", "mandatory optional", "synchronous asynchronous",
        "manual automatic", "local remote", "green red", "strict lax", "supported unsupported",
    )
)  # fmt: skip

Difference: TypeAlias = tuple[int, int, int, int]
"""Words from..to of the new statement that stand in place of words from..to of the old."""


def judge(new: Memory, old: Memory) -> Verdict:
    """What a memory is to an older one of the same scope, given what kinds of statement they are."""
    about = statement(new.subject).words
    same_subject = bool(about) and about == statement(old.subject).words and new.category == old.category
    verdict = compare(statement(new.text), statement(old.text), same_subject=same_subject)
    if verdict is Verdict.SAME:
        same_talk = new.category != "event" or new.session == old.session
        return verdict if new.category == old.category and same_talk else Verdict.OTHER
    if verdict is Verdict.CONTRADICTS and {new.category, old.category} <= _CAN_CHANGE:
        return verdict
    return Verdict.OTHER


def compare(new: Statement, old: Statement, *, same_subject: bool = False) -> Verdict:
    """What the new statement is to the old one; `same_subject`: both were said to be about the same thing."""
    names = new.names | old.names
    differs = _differences(new.words, old.words)
    if differs is not None and all(_is_slip(new, old, each, names) for each in differs):
        return Verdict.SAME if new.negated == old.negated else Verdict.CONTRADICTS
    if same_subject or _leaves_behind(new, old):
        return Verdict.CONTRADICTS
    if new.negated != old.negated or differs is None:
        return Verdict.OTHER
    if sorted(new.words) == sorted(old.words):
        return Verdict.CONTRADICTS if _COMPARING.intersection(new.words) else Verdict.SAME
    real = [each for each in differs if not _is_slip(new, old, each, names)]
    return Verdict.CONTRADICTS if len(real) == 1 and _is_other_value(new, old, real[0], names) else Verdict.OTHER


def _differences(new: Sequence[str], old: Sequence[str]) -> list[Difference] | None:
    """Where they differ; None when they are too long, or too different, to look."""
    if new == old:
        return []
    shorter, longer = sorted((len(new), len(old)))
    if not shorter or longer > MOST_WORDS or longer > 2 * shorter + LONGEST_VALUE:
        return None
    from rapidfuzz.distance import Levenshtein

    found: list[Difference] = []
    for step in Levenshtein.opcodes(new, old):
        if step.tag == "equal":
            continue
        if found and found[-1][1] == step.src_start and found[-1][3] == step.dest_start:
            found[-1] = (found[-1][0], step.src_end, found[-1][2], step.dest_end)
        else:
            found.append((step.src_start, step.src_end, step.dest_start, step.dest_end))
    return found


def _is_slip(new: Statement, old: Statement, differs: Difference, names: frozenset[str]) -> bool:
    """Whether a difference changes nothing: weak words, a slip of the pen, or few words more in a long text."""
    ours, theirs = new.words[differs[0] : differs[1]], old.words[differs[2] : differs[3]]
    if WEAK.issuperset(ours) and WEAK.issuperset(theirs):
        return True
    if names.intersection(ours + theirs):
        return False
    if ours and theirs:
        return len(ours) == len(theirs) and all(map(_same_word, ours, theirs))
    longer = max(len(new.words), len(old.words))
    return longer >= LONG and len(ours + theirs) <= longer * SMALL_SHARE


def _same_word(one: str, other: str) -> bool:
    if one == other:
        return True
    from rapidfuzz.fuzz import ratio

    return min(len(one), len(other)) >= SHORTEST_SLIP and one[0] == other[0] and ratio(one, other) >= SLIP


def _leaves_behind(new: Statement, old: Statement) -> bool:
    """Whether the new one says that what the old one names no longer holds, and is about all the old one is about."""
    gone = new.left_behind
    if not gone or not gone.issubset(old.words):
        return False
    about = old.telling - gone - _COPULA - _PURPOSEFUL - _EXCLUSIVE
    return about.issubset(new.words)


def _is_other_value(new: Statement, old: Statement, differs: Difference, names: frozenset[str]) -> bool:
    """Whether the two put different values into the same place of the same statement."""
    ours, theirs = new.words[differs[0] : differs[1]], old.words[differs[2] : differs[3]]
    if not ours or not theirs or max(len(ours), len(theirs)) > LONGEST_VALUE:
        return False
    before, after = new.words[: differs[0]], new.words[differs[1] :]
    if not set(before) - WEAK and not (before and after):
        return False
    valued = bool(names.intersection(ours) and names.intersection(theirs)) or frozenset(ours + theirs) in _OPPOSITES
    if not "".join(before + after).isascii():  # where the verb stands last, or there is no space before it
        return valued and len(before) + len(after) > 1
    if _are_numbers(ours, theirs):
        return before[-1] not in _COUNTED and (len(before) > 1 or "." in ours[0])
    for word in reversed(before):  # the nearest verb decides
        if word in _COPULA:
            return valued or bool(_SINGULAR.intersection(before))
        if word in _EXCLUSIVE:
            return len(before) > 1
        if word in _PURPOSEFUL:
            return valued and (bool(_PURPOSE.intersection(after[:1])) or _PURPOSE.issuperset(before[-1:]))
    return valued and not after and len(before) > 1


def _are_numbers(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    return all(len(words) == 1 and words[0][:1].isdigit() for words in (ours, theirs))
