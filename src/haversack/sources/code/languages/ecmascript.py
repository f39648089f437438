"""What JavaScript and TypeScript share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import BACKTICK, C_COMMENTS, DOUBLE, SINGLE, pattern, words
from haversack.sources.code.rules import LISTED, Comment, Constants, Define, Import, Inside, Mark
from haversack.sources.code.view import first_child

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Look, Name, Rule
    from haversack.sources.code.view import View

FUNCTIONS = ("arrow_function", "function_expression", "function", "generator_function")
SUITES = words("describe suite context fdescribe xdescribe")
CASES = words("it test specify fit xit bench")
LONG_CALL = 20  # lines: a call this long that is handed a function is a way of writing a module

LONG_OBJECT = 5  # lines: an object shorter than this is shown whole anyway
_METHODS = re.compile(
    r"^[ \t]*+(?:async[ \t]++)?[\w$]++\s*+\([^)\n]*+\)\s*+\{"
    r"|:\s*+(?:async\s*+)?(?:function\b|\(?[\w$, {}]*+\)?\s*+=>\s*+\{)",
    re.M,
)
_SOURCE = re.compile(r"""(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]([^'"\n]+)['"]""")
_QUOTED = "'\"`"
IMPORTED = re.compile(r"(?:[{,]|\bimport\b|\btype\b)\s*(?!type\b)([A-Za-z_$][\w$]*)")


def _modules(text: str) -> tuple[str, ...]:
    return tuple(_SOURCE.findall(text))


def function_in(view: View, value: Syntax | None) -> Syntax | None:
    """The function a value is, or is made from: `memo(() => …)`, `async (x) => …`."""
    while value is not None and value.type == "call_expression":
        arguments = view.field(value, "arguments")
        value = arguments.named_children[0] if arguments is not None and arguments.named_child_count else None
    return value if value is not None and value.type in FUNCTIONS else None


def object_in(view: View, value: Syntax | None) -> Syntax | None:
    """An object that holds functions, or the one a value is made from: `defineComponent({ … })`."""
    if value is not None and value.type == "call_expression":
        arguments = view.field(value, "arguments")
        value = arguments.named_children[-1] if arguments is not None and arguments.named_child_count else None
    if value is None or value.type != "object" or value.end_point[0] - value.start_point[0] < LONG_OBJECT:
        return None
    return value if _METHODS.search(view.text(value)) else None


def pair(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`name: function () { … }` is a method, `methods: { … }` holds some."""
    value = view.field(node, "value")
    if value is None:
        return None
    if value.type in FUNCTIONS:
        return PAIR, node
    return (Inside(), value) if value.type == "object" else None


def exported(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`export` before a declaration, from another module, or of a value."""
    inner = view.field(node, "declaration")
    if inner is not None:
        return apply(view, inner)
    if view.field(node, "source") is not None:
        return OFFER, node
    value = view.field(node, "value")
    if value is None:
        return None
    if value.type == "class":
        return UNNAMED_CLASS, value
    if object_in(view, value) is not None:
        return UNNAMED_OBJECT, node
    made = function_in(view, value)
    return (UNNAMED, made) if made is not None else None


def apply(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """The rule for a declaration, followed to the node it is about."""
    rule = RULES.get(node.type)
    if rule is None:
        return None
    if callable(rule):
        return rule(view, node)
    return rule, node


def variable(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`const f = () => …` is a function, `const x = require(…)` an import, everything else a constant."""
    declarators = list(view.children(node, "variable_declarator"))
    value = view.field(declarators[0], "value") if declarators else None
    if value is not None and len(declarators) == 1:
        if value.type == "class":
            return VARIABLE_CLASS, declarators[0]
        if function_in(view, value) is not None:
            return VARIABLE_FUNCTION, declarators[0]
        if object_in(view, value) is not None:
            return VARIABLE_OBJECT, declarators[0]
        if value.type == "call_expression" and view.text(value).startswith("require("):
            return IMPORT, node
    return VARIABLE, node


def statement(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """Assigned functions, test suites, functions that are called at once, namespaces."""
    inner = first_child(node)
    if inner is None:
        return None
    if inner.type == "assignment_expression":
        return _assignment(view, inner)
    if inner.type == "call_expression":
        return _call(view, inner)
    if inner.type == "internal_module":
        return NAMESPACE, inner
    return None


def member(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """A field of a class that holds a function."""
    value = view.field(node, "value")
    return (FIELD, node) if value is not None and function_in(view, value) is not None else None


def _assignment(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    left, right = view.field(node, "left"), view.field(node, "right")
    if left is None or right is None or left.type != "member_expression":
        return None
    if right.type in FUNCTIONS:
        return ASSIGNED, node
    if object_in(view, right) is not None:
        return ASSIGNED_OBJECT, node
    return (ASSIGNED_CLASS, node) if right.type == "class" else None


def _call(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    word = re.split(r"[.(`]", view.text(node)[:40], maxsplit=1)[0]
    block = called_with(view, node)
    if word in SUITES and block is not None:
        return SUITE, node
    if word in CASES and block is not None:
        return CASE, node
    first, last = node.start_point[0], node.end_point[0]
    at_once = first_child(node)
    if block is not None and (
        last - first >= LONG_CALL or (at_once is not None and at_once.type == "parenthesized_expression")
    ):
        return MODULE, node
    return None


def called_with(view: View, node: Syntax) -> Syntax | None:
    """The body of the function a call is made with: its last argument, or what is called at once."""
    arguments = view.field(node, "arguments")
    callee = view.field(node, "function")
    while callee is not None and callee.type in ("parenthesized_expression", "unary_expression"):
        callee = callee.named_children[0] if callee.named_child_count else None
    found = (
        next((a for a in reversed(arguments.children) if a.type in FUNCTIONS), None) if arguments is not None else None
    )
    if found is None and callee is not None and callee.type in FUNCTIONS:
        found = callee
    body = view.field(found, "body") if found is not None else None
    return body if body is not None and body.type == "statement_block" else None


def _variable_names(view: View, node: Syntax) -> tuple[str, ...]:
    names: list[str] = []
    for declarator in view.children(node, "variable_declarator"):
        name = view.field_text(declarator, "name")
        names += re.findall(r"[\w$]+", name)[:20] if name.startswith(("{", "[")) else [name]
    return tuple(name for name in names if name)


def _case_name(view: View, node: Syntax) -> str:
    arguments = view.field(node, "arguments")
    word = re.split(r"[.(`]", view.text(node)[:40], maxsplit=1)[0]
    first = arguments.named_children[0] if arguments is not None and arguments.named_child_count else None
    return f"{word} {' '.join(view.text(first).split())[:120].strip(_QUOTED)}" if first is not None else word


def _assigned_name(view: View, node: Syntax) -> Name:
    parts = [
        part
        for part in view.field_text(node, "left").split(".")
        if part not in ("prototype", "exports", "module", "this", "window")
    ]
    return tuple(parts) or "exports"


def _function_body(view: View, node: Syntax) -> Syntax | None:
    value = view.field(node, "value") or view.field(node, "right") or node
    made = function_in(view, value)
    return view.field(made, "body") if made is not None else view.field(value, "body")


def _object(view: View, node: Syntax) -> Syntax | None:
    return object_in(view, view.field(node, "value") or view.field(node, "right"))


def _key(view: View, node: Syntax) -> str:
    return view.field_text(node, "key").strip(_QUOTED)


def _namespace(view: View, node: Syntax) -> str:
    return view.field_text(node, "name").strip(_QUOTED)


def _own_name(view: View, node: Syntax) -> str:
    return view.field_text(node, "name") or "default"


def _property(view: View, node: Syntax) -> str:
    return view.field_text(node, "property") or view.field_text(node, "name")


IMPORT = Import(_modules)
OFFER = Import(_modules, offers=True)
FUNCTION = Define("function", name=_own_name)
CLASS = Define("class", name=_own_name, members=True)
UNNAMED = Define("function", name=_own_name)
UNNAMED_CLASS = Define("class", name=_own_name, members=True)
VARIABLE = Constants(_variable_names)
VARIABLE_FUNCTION = Define("function", body=_function_body)
VARIABLE_CLASS = Define("class", body=_function_body, members=True)
ASSIGNED = Define("function", name=_assigned_name, body=_function_body)
ASSIGNED_CLASS = Define("class", name=_assigned_name, body=_function_body, members=True)
UNNAMED_OBJECT = Define("class", name=_own_name, body=_object, members=True)
VARIABLE_OBJECT = Define("class", body=_object, members=True)
ASSIGNED_OBJECT = Define("class", name=_assigned_name, body=_object, members=True)
PAIR = Define("function", name=_key, body=_function_body)
FIELD = Define("function", name=_property, body=_function_body)
SUITE = Define("class", name=_case_name, body=called_with, members=True, is_test=True)
CASE = Define("function", name=_case_name, body=called_with, is_test=True)
MODULE = Inside(body=called_with)
NAMESPACE = Inside(body="body", name=_namespace)
RULES: dict[str, Rule | Look] = {
    "import_statement": IMPORT,
    "export_statement": exported,
    "function_declaration": FUNCTION,
    "generator_function_declaration": FUNCTION,
    "class_declaration": CLASS,
    "method_definition": Define("function"),
    "pair": pair,
    "field_definition": member,
    "lexical_declaration": variable,
    "variable_declaration": variable,
    "expression_statement": statement,
    "interface_declaration": Define("type"),
    "type_alias_declaration": Define("type", body=()),
    "enum_declaration": Define("type", lists=True),
    "enum_assignment": LISTED,
    "abstract_class_declaration": CLASS,
    "function_signature": Define("function", body=()),
    "public_field_definition": member,
    "internal_module": NAMESPACE,
    "module": NAMESPACE,
    "ambient_declaration": Inside(),
    "decorator": Mark(),
    "comment": Comment(),
    "ERROR": Inside(),
    "statement_block": Inside(),
    "if_statement": Inside(),
    "else_clause": Inside(),
    "try_statement": Inside(),
}
KEYWORDS = words(
    "if for while switch return function catch typeof await new super import require super constructor else do in of "
    "async yield delete void instanceof"
)
REFS = pattern(C_COMMENTS, DOUBLE, SINGLE, BACKTICK, calls=r"\(|<[\w., |\[\]]{1,60}>\(|\?\.\(")
BASES = re.compile(r"\b(?:extends|implements)\b(.*)$")
