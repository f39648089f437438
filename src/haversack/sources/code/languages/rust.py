"""Rust."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from haversack.sources.code.refs import C_COMMENTS, CHARACTER, DOUBLE, pattern, words
from haversack.sources.code.rules import (
    LISTED,
    Comment,
    Constants,
    Define,
    Import,
    Inside,
    Lang,
    Mark,
    Script,
    own_name,
)
from haversack.sources.code.view import first_child

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Rule
    from haversack.sources.code.view import View

_USE = re.compile(r"^(?:pub(?:\([^)]*\))?\s+)?(?:use|extern\s+crate|mod)\s+")
_ARGUMENTS = re.compile(r"<.*$", re.S)
_ITEM = re.compile(
    r"^[ \t]+(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*(?:fn|struct|enum|trait|impl|mod)\b", re.M
)
TEST = re.compile(r"#\[(?:[\w:]+::)?test\b|#\[(?:rstest|test_case|bench|quickcheck|proptest)\b|cfg\(test\)")


def _modules(text: str) -> tuple[str, ...]:
    """`use a::{b, c::{self, d}}` names a::b, a::c and a::c::d."""
    text = _USE.sub("", text).rstrip("; \n")
    found: list[str] = []
    prefixes: list[str] = [""]
    last = ""
    for token in re.findall(r"[\w:*]+|[{},]|\bas\b", re.sub(r"\s+as\s+\w+", "", text)):
        if token == "{":
            prefixes.append(last)
            last = ""
        elif token == "}":
            if last:
                found.append(last)
            last = ""
            if len(prefixes) > 1:
                prefixes.pop()
        elif token == ",":
            if last:
                found.append(last)
            last = ""
        else:
            last = prefixes[-1] + token
    if last:
        found.append(last)
    return tuple(dict.fromkeys(re.sub(r"(?:::self|::\*|::)$", "", name) for name in found))


def _use(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`pub use` offers what others define: in a `lib.rs` that is what stands there."""
    return (OFFER if view.child(node, "visibility_modifier") is not None else IMPORT), node


def _type_name(text: str) -> str:
    return _ARGUMENTS.sub("", text).strip("&' ").rpartition("::")[2].removeprefix("dyn ").strip()


def _impl(view: View, node: Syntax) -> str:
    kind, trait = _type_name(view.field_text(node, "type")), _type_name(view.field_text(node, "trait"))
    return f"impl {trait} for {kind}" if trait else f"impl {kind}"


def _implemented(view: View, node: Syntax) -> str:
    return _type_name(view.field_text(node, "type"))


def _module(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    return (MODULE if view.field(node, "body") is not None else OFFER), node


def _macro_body(view: View, node: Syntax) -> Syntax | None:
    return view.child(node, "{", "(")


def _macro(view: View, node: Syntax) -> tuple[Rule, Syntax] | None:
    """`cfg_io! { … }`: definitions handed to a macro."""
    inner = first_child(node)
    if inner is not None and inner.type == "block":  # what was handed over, when it is walked in turn
        return Inside(), inner
    call = node if node.type == "macro_invocation" else view.child(node, "macro_invocation")
    return (ITEMS, call) if call is not None and _ITEM.search(view.text(call)) else None


IMPORT = Import(_modules)
OFFER = Import(_modules, offers=True)
ITEMS = Script(held="token_tree", language="rust")
MODULE = Inside(body="body", name="name", is_test=lambda marks: any("cfg(test)" in mark for mark in marks))
LANG = Lang(
    grammar="rust",
    rules={
        "function_item": Define("function"),
        "function_signature_item": Define("function", body=()),
        "struct_item": Define("class"),
        "union_item": Define("class"),
        "enum_item": Define("type", lists=True),
        "enum_variant": LISTED,
        "trait_item": Define("type", members=True),
        "impl_item": Define("class", name=_impl, owner=_implemented, members=True),
        "type_item": Define("type", body=()),
        "macro_definition": Define("function", body=_macro_body),
        "mod_item": _module,
        "foreign_mod_item": Inside(body="body"),
        "const_item": Constants(own_name),
        "static_item": Constants(own_name),
        "use_declaration": _use,
        "extern_crate_declaration": IMPORT,
        "macro_invocation": _macro,
        "expression_statement": _macro,
        "attribute_item": Mark(),
        "line_comment": Comment(),
        "block_comment": Comment(),
        "ERROR": Inside(),
    },
    refs=pattern(C_COMMENTS, DOUBLE, CHARACTER, calls=r"!?[(\[{]|::<"),
    not_refs=words(
        "if while for match return fn Self Some None Ok Err in as loop move unsafe else where impl let mut ref use dyn"
    ),
    bases=re.compile(r"\btrait\s+\w+(?:\s*<.*>)?\s*:\s*(.*)$|^(?:unsafe\s+)?impl\b\s*(?:<.*>)?\s*(\S.*?)\s+for\s"),
    test_mark=TEST,
)
