"""Frames of every notation give path, line and function."""

from __future__ import annotations

import pytest

from haversack.units import frames as module
from haversack.units.frames import Frame, find_frames, is_frame


@pytest.mark.parametrize(
    ("line", "frame"),
    [
        ('  File "/home/u/app/main.py", line 12, in run', Frame("home/u/app/main.py", 12, "run")),
        ('  File "a.py", line 3', Frame("a.py", 3)),
        (
            "File ~/x/site-packages/pkg/out.py:150, in wrap.<locals>.wrapped(self, X)",
            Frame("pkg/out.py", 150, "wrapped"),
        ),
        ("~/lib/site-packages/pkg/mod.py in func(self, x)", Frame("pkg/mod.py", 0, "func")),
        ("src/pkg/fixtures.py:914: in execute", Frame("src/pkg/fixtures.py", 914, "execute")),
        ("    at Object.handler (/srv/app/src/server.ts:45:13)", Frame("srv/app/src/server.ts", 45, "handler")),
        ("    at async Foo.bar [as baz] (file:///srv/x.mjs:1:2)", Frame("srv/x.mjs", 1, "bar")),
        ("    at /srv/app/index.js:3:9", Frame("srv/app/index.js", 3)),
        ("    at webpack-internal:///./src/App.vue:10:5", Frame("src/App.vue", 10)),
        ("render@http://localhost:3000/static/bundle.js:120:33", Frame("static/bundle.js", 120, "render")),
        ("\tat com.acme.OrderService.place(OrderService.java:88)", Frame("com/acme/OrderService.java", 88, "place")),
        ("\tat java.base/java.lang.Thread.run(Thread.java:829)", Frame("java/lang/Thread.java", 829, "run")),
        ("\tat com.acme.Foo.lambda$bar$0(Foo.java:3)", Frame("com/acme/Foo.java", 3, "bar")),
        (
            "   at Acme.Home.Index(String id) in C:\\src\\Acme\\Home.cs:line 42",
            Frame("src/Acme/Home.cs", 42, "Index"),
        ),
        ("             at src/parser.rs:102:9", Frame("src/parser.rs", 102)),
        ("thread 'main' panicked at 'out of bounds', src/main.rs:10:5", Frame("src/main.rs", 10)),
        ("thread 'main' panicked at src/main.rs:11:5:", Frame("src/main.rs", 11)),
        ("  --> src/lib.rs:3:5", Frame("src/lib.rs", 3)),
        ("    #4 0x55d3 in parse_header /src/http/parser.c:120:3", Frame("src/http/parser.c", 120, "parse_header")),
        ("#0  foo_bar (x=1) at foo.c:12", Frame("foo.c", 12, "foo_bar")),
        ("app/models/user.rb:12:in `save!'", Frame("app/models/user.rb", 12, "save!")),
        ("#0 /var/www/Model.php(12): App\\Model->save()", Frame("var/www/Model.php", 12, "save")),
        ("PHP Fatal error: Uncaught Error in /var/www/x.php on line 3", Frame("var/www/x.php", 3)),
    ],
)
def test_a_frame_in_its_notation(line: str, frame: Frame) -> None:
    assert find_frames([line]) == [frame]
    assert is_frame(line)


def test_go_and_rust_name_the_function_above() -> None:
    go = ["main.(*Server).Serve(0xc000010000, 0x1)", "\t/home/u/acme/server.go:77 +0x1d"]
    assert find_frames(go) == [Frame("home/u/acme/server.go", 77, "Serve")]
    spawned = ["created by acme/jobs.Start in goroutine 5", "\t/home/u/acme/jobs.go:9 +0x1"]
    assert find_frames(spawned) == [Frame("home/u/acme/jobs.go", 9, "Start")]
    rust = ["   4: mycrate::parser::parse_expr::h0123456789abcdef", "             at src/parser.rs:102:9"]
    assert find_frames(rust) == [Frame("src/parser.rs", 102, "parse_expr")]


def test_places_in_prose_are_frames_without_a_function() -> None:
    line = "see `lib/foo.py:33` and bar/baz.go:10-20, also handler.ts line 7, not host.example:8080"
    assert find_frames([line]) == [Frame("lib/foo.py", 33), Frame("bar/baz.go", 10), Frame("handler.ts", 7)]
    assert not is_frame(line)


def test_a_place_named_twice_keeps_its_function() -> None:
    assert find_frames(["src/a.py:4: boom", "src/a.py:4: in run"]) == [Frame("src/a.py", 4, "run")]


def test_interactive_input_is_no_file() -> None:
    assert find_frames(['  File "<stdin>", line 1, in <module>']) == []


def test_module_level_code_has_no_function() -> None:
    assert find_frames(['  File "a/b.py", line 1, in <module>']) == [Frame("a/b.py", 1)]


def test_endless_traces_are_cut() -> None:
    assert len(find_frames(f'File "a{n}.py", line {n + 1}, in f' for n in range(500))) == module.MOST_FRAMES


@pytest.mark.parametrize("line", ["", "at 12:30 we met", "version 1.2:3", "and so on (12)"])
def test_ordinary_lines_are_no_frames(line: str) -> None:
    assert find_frames([line]) == []
