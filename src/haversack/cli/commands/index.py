"""haversack index"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from haversack.cli.output import dim, problems, problems_json, size_text, write, write_json
from haversack.cli.session import Session, Verb

if TYPE_CHECKING:
    from haversack.index.build import IndexReport


@click.command("index", cls=Verb)
@click.option("--rebuild", is_flag=True, help="Forget the index and read everything again.")
@click.pass_obj
def command(session: Session, rebuild: bool) -> None:
    """Bring the index up to date with the files on disk.

    Other commands do this by themselves; this one shows what was read, what was skipped and how long it took.
    """
    from haversack.cli.progress import ProgressBar

    with session.open() as haversack, ProgressBar() as bar:
        report = haversack.index(rebuild=rebuild, progress=bar)
        folder = str(haversack.folder)
    if session.logging:
        _log(report)
    if session.json:
        found = problems_json(report.problems)
        write_json({**to_builtins(report), "changed": report.changed, "folder": folder, "problems": found})
        return
    # What was read is files and commits; the first number is files only.
    write(f"{report.files:,} files, {report.units:,} units; {report.read:,} items read, {report.gone:,} gone")
    if report.rebuilt_because:
        write(f"rebuilt: {report.rebuilt_because}")
    for reason, count in sorted(report.skipped.items()):
        examples = ", ".join(report.examples.get(reason, ()))
        write(f"skipped {count:,} {reason}" + dim(f"  {examples}" if examples else ""))
    stages = ", ".join(f"{name} {seconds:.2f}" for name, seconds in report.stages.items())
    write(f"{report.seconds:.2f} s" + dim(f"  {stages}"))
    write(f"{size_text(report.index_bytes)} of index for {size_text(report.text_bytes)} of text" + dim(f"  {folder}"))
    problems(report.problems)


def _log(report: IndexReport) -> None:
    from haversack import logs

    logs.event("indexed", files=report.files, read=report.read, gone=report.gone, seconds=report.seconds)
    for stage, seconds in report.stages.items():
        logs.detail("stage", name=stage, seconds=seconds)
    for problem in report.problems:
        logs.warning(problem.what, where=problem.where, fix=problem.fix)
