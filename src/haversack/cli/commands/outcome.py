"""haversack outcome"""

from __future__ import annotations

import click
from msgspec.structs import asdict

from haversack.cli.output import columns, note, write_json
from haversack.cli.session import Session, Verb


@click.command("outcome", cls=Verb)
@click.argument("packet", required=False)
@click.argument("reward", type=float, required=False)
@click.option("--used", multiple=True, metavar="ID", help="An item that was of use, by id or path; more than once.")
@click.pass_obj
def command(session: Session, packet: str | None, reward: float | None, used: tuple[str, ...]) -> None:
    """Report what came of a packet, or show what items did for outcomes so far.

    PACKET is the id of a packet, a recall or a context, or `last` for the last packet; REWARD is from 0 (failed) to 1
    (succeeded).
    """
    if packet is not None and reward is None:
        raise click.UsageError("say how it went: a number from 0 to 1")
    with session.open() as haversack:
        if packet is not None and reward is not None:
            kept = haversack.recall.report_outcome(packet, reward, used)
            if session.json:
                write_json(asdict(kept))
            else:
                note(f"{kept.packet}: reward {kept.reward:g}, {len(kept.used) or len(kept.carried)} items")
            return
        found = haversack.recall.uplift()
    if session.json:
        write_json({item: asdict(effect) for item, effect in found.items()})
    elif found:
        ranked = sorted(found.items(), key=lambda pair: (-pair[1].uplift, pair[0]))
        columns(
            [item, f"{effect.uplift:+.3f}", f"{effect.carried} with, {effect.compared} without"]
            for item, effect in ranked
        )
    else:
        note("too little was reported yet to tell what helps; for instance: haversack outcome last 1")
