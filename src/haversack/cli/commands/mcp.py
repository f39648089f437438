"""haversack mcp"""

from __future__ import annotations

import click

from haversack.cli.session import Session, Verb

PORT = 8765


@click.command("mcp", cls=Verb)
@click.option("--http", is_flag=True, help="Serve on loopback, behind a token, not on standard input and output.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="For --http; 0: any.")
@click.option("--token", envvar="HAVERSACK_MCP_TOKEN", help="For --http; made up and printed when not given.")
@click.pass_obj
def command(session: Session, http: bool, port: int, token: str | None) -> None:
    """Serve this project to coding agents over the Model Context Protocol.

    The index is built and kept current in the background while the server runs. What happens is logged on standard
    error; it ends with its host.
    """
    from haversack import logs
    from haversack.mcp.run import serve_http, serve_stdio

    if not session.logging:  # a host keeps what a server says on standard error
        logs.start(1)
    if http:
        serve_http(session.project, session.data_dir, port=port, token=token or "")
    else:
        serve_stdio(session.project, session.data_dir)
