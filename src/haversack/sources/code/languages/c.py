"""C, and what C++ takes over from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, DOUBLE, SINGLE, pattern, words
from haversack.sources.code.rules import LISTED, Comment, Constants, Define, Import, Inside, Lang, own_name
from haversack.sources.code.skeleton import AT_COLUMN_ZERO

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Look, Name, Rule
    from haversack.sources.code.view import View

_INCLUDE = re.compile(r'[<"]([^>"\n]+)[>"]')
_ARGUMENTS = re.compile(r"<[^<>]*>")
_MACRO = re.compile(r"^[A-Z][A-Z0-9_]*$")
_FIRST_CALL = re.compile(r"(\w+)\s*\(")
_MACRO_CALL = re.compile(r"(?:static\s+)?([A-Z][A-Z0-9_]+)\(\s*(\w+)")
# `int BPF_PROG(name, struct file *f)`: a parameter that is one word in small letters and no type is the name.
_NAMED_INSIDE = re.compile(r"\(\s*(?!(?:void|int|char|long|short|unsigned|float|double|bool|\w+_t)\b)([a-z]\w*)\s*[,)]")
_CPP = re.compile(
    r"^\s*(?:template\s*<|namespace\b|class\s+\w|using\s+\w|(?:public|private|protected)\s*:)|\w::~?\w", re.M
)
LONGEST_CHOICE = 20  # lines of an `#if` that is read as one; a choice: a dozen arms, or a comment in each
LONG_MACRO = 3  # lines beyond the first: a call this long at the top level makes something
TESTS = re.compile(r"^(TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE|KUNIT_CASE)$")
DIRECTIVES = ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef")
AGGREGATES = ("struct_specifier", "class_specifier", "union_specifier")
NAMED = ("identifier", "field_identifier", "type_identifier", "qualified_identifier", "operator_name",
         "destructor_name", "operator_cast", "template_function", "primitive_type")  # fmt: skip


def declared(view: View, node: Syntax) -> Syntax | None:
    """The name inside pointers, arrays, parameters and initial values."""
    found: Syntax | None = node
    while found is not None and found.type not in NAMED:
        found = view.field(found, "declarator") or next(
            (child for child in found.children if child.type in NAMED or child.type.endswith("_declarator")), None
        )
    return found


def function_name(view: View, node: Syntax) -> Name:
    """`Shop::sell` has two parts; `TEST(Cart, adds)` is named by what is in the brackets."""
    declarator = view.field(node, "declarator")
    found = declared(view, declarator) if declarator is not None else None
    if found is None or declarator is None:
        match = _FIRST_CALL.search(view.text(node)[:400])
        return match[1] if match else ""
    name = view.text(found)
    if _MACRO.match(name) and view.field(node, "type") is None:
        inner = [
            part.split()[-1].strip("*&")
            for part in view.field_text(declarator, "parameters").strip("()").split(",")
            if part.split()
        ]
        return tuple(inner) if TESTS.match(name) else (inner or [name])[0]
    named = _NAMED_INSIDE.match(view.field_text(declarator, "parameters")) if _MACRO.match(name) else None
    if named is not None:
        return named[1]
    parts = _ARGUMENTS.sub("", name).split("::")
    return tuple(part.strip() for part in parts if part.strip())


def is_function(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """A function, or a test written as a macro."""
    declarator = view.field(node, "declarator")
    first = view.field(declarator, "declarator") if declarator is not None else None
    if first is not None and first.type == "identifier" and TESTS.match(view.text(first)):
        return TEST, node
    if view.field(node, "body") is None and view.child(node, "default_method_clause", "delete_method_clause") is None:
        return None
    return FUNCTION, node


def aggregate(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """A struct with a body; without one it is only mentioned."""
    return (STRUCT, node) if view.field(node, "body") is not None else None


def enumeration(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    return (ENUM, node) if view.field(node, "body") is not None else None


def declaration(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """Variables, types with their first variable, or only the promise of a function."""
    kind = view.field(node, "type")
    if kind is not None and kind.type in (*AGGREGATES, "enum_specifier") and view.field(kind, "body") is not None:
        return (ENUM if kind.type == "enum_specifier" else STRUCT), kind
    if node.children[-1].is_missing and _next_function(node):
        return None  # no `;`: `JNIEXPORT jint` before `JNICALL name(…) {` is that function's head
    declarator = view.field(node, "declarator")
    if declarator is None or declarator.type == "function_declarator" or "extern" in view.text(node)[:7]:
        return None
    while declarator is not None and declarator.type == "pointer_declarator":
        declarator = view.field(declarator, "declarator")
    return None if declarator is not None and declarator.type == "function_declarator" else (VARIABLE, node)


def _next_function(node: Syntax) -> bool:
    """Whether a function begins on the line where this ends, or on the next."""
    following = node.next_sibling
    if following is None or following.type != "function_definition":
        return False
    return following.start_point[0] <= node.end_point[0] + 1


def typedef(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    kind = view.field(node, "type")
    has_body = kind is not None and kind.type in AGGREGATES and view.field(kind, "body") is not None
    return (TYPEDEF_STRUCT if has_body else TYPEDEF), node


def macro(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """A macro of several lines is as good as a function."""
    return (MACRO if _is_long(view, node) else DEFINED), node


def _is_long(view: View, node: Syntax) -> bool:
    return "\n" in view.text(node).rstrip()


def conditional(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """An `#if` of a few lines that defines one thing or another is read whole; a longer one only holds others."""
    short = node.end_point[0] - node.start_point[0] <= LONGEST_CHOICE
    return (CHOICE if short and _chosen(view, node) else INSIDE), node


def _chosen(view: View, node: Syntax) -> tuple[str, ...]:
    """The names that an `#if` defines in any of its arms; none where it holds anything but definitions."""
    names: list[str] = []
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each.type in DIRECTIVES:
            told = (view.field(each, "condition"), view.field(each, "name"))
            waiting += [child for child in reversed(each.named_children) if child not in told]
        elif each.type == "preproc_def" or (each.type == "preproc_function_def" and not _is_long(view, each)):
            names += own_name(view, each)
        elif each.type not in ("preproc_call", "comment"):
            return ()
    return tuple(names)


def macro_call(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`SYSCALL_DEFINE2(open, …) {…}`, `TRACE_EVENT(x, …)`, `DEFINE_MUTEX(x)` define what is first in the brackets."""
    call = _MACRO_CALL.match(view.cut(node.start_byte, node.start_byte + 120))
    if call is None:
        return None
    if _next_body(view, node) is not None or node.end_point[0] - node.start_point[0] >= LONG_MACRO:
        return MADE_FUNCTION, node
    return (MADE_VALUE, node) if call[1].startswith("DEFINE") else None


def _next_body(_: View, node: Syntax) -> Syntax | None:
    following = node.next_sibling
    return following if following is not None and following.type == "compound_statement" else None


def _made(view: View, node: Syntax) -> tuple[str, ...]:
    match = _MACRO_CALL.match(view.cut(node.start_byte, node.start_byte + 120))
    return (match[2],) if match else ()


def _variables(view: View, node: Syntax) -> tuple[str, ...]:
    names = (
        declared(view, child) for child in node.children if child.type in NAMED or child.type.endswith("_declarator")
    )
    kind = view.field(node, "type")
    return tuple(view.text(name) for name in names if name is not None and name != kind)


def _typedef_name(view: View, node: Syntax) -> str:
    declarator = view.field(node, "declarator")
    found = declared(view, declarator) if declarator is not None else None
    return view.text(found) if found is not None else ""


def _typedef_body(view: View, node: Syntax) -> Syntax | None:
    kind = view.field(node, "type")
    return view.field(kind, "body") if kind is not None else None


def _struct_name(view: View, node: Syntax) -> str:
    name = _ARGUMENTS.sub("", view.field_text(node, "name"))
    if not name and node.parent is not None and node.parent.type == "declaration":
        return "".join(_variables(view, node.parent)[:1])
    return name.rpartition("::")[2]


def includes(text: str) -> tuple[str, ...]:
    return tuple(_INCLUDE.findall(text))


FUNCTION = Define("function", name=function_name)
TEST = Define("function", name=function_name, is_test=True)
STRUCT = Define("class", name=_struct_name, members=True)
ENUM = Define("type", name=_struct_name, lists=True)
TYPEDEF = Define("type", name=_typedef_name, body=())
TYPEDEF_STRUCT = Define("class", name=_typedef_name, body=_typedef_body)
MACRO = Define("function", body="value")
MADE_FUNCTION = Define("function", name=_made, body=_next_body)
MADE_VALUE = Constants(_made)
DEFINED = Constants(own_name)
CHOICE = Constants(_chosen, alone=True)
INSIDE = Inside()
VARIABLE = Constants(_variables)
RULES: dict[str, Rule | Look] = {
    "function_definition": is_function,
    **dict.fromkeys(AGGREGATES, aggregate),
    "enum_specifier": enumeration,
    "enumerator": LISTED,
    "declaration": declaration,
    "type_definition": typedef,
    "expression_statement": macro_call,
    "preproc_def": DEFINED,
    "preproc_function_def": macro,
    "preproc_include": Import(includes),
    "comment": Comment(),
    **dict.fromkeys((*DIRECTIVES, "linkage_specification", "declaration_list", "ERROR"), INSIDE),
    **dict.fromkeys(("preproc_if", "preproc_ifdef"), conditional),
}
KEYWORDS = words(
    "if while for switch return sizeof defined do else case catch typeof alignof decltype int void char bool "
    "long short unsigned float double "
    "operator NULL TRUE FALSE"
)
REFS = pattern(C_COMMENTS, DOUBLE, SINGLE, calls=r"\s?\(", more=r"|(?<=struct )\w++")

LANG = Lang(
    grammar="c",
    rules=RULES,
    refs=REFS,
    not_refs=KEYWORDS,
    bodies=AT_COLUMN_ZERO,
    macros=True,
    otherwise="cpp",  # what a header is written in, its name does not say
    told_by=_CPP,
)
