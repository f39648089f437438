"""Logs as programs write them, and a project that has some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from haversack.model import Unit
from haversack.project import find_project
from haversack.sources.logs import LogsSource
from haversack.sources.protocol import Reading

PYTHON = """Traceback (most recent call last):
  File "/srv/shop/src/shop/cart.py", line 5, in checkout
    return total(cart.rows)
  File "/srv/shop/src/shop/prices.py", line 9, in parse_amount
    return float(text)
ValueError: could not convert string to float: '12,50'"""
CHAINED = """Traceback (most recent call last):
  File "/srv/a.py", line 1, in load
    open(name)
FileNotFoundError: no such file: x.toml

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/b.py", line 7, in start
    load()
RuntimeError: no settings"""
JAVA = """java.lang.IllegalStateException: no session
\tat com.acme.shop.Session.open(Session.java:12)
\tat com.acme.shop.Main.main(Main.java:3)
Caused by: java.io.IOException: refused
\tat com.acme.shop.Net.dial(Net.java:40)
\t... 2 more"""
JAVASCRIPT = """TypeError: Cannot read properties of undefined (reading 'id')
    at loadUser (/srv/app/src/users.js:14:9)
    at async handle (/srv/app/src/server.js:88:3)"""
GO = """panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.pick(...)
\t/srv/go/cmd/pick.go:21 +0x1d
main.main()
\t/srv/go/cmd/main.go:9 +0x25
exit status 2"""
RUST = """thread 'main' panicked at src/parse.rs:42:17:
called `Option::unwrap()` on a `None` value
stack backtrace:
   0: shop::parse::amount
             at src/parse.rs:42:17
   1: shop::main
             at src/main.rs:7:5"""
SANITIZER = """==4242==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010
READ of size 4 at 0x602000000010 thread T0
    #0 0x55d3c1 in sum_rows /srv/c/rows.c:17:12
    #1 0x55d3f0 in main /srv/c/main.c:8:3
SUMMARY: AddressSanitizer: heap-use-after-free /srv/c/rows.c:17:12 in sum_rows"""
PYTEST = """____________________________ test_total ____________________________

    def test_total():
>       assert total([1, 2]) == 4

tests/test_cart.py:4:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

    def total(rows):
>       raise ValueError("no rows")
E       ValueError: no rows

src/shop/cart.py:9: ValueError"""
TRACES: Mapping[str, tuple[str, str, str]] = {
    # language: text, the failing frame's path and function
    "python": (PYTHON, "srv/shop/src/shop/prices.py", "parse_amount"),
    "java": (JAVA, "com/acme/shop/Session.java", "open"),
    "javascript": (JAVASCRIPT, "srv/app/src/users.js", "loadUser"),
    "go": (GO, "srv/go/cmd/pick.go", "pick"),
    "rust": (RUST, "src/parse.rs", "amount"),
    "sanitizer": (SANITIZER, "srv/c/rows.c", "sum_rows"),
}


def stamped(number: int, text: str) -> str:
    """A line as most programs write it, one a second."""
    return f"2026-11-15 10:{number // 60:02}:{number % 60:02},123 {text}"


class Logs:
    """A project with logs, read as the index reads them: again and again, each time what changed."""

    def __init__(self, root: Path, **options: Any) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root
        self.source = LogsSource(**options)
        self.known: dict[str, str] = {}
        self.readings: dict[str, Reading] = {}

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def append(self, name: str, content: str) -> None:
        with (self.root / name).open("a", encoding="utf-8") as file:
            file.write(content)

    def read(self) -> list[str]:
        """Read what changed; the keys that did."""
        project = find_project(self.root)
        changes = self.source.discover(project, self.known)
        for key in changes.gone:
            del self.known[key]
            self.readings.pop(key, None)
        stamps = {item.key: item.fingerprint for item in changes.changed}
        for reading in self.source.read_on(project, changes.changed, self._before):
            self.readings[reading.key] = reading
            self.known[reading.key] = stamps[reading.key]
        return list(stamps)

    def _before(self, key: str) -> Sequence[Unit]:
        reading = self.readings.get(key)
        return reading.units if reading else ()

    def units(self, kind: str, key: str | None = None) -> list[Unit]:
        return [
            unit
            for name, reading in sorted(self.readings.items())
            for unit in reading.units
            if unit.kind == kind and key in (None, name)
        ]

    def problems(self) -> list[str]:
        return [str(problem) for reading in self.readings.values() for problem in reading.problems]
