"""Words that no inflection leads to: what programmers cut short (`config`, `auth`), and families that no ending tells.

A task says the whole word where a name of code has its beginning, and the noun where it has the verb.
"""

from __future__ import annotations

from typing import Final

# Families that no ending tells.
_IRREGULAR: Final = """
analyze analyse analyzes analysis analyzer analyser | behavior behaviors behaviour behaviours | color colors colour
colours | cancel canceled cancelled cancels cancellation | collide collision collisions | compare comparison
comparisons comparator comparer | convert converted converter converts conversion conversions | decide decision
decisions | delete deletes deleted deletion | describe description descriptions descriptor | divide division | emit
emits emitted emitter emission | exclude excluded excludes exclusion exclusions | expand expanded expander expansion |
extend extended extends extension extensions | include included includes inclusion | omit omits omitted omission |
permit permits permission permissions | receive received receiver receipt | register registered registration
registrations registry | resolve resolved resolver resolution | respond response responses responder | submit submits
submitted submission | subscribe subscriber subscription subscriptions | suspend suspended suspension | transmit
transmission
"""
# What names of code say for a word: as measured, not all that could be thought of.
_CUT_SHORT: Final = """
absolute abs | address addresses addr | algorithm algo | allocate allocation alloc | application applications app apps
| argument arguments arg args | asynchronous async | attribute attributes attr attrs | authenticate authentication
authorize authorization auth | average avg | background bg | boolean bool | buffer buffers buf | button btn |
calculate calculation calc | certificate certificates cert certs | character characters char chars | column columns
col cols | command commands cmd cmds | communicate communication comm | compatibility compatible compat | component
components comp | configure configured configuration configurations config configs conf cfg | connect connection
connections conn | context contexts ctx | coordinate coordinates coord coords | credential credentials cred creds |
current cur curr | database databases db | declare declaration declarations decl | decode decoder dec | decrement dec
| delete deletion del | dependency dependencies deps dep | description descriptor desc | destination dest dst |
development dev | difference differences diff diffs | dimension dimensions dim dims | directory directories dir dirs
folder | document documents documentation doc docs | element elements elem elems | encode encoder enc | encrypt
encryption enc | environment environments env | error errors err | evaluate evaluation eval | execute execution
executor exec | expression expressions expr | extension extensions ext | foreground fg | format formats formatter fmt
| frequency freq | function functions func fn | generate generator gen | header headers hdr | horizontal horiz |
identifier identifiers ident id | image images img | implement implementation impl | increment inc incr | index
indexes indices idx | information info | initialize initialise initial init | instance instances inst | instruction
instructions instr | integer integers int | iterate iterator iteration iter | keyword keywords kw kwargs | language
languages lang | length lengths len | library libraries lib libs | location locations loc | manager mgr | matrix mat |
maximum maximal maximize max | memory mem | message messages msg msgs | minimum minimal minimize min | multiple multi
| multiply mul | navigation nav | negative neg | notify notification notifications | number numbers numeric num |
object objects obj objs | operator operators operation op ops | option options optional opt opts | organization org |
original orig | package packages pkg pkgs | parameter parameters param params | password passwords passwd pwd |
performance perf | pointer pointers ptr | position positions pos | preference preferences pref prefs | previous prev |
process processes proc | production prod | property properties prop props | receive receiver recv | reference
references ref refs | regular regex regexp | relative rel | remove removes removed removal rm | repository
repositories repo repos | request requests req | response responses resp res | result results res | select selection
sel | separator sep | sequence sequences seq | session sessions sess | signature signatures sig | source sources src |
specification specifications spec specs | statement statements stmt | statistic statistics stat stats | string strings
str | structure struct | substitute subst | subtract sub | synchronize synchronization synchronous sync | template
templates tmpl | temporary temp tmp | timestamp timestamps ts | token tokens tok | transaction transactions txn |
update updates upd | utility utilities util utils | value values val vals | variable variables var vars | vector
vectors vec | version versions ver | vertical vert | window windows win
"""


def families(told: str) -> dict[str, tuple[str, ...]]:
    """Each word of a table, and the others of its families; `|` stands between two of them."""
    found: dict[str, set[str]] = {}
    for group in told.split("|"):
        words = group.split()
        for word in words:
            found.setdefault(word, set()).update(words)
    return {word: tuple(sorted(others - {word})) for word, others in found.items()}


KIN: Final = families(f"{_IRREGULAR}|{_CUT_SHORT}")


def kin(word: str) -> tuple[str, ...]:
    """The other words that stand in a table with this one."""
    return KIN.get(word, ())
