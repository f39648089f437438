"""What holds for all tests."""

from __future__ import annotations

import signal
import threading


def pytest_configure() -> None:
    """Whatever a shell starts in the background ignores Ctrl-C, and so would the programs that tests interrupt."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
