"""haversack values"""

from __future__ import annotations

import click
from msgspec.structs import asdict

from haversack.cli.output import bold, dim, note, problems_json, safe, write, write_json
from haversack.cli.session import Session, Verb


@click.command("values", cls=Verb)
@click.option("--axis", metavar="WORD", help="Only full, strategy, surprise or root_cause.")
@click.pass_obj
def command(session: Session, axis: str | None) -> None:
    """Show what experiences have in common, axis by axis.

    A value is named by the experience nearest to the middle of several that are alike. Where there are too few to
    tell, that is said.
    """
    with session.open() as haversack:
        found = haversack.values(axis=axis)
    if session.json:
        write_json(
            {
                "values": [asdict(value) for value in found.values],
                "experiences": found.experiences,
                "problems": problems_json(found.problems),
            }
        )
        return
    for value in found.values:
        words = " ".join(value.text.split())
        write(f"{bold(value.id)}  {value.axis}, {value.size} experiences, {value.distance:.2f} from the middle")
        write(f"  {safe(words)}")
        write(dim(f"  {safe(', '.join(value.experiences))}"))
    for problem in found.problems:
        note(str(problem))
