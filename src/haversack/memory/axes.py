"""An experience on its four axes: what each is a text of, so that it can be found by each."""

from __future__ import annotations

from collections.abc import Iterator

from haversack.memory.nouns import Experience


def axis_texts(experience: Experience) -> Iterator[tuple[str, str]]:
    """Axis and text: all of it and its strategy always, the surprise if it was falsified, the root cause if known."""
    yield "full", full_text(experience)
    yield "strategy", _strategy(experience)
    if experience.status == "falsified" and experience.surprise.strip():
        yield "surprise", experience.surprise.strip()
    if experience.root_cause is not None:
        cause = experience.root_cause
        yield "root_cause", f"{cause.category}: {cause.description}".rstrip(": ")


def full_text(experience: Experience) -> str:
    """The whole story in labelled lines; what was not recorded has none."""
    lines = [
        ("Goal", experience.goal),
        ("Hypothesis", experience.hypothesis),
        ("Action", experience.action),
        ("Prediction", experience.prediction),
        ("Outcome", _outcome(experience)),
        ("Surprise", experience.surprise),
    ]
    if experience.root_cause is not None:
        lines.append(("Root cause", f"{experience.root_cause.category}: {experience.root_cause.description}"))
    if experience.lesson is not None:
        lines += (("What worked", experience.lesson.what_worked), ("Takeaway", experience.lesson.takeaway))
    lines += (("Note", note) for note in experience.notes)
    return "\n".join(f"{label}: {text.strip()}" for label, text in lines if text.strip(": "))


def _strategy(experience: Experience) -> str:
    """How it was gone about and how that went."""
    worked = experience.lesson.what_worked if experience.lesson else ""
    parts = (f"{experience.strategy}: {experience.action}", _outcome(experience), worked)
    return "\n".join(part.strip() for part in parts if part.strip())


def _outcome(experience: Experience) -> str:
    if experience.outcome is None:
        return ""
    return f"{experience.outcome.status} - {experience.outcome.result}".rstrip(" -")
