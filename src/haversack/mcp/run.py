"""Runs the server until its host goes away: over standard input and output, or on loopback with a token."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import secrets
import socket
import sys
from hmac import compare_digest
from typing import TYPE_CHECKING

import anyio

from haversack import logs
from haversack.errors import UsageError
from haversack.mcp.server import make_server
from haversack.mcp.serving import Serving

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
PATH = "/mcp"
M_ARENA_MAX = -8  # as malloc.h has it
NO_TOKEN = b'{"error": "a token is needed: Authorization: Bearer TOKEN"}'


def serve_stdio(project: str, data_dir: str | None) -> None:
    """Serve over standard input and output until the input ends."""

    async def serve() -> None:
        async with Serving(project, data_dir=data_dir) as serving:
            await make_server(serving).run_stdio_async()

    _prepare()
    anyio.run(serve)


def serve_http(project: str, data_dir: str | None, *, port: int, token: str = "") -> None:
    """Serve on loopback until interrupted; every request carries the token, one that is made up unless given."""
    secret = token or secrets.token_urlsafe(24)
    try:
        listener = socket.create_server((LOOPBACK, port))  # whoever reads the address below can use it at once
    except OSError as error:
        raise UsageError(
            f"port {port} cannot be used: {error.strerror}", hint="Name another with --port; 0 takes any."
        ) from error

    async def serve() -> None:
        import uvicorn

        async with Serving(project, data_dir=data_dir) as serving:
            app = make_server(serving).streamable_http_app(streamable_http_path=PATH, host=LOOPBACK)
            server = uvicorn.Server(uvicorn.Config(TokenGate(app, secret), log_level="warning", lifespan="on"))
            where = f"http://{LOOPBACK}:{listener.getsockname()[1]}{PATH}"
            shown = "" if token else f", token {secret}"
            sys.stderr.write(f"haversack mcp: {where}{shown}\n")
            sys.stderr.flush()
            await server.serve(sockets=[listener])

    _prepare()
    with listener:
        anyio.run(serve)


class TokenGate:
    """An ASGI application behind a bearer token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._admits(scope):
            logs.warning("a request without the token was refused", path=scope["path"])
            headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": NO_TOKEN})
            return
        await self._app(scope, receive, send)

    def _admits(self, scope: Scope) -> bool:
        given = dict(scope["headers"]).get(b"authorization", b"")
        return compare_digest(given, self._wanted)


def _prepare() -> None:
    """What the SDK has to say goes to standard error, and only what went wrong. All threads share one heap."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    if sys.platform == "linux":
        # With a heap of its own for each thread, glibc keeps up to 40 MB that nobody uses; other libraries have none.
        with contextlib.suppress(AttributeError, OSError):
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
