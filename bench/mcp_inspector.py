"""The MCP inspector, in its command-line mode, against the server: `python bench/mcp_inspector.py [--project DIR]`.

Needs Node 20 and npm; `npx` fetches the inspector (240 packages, a minute), which is why this is no test.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

INSPECTOR = "@modelcontextprotocol/inspector@0.15.0"
HAVERSACK = str(Path(sys.executable).parent / "haversack")
# A method with its arguments, and what its answer must hold.
ASKED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("tools/list",), '"report_outcome"'),
    (("tools/call", "--tool-name", "assemble_context", "--tool-arg", "query=session expired"), "# Context packet"),
    (("tools/call", "--tool-name", "search_code", "--tool-arg", "query=session", "--tool-arg", "limit=2"), "```"),
    (("tools/call", "--tool-name", "search_code", "--tool-arg", "limit=many"), '"isError": true'),
    (("tools/call", "--tool-name", "get_details", "--tool-arg", "task_id=../../etc/passwd:1-2"), "outside the project"),
    (("resources/list",), "haversack://status"),
    (("resources/templates/list",), "haversack://unit/{+id}"),
    (("resources/read", "--uri", "haversack://packet/last"), "# Packet"),
    (("prompts/list",), '"context_budget"'),
    (("prompts/get", "--prompt-name", "premortem", "--prompt-args", "task=x"), "get_premortem_context"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--project", type=Path, default=Path(__file__).parent.parent)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as data:
        server = [HAVERSACK, "-C", str(options.project), "--data-dir", data, "mcp"]
        subprocess.run([*server[:-1], "index"], check=True, capture_output=True)
        for (method, *arguments), wanted in ASKED:
            started = time.perf_counter()
            done = subprocess.run(
                ["npx", "--yes", INSPECTOR, "--cli", *server, "--method", method, *arguments],
                capture_output=True,
                text=True,
                check=False,
            )
            good = done.returncode == 0 and wanted in done.stdout and isinstance(json.loads(done.stdout), dict)
            failed += not good
            print(f"{'ok ' if good else 'NO '} {time.perf_counter() - started:5.1f} s  {method} {' '.join(arguments)}")
            if not good:
                print(done.stdout[:2000], done.stderr[:2000])
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
