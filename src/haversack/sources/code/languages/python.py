"""Python."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import DOUBLE, HASH_COMMENTS, SINGLE, TRIPLE, pattern, words
from haversack.sources.code.rules import Comment, Constants, Define, Import, Inside, Lang, Mark
from haversack.sources.code.view import first_child

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Look, Rule
    from haversack.sources.code.view import View

_IMPORT = re.compile(r"(?:^import|,)\s*([\w.]+)")
_FROM = re.compile(r"^from\s+(\.*)\s*([\w.]*)\s+import\b\s*\(?([^)]*)")
_COMMENT = re.compile(r"#.*")
_DEFINES = re.compile(r"^[ \t]*(?:async[ \t]+def|def|class)[ \t]", re.M)
_IMPORTS = re.compile(r"^[ \t]*(?:import|from)[ \t]", re.M)
COMPOUND = ("if_statement", "try_statement", "with_statement")
CLAUSES = ("else_clause", "elif_clause", "except_clause", "finally_clause", "block")
LONG_COMPOUND = 500  # lines: what is longer is walked into without a look at all of it, however deep it is nested
_HOLDING = frozenset((*COMPOUND, *CLAUSES))  # other statements
_STATEMENTS = words(
    "for_statement while_statement match_statement assert_statement delete_statement raise_statement return_statement "
    "global_statement nonlocal_statement print_statement exec_statement ERROR"
)
_ALIAS = re.compile(r"\bas\s+\w+")


def _modules(text: str) -> tuple[str, ...]:
    text = _COMMENT.sub("", text)
    match = _FROM.match(text)
    if match is None:
        return tuple(_IMPORT.findall(text))
    dots, module, names = match.groups()
    if module or not dots:
        return (dots + module,) if dots or module != "__future__" else ()
    # `from . import a`: what is brought in are modules themselves.
    return tuple(dots + name.strip() for name in _ALIAS.sub("", names).split(",") if name.strip(" *\\\n\t"))


def _definition(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    inner = view.field(node, "definition")
    if inner is None:
        return None
    return (CLASS if inner.type == "class_definition" else FUNCTION), inner


def _statement(_: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    inner = first_child(node)
    return (ASSIGNMENT, inner) if inner is not None and inner.type == "assignment" else None


def _assigned(view: View, node: Syntax) -> tuple[str, ...]:
    left = view.field(node, "left")
    if left is None:
        return ()
    if left.type == "identifier":
        return (view.text(left),)
    return tuple(view.text(child) for child in left.children if child.type == "identifier" and left.type != "attribute")


def _compound(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`if`, `try` and `with`: what they define counts as if they were not there, and so does what they only import.

    Any other that does more than give values to names is one stretch of statements, such as what a script does when
    it is run.
    """
    if node.end_point[0] - node.start_point[0] > LONG_COMPOUND:
        return Inside(), node
    text = view.text(node)
    if _DEFINES.search(text):
        return Inside(), node
    if _values(view, node) is None:
        return None
    return (Inside() if _IMPORTS.search(text) else CHOICE), node


def _values(view: View, node: Syntax) -> list[str] | None:
    """The names that the statements of a compound give values to; None where there is a statement of another kind."""
    names: list[str] = []
    waiting = [node]
    while waiting:
        for child in waiting.pop().children:
            if child.type in _HOLDING:
                waiting.append(child)
            elif child.type == "expression_statement":
                value = first_child(child)
                if value is None or value.type != "assignment":
                    return None
                names += _assigned(view, value)
            elif child.type in _STATEMENTS:
                return None
    return names


def _chosen(view: View, node: Syntax) -> tuple[str, ...]:
    """What a choice of values gives them to, each name once."""
    return tuple(dict.fromkeys(_values(view, node) or ()))


def _alias(view: View, node: Syntax) -> str:
    return view.field_text(node, "left").partition("[")[0].strip()


CLASS = Define("class", members=True)
FUNCTION = Define("function")
ASSIGNMENT = Constants(_assigned)
CHOICE = Constants(_chosen)
RULES: dict[str, Rule | Look] = {
    "class_definition": CLASS,
    "function_definition": FUNCTION,
    "decorated_definition": _definition,
    "decorator": Mark(),
    "type_alias_statement": Define("type", name=_alias, body=()),
    "expression_statement": _statement,
    "import_statement": Import(_modules),
    "import_from_statement": Import(_modules),
    "comment": Comment(),
    **dict.fromkeys(COMPOUND, _compound),
    **dict.fromkeys((*CLAUSES, "ERROR"), Inside()),
}

LANG = Lang(
    grammar="python",
    rules=RULES,
    refs=pattern(TRIPLE, DOUBLE, SINGLE, HASH_COMMENTS),
    not_refs=words(
        "if elif while for in not and or return with print lambda assert yield await raise except None True "
        "False self cls super"
    ),
    bases=re.compile(r"^class\s+\w+\s*(?:\[[^\]]*\])?\s*\((.*)\)$"),
    docstrings=True,
    test_name=re.compile(r"test_|Test[A-Z_]|Test$"),
    imported=re.compile(r"(?:\bimport\s*\(?\s*|,\s*|^\s+)(?!as\b)([A-Za-z_]\w*)", re.M),
)
