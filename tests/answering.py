"""A language model's server that runs here: it answers as such APIs do, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Model:
    """What it says, and what it was asked with which key."""

    answer: str = "Queues keep order."
    status: int = 200
    body: bytes | None = None
    asked: list[dict[str, object]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    endpoint: str = ""


@contextmanager
def answering() -> Iterator[Model]:
    """Such a server while it is needed; what is set on it holds from then on."""
    said = Model()

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            said.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            said.keys.append(self.headers["Authorization"])
            body = said.body
            if body is None:
                body = json.dumps({"choices": [{"message": {"role": "assistant", "content": said.answer}}]}).encode()
            self.send_response(said.status)
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        said.endpoint = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield said
        server.shutdown()
        thread.join()
