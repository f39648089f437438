"""How each source looks in assembled context: seed 004's formats, with text that cannot break out of them."""

from __future__ import annotations

from haversack.memory.nouns import Experience
from haversack.model import Unit
from haversack.recall.answer import citations_of, iso
from haversack.recall.context.nouns import Meta, Piece
from haversack.recall.sizes import one_line
from haversack.render.safe import code_span, visible
from haversack.safe import sanitize

MOST_FILES = 6  # named in a commit; the rest is counted
LONGEST_TEXT = 20_000  # characters of one piece that are looked at; no budget shows more
LONGEST_LINE = 2_000  # characters of one field


def memory_piece(unit: Unit, relevance: float) -> Piece:
    """`**Memory**: text`, with its category and importance."""
    importance = unit.meta.get("importance", 0.5)
    mark = "" if citations_of(unit) else "[HYPOTHESIS] "
    meta: Meta = {
        "id": unit.id,
        "category": unit.kind,
        "importance": float(importance) if isinstance(importance, int | float) else 0.5,
        "created_at": iso(unit.time),
        "citations": [str(each) for each in citations_of(unit)],
    }
    body = _text(unit.text)
    tail = f"\n*Category: {unit.kind}, Importance: {importance}*"
    return Piece("memory", unit.id, f"**Memory**: {mark}", body, tail, relevance, meta, says=body)


def code_piece(unit: Unit, relevance: float) -> Piece:
    """Kind, name and place, then the signature and what the documentation says, fenced."""
    start, end = (unit.span.start, unit.span.end) if unit.span else (1, 1)
    place = f"{unit.path}:{start}"
    parts = (unit.signature, unit.doc.strip())
    body = _text("\n".join(part for part in parts if part) or unit.title)
    fence = "`" * max(3, _longest_run(body) + 1)
    meta: Meta = {
        "file_path": unit.path or "",
        "start_line": start,
        "end_line": end,
        "language": unit.lang,
        "qualified_name": unit.qualname or unit.name or unit.title,
        "id": unit.id,
    }
    head = f"**{unit.kind}** {code_span(unit.name or unit.title)} in {code_span(place)}\n{fence}{unit.lang}\n"
    return Piece(
        "code", unit.id, head, body, f"\n{fence}", relevance, meta,
        note=f"*(truncated, see full at {visible(place)})*", path=unit.path, span=(start, end),
        says=unit.text or f"{unit.qualname}\n{body}",
    )  # fmt: skip


def experience_piece(experience: Experience, relevance: float, *, axis: str = "full") -> Piece:
    """The whole story in labelled lines, or the part an axis is about."""
    lines = [
        ("Goal", experience.goal),
        ("Hypothesis", experience.hypothesis),
        ("Action", experience.action),
        ("Prediction", experience.prediction),
        ("Outcome", _outcome(experience)),
        ("Surprise", experience.surprise),
    ]
    cause = experience.root_cause
    if cause is not None:
        lines.append(("Root cause", f"{cause.category}: {cause.description}".rstrip(": ")))
    if experience.lesson is not None:
        lines.append(("Lesson", experience.lesson.what_worked or experience.lesson.takeaway))
    told = {label: text for label, text in lines if text.strip(" -:")}
    # What the axis is about stands first: the end is what gives way.
    shown = {
        "strategy": ("Action", "Outcome", "Lesson"),
        "surprise": ("Surprise", "Prediction", "Root cause", "Lesson"),
        "root_cause": ("Root cause", "Hypothesis", "Outcome", "Lesson"),
    }.get(axis, tuple(told))
    body = "\n".join(
        f"- **{label}**: {one_line(_text(told[label]))[:LONGEST_LINE]}" for label in shown if label in told
    )
    meta: Meta = {
        "id": experience.id,
        "domain": experience.domain,
        "strategy": experience.strategy,
        "outcome_status": experience.status,
        "confidence_tier": experience.confidence_tier,
        "iteration_count": experience.iteration_count,
        "axis": axis,
    }
    return Piece(
        "experience", experience.id, f"**Experience**: {experience.domain} | {experience.strategy}\n", body, "",
        relevance, meta, note=f"*(truncated, full experience ID: {experience.id})*", experience=experience.id,
        says=body,
    )  # fmt: skip


def value_piece(unit: Unit, relevance: float) -> Piece:
    """The axis, how many experiences say so, and what they say."""
    size, distance = unit.meta.get("size", 0), unit.meta.get("distance", 0.0)
    behind = unit.meta.get("experiences")
    ids = list(behind) if isinstance(behind, tuple) else []
    axis = str(unit.meta.get("axis", ""))
    meta: Meta = {
        "id": unit.id,
        "axis": axis,
        "cluster_id": unit.id,
        "cluster_size": size if isinstance(size, int) else 0,
        "similarity_to_centroid": round(1.0 - float(distance), 4) if isinstance(distance, int | float) else 0.0,
        "experiences": ids,
    }
    body = _text(unit.text)
    head = f"**Value** ({axis}, cluster size: {size}):\n"
    return Piece("value", unit.id, head, body, "", relevance, meta, experience=ids[0] if ids else "", says=body)


def commit_piece(unit: Unit, relevance: float) -> Piece:
    """Hash, author, time, message and files."""
    sha = next((each.target for each in unit.citations if each.kind == "commit"), unit.id)
    files = unit.meta.get("files")
    paths = list(files) if isinstance(files, tuple) else []
    author = str(unit.meta.get("author", "unknown"))
    more = f", … {len(paths) - MOST_FILES} more" if len(paths) > MOST_FILES else ""
    meta: Meta = {
        "sha": sha,
        "author": author,
        "timestamp": iso(unit.time),
        "files_changed": paths,
        "insertions": _number(unit.meta.get("insertions")),
        "deletions": _number(unit.meta.get("deletions")),
        "id": unit.id,
    }
    body = _text(_message(unit, paths))
    head = f"**Commit** `{sha[:7]}` by {visible(author)} on {iso(unit.time)}\n"
    tail = f"\n*Files: {', '.join(map(visible, paths[:MOST_FILES]))}{more}*" if paths else ""
    return Piece("commit", unit.id, head, body, tail, relevance, meta, says=body)


def _message(unit: Unit, paths: list[str]) -> str:
    """What the author wrote: a commit's text goes on with the files it touched and their changes."""
    first, _, rest = unit.text.partition("\n\n")
    listed = set(paths)
    kept = []
    for paragraph in rest.split("\n\n") if rest else ():
        if paragraph.startswith("diff --git") or (listed and paragraph.partition("\n")[0].strip() in listed):
            break
        kept.append(paragraph)
    return "\n\n".join([first or unit.title, *kept])


def _outcome(experience: Experience) -> str:
    if experience.outcome is None:
        return ""
    return f"{experience.outcome.status} - {experience.outcome.result}".rstrip(" -")


def _text(text: str) -> str:
    return sanitize(text[:LONGEST_TEXT]).strip()


def _longest_run(text: str) -> int:
    longest = run = 0
    for letter in text:
        run = run + 1 if letter == "`" else 0
        longest = max(longest, run)
    return longest


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | float) else 0
