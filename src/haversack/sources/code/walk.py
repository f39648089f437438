"""Walk a syntax tree from definition to definition, without entering what cannot hold one."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from msgspec import Struct, field

from haversack.sources.code.bases import bases
from haversack.sources.code.prose import comment_text, docstring_text, one_line
from haversack.sources.code.rules import LONG, Comment, Constants, Define, Import, Inside, Mark, Script
from haversack.sources.code.view import View, first_child, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Language
    from tree_sitter import Node as Syntax

    from haversack.sources.code.rules import Bodying, Lang, Look, Name, Naming, Rule

GROUP_LINES = 60  # a group of constants longer than a screen is cut
GROUP_GAP = 2  # lines from one constant to the next: one blank line keeps them together, two part them
FARTHEST_COMMENT = 400  # columns; further right a comment has no line of its own
DOC_COMMENT = "/**"
SHOWN_NAMES = 8  # of a group, in its signature
BODY_OPENS = frozenset(("{", "=", "do", "->", "=>", "(", "["))
BODY_CLOSES = frozenset(("}", "end", ")", "]"))


class Draft(Struct):
    """A definition on its way to becoming a node; `names` are all that it defines."""

    kind: str
    name: str
    qualname: str
    parent: int
    start: int
    end: int
    head: int
    is_test: bool
    names: tuple[str, ...] = ()
    body: tuple[int, int] = (0, 0)
    signature: str = ""
    doc: str = ""
    doc_lines: tuple[int, int] = (0, 0)
    marks: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()


class Lead(Struct):
    """Comments and marks on neighbouring lines, which belong to what follows on the next."""

    start: int = 0
    end: int = -1
    comments: list[tuple[int, int]] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)


class Group(Struct):
    """Constants that will be one node."""

    start: int
    end: int
    head: int
    names: list[str]
    lead: Lead | None
    text: tuple[int, int] | None  # what is shown of it in a line, if that is more than its names


class Frame(Struct):
    """Siblings being walked, and what they belong to."""

    rest: Iterator[Syntax]
    parent: int = -1
    prefix: str = ""
    member: bool = False  # what is defined here is a method
    is_test: bool = False
    closes: int = 0  # the last line of the definition whose members these are
    lists: bool = False  # these are the values of a long type
    lead: Lead = field(default_factory=Lead)
    group: Group | None = None


class Dialect:
    """A language's rules, keyed the way the grammar numbers its nodes."""

    __slots__ = ("lang", "language", "marks", "modifiers", "rules")

    def __init__(self, lang: Lang, language: Language) -> None:
        self.lang = lang
        self.language = language
        self.rules: dict[int, Rule | Look] = {}
        for name, rule in lang.rules.items():
            kind = language.id_for_node_kind(name, True)
            if kind is not None:
                self.rules[kind] = rule
        self.marks = frozenset(kind for kind, rule in self.rules.items() if isinstance(rule, Mark))
        self.modifiers = frozenset(language.id_for_node_kind(name, True) for name in lang.modifiers)


class Walk:
    """What one walk finds: drafts in order of appearance, imports, and comments outside definitions."""

    def __init__(self, view: View, dialect: Dialect) -> None:
        self.drafts: list[Draft] = []
        self.imports: dict[str, None] = {}
        self.import_lines: list[tuple[int, int]] = []
        self.imported: dict[str, None] = {}
        self.comments: list[tuple[int, int]] = []
        self.scripts: list[tuple[Script, Syntax]] = []
        self._view = view
        self._dialect = dialect
        self._free = 1  # the first line that the next definition may begin on: a line is cut at most once

    def run(self, root: Syntax) -> None:
        """Walk everything under `root`, without recursion."""
        stack = [Frame(iter(root.children))]
        while stack:
            frame = stack[-1]
            inner = self._next(frame)
            if inner is not None:
                stack.append(inner)
                continue
            self._close(frame)
            if frame.closes:
                self._free = frame.closes + 1
            stack.pop()

    def _next(self, frame: Frame) -> Frame | None:
        """Walk on until something must be entered; None when the siblings are done."""
        rules = self._dialect.rules
        for outer in frame.rest:
            rule = rules.get(outer.kind_id)
            if rule is None:
                if frame.group is not None and outer.is_named:
                    self._close(frame)
                continue
            if type(rule) is Comment:
                self._comment(frame, outer)
                continue
            node = outer
            while isinstance(rule, FunctionType):
                rule, node = rule(self._view, node) or (None, node)
            inner = self._apply(frame, rule, node, outer)
            if inner is not None:
                return inner
        return None

    def _apply(self, frame: Frame, rule: Rule | Look | None, node: Syntax, outer: Syntax) -> Frame | None:
        if isinstance(rule, Constants) and (frame.lists if rule.listed else frame.parent < 0):
            self._constants(frame, rule, node, outer)
            return None
        if frame.group is not None and outer.is_named:
            self._close(frame)
        if isinstance(rule, Define):
            return self._define(frame, rule, node, outer)
        if isinstance(rule, Inside):
            return self._inside(frame, rule, node, outer)
        if isinstance(rule, Import):
            self._import(rule, node, outer)
        elif isinstance(rule, Mark):
            self._lead(frame, outer).marks.append(one_line(self._view.text(outer)))
        elif isinstance(rule, Comment):
            self._comment(frame, outer)
        elif isinstance(rule, Script):
            self.scripts.append((rule, node))
        return None

    def _lead(self, frame: Frame, node: Syntax) -> Lead:
        start, end = span(node)
        if frame.lead.end < start - 1:
            frame.lead = Lead(start)
        frame.lead.end = end
        return frame.lead

    def _above(self, frame: Frame, line: int) -> Lead | None:
        """The comments and marks that belong to what begins on this line.

        They stand on the lines before it; some leave one line blank below a doc comment, which says what it is of.
        """
        lead = frame.lead
        if lead.end == line - 1:
            return lead
        apart = lead.end == line - 2 and not self._view.lines[line - 2].strip()
        return lead if apart and self._is_doc(lead) else None

    def _is_doc(self, lead: Lead) -> bool:
        """Whether these lines are one doc comment, and not the one at the top, which is the file's."""
        lines = self._view.lines
        documents = len(lead.comments) == 1 and lines[lead.start - 1].lstrip().startswith(DOC_COMMENT)
        return documents and any(line.strip() for line in lines[: lead.start - 1])

    def _comment(self, frame: Frame, node: Syntax) -> None:
        row, column = node.start_point
        if column > FARTHEST_COMMENT or (column and self._view.lines[row][:column].strip()):
            return  # behind code: it belongs to that line
        lead = self._lead(frame, node)
        lead.comments.append((row + 1, lead.end))
        self.comments.append((row + 1, lead.end))

    def _import(self, rule: Import, node: Syntax, outer: Syntax) -> None:
        text = self._view.text(node)
        modules = rule.modules(text)
        if modules:
            self.imports.update(dict.fromkeys(modules))
            self.imported.update(dict.fromkeys(self._dialect.lang.imported.findall(text)))
            if not rule.offers:
                self.import_lines.append(span(outer))

    def _inside(self, frame: Frame, rule: Inside, node: Syntax, outer: Syntax) -> Frame | None:
        body = self._body(node, rule.body) if rule.body else node
        if body is None:
            return None
        prefix = frame.prefix
        if rule.name is not None:
            prefix = ".".join(part for part in (prefix, *_parts(self._name(node, rule.name))) if part)
        marks = tuple(frame.lead.marks) if frame.lead.end == outer.start_point[0] else ()
        is_test = frame.is_test or (rule.is_test is not None and rule.is_test(marks))
        return Frame(iter(body.children), frame.parent, prefix, frame.member, is_test)

    def _define(self, frame: Frame, rule: Define, node: Syntax, outer: Syntax) -> Frame | None:
        view, lang = self._view, self._dialect.lang
        parts = _parts(self._name(node, rule.name))
        if not parts or not parts[-1]:
            return None
        body = self._body(node, rule.body)
        line, end = self._lines(outer)
        if body is not None and body.end_byte > outer.end_byte:  # a body beside its head
            end = self._lines(body)[1]
        lead = self._above(frame, line)
        start = max(lead.start if lead else line, self._free)
        if start > end:
            return None
        head_byte, head, marks = self._head(outer, line, lead)
        prefix = frame.prefix
        qualname = ".".join((prefix, *parts) if prefix else parts)
        kind = "method" if rule.kind == "function" and (frame.member or len(parts) > 1) else rule.kind
        signature = one_line(view.cut(head_byte, body.start_byte if body is not None else outer.end_byte))
        is_test = (
            rule.is_test
            or frame.is_test
            or lang.test_name.match(parts[-1]) is not None
            or any(lang.test_mark.search(mark) for mark in marks)
        )
        draft = Draft(kind, parts[-1], qualname, frame.parent, start, end, max(head, start), is_test, marks=marks)
        draft.signature = signature
        if body is not None:
            draft.body = self._body_lines(body, draft)
        self._document(draft, lead, body)
        if rule.kind != "function":
            draft.bases = bases(signature, lang.bases)
        self.drafts.append(draft)
        long = end - draft.head >= LONG
        if body is None or not (rule.members or (long and (rule.kind == "function" or rule.lists))):
            self._free = end + 1
            return None
        self._free = draft.head + 1
        owner = qualname if rule.owner is None else ".".join(_parts(self._name(node, rule.owner)))
        index = len(self.drafts) - 1
        held = body if body.is_named else node  # a bare bracket has no children: its siblings are the members
        return Frame(iter(held.children), index, owner, rule.members, is_test, end, lists=long and rule.lists)

    def _head(self, outer: Syntax, line: int, lead: Lead | None) -> tuple[int, int, tuple[str, ...]]:
        """Where the declaration itself begins, behind its marks: byte, line, and the marks."""
        dialect = self._dialect
        marks = list(lead.marks) if lead else []
        if not dialect.marks:
            return outer.start_byte, line, tuple(marks)
        first = first_child(outer)
        while first is not None and first.kind_id in dialect.marks:
            marks.append(one_line(self._view.text(first)))
            first = first.next_sibling
        if first is not None and first.kind_id in dialect.modifiers:
            words = first.children
            count = next((n for n, word in enumerate(words) if word.kind_id not in dialect.marks), len(words))
            marks.extend(one_line(self._view.text(mark)) for mark in words[:count])
            first = words[count] if count < len(words) else first.next_sibling
        if first is None:
            return outer.start_byte, line, tuple(marks)
        return first.start_byte, first.start_point[0] + 1, tuple(marks)

    def _body_lines(self, body: Syntax, draft: Draft) -> tuple[int, int]:
        """The lines inside a body: what opens and closes it stays."""
        first, last = span(body)
        opening = first_child(body) or body
        if opening.type == "block" and body.child_count == 1:
            body, opening = opening, first_child(opening) or opening
        closing = body.child(body.child_count - 1) if body.child_count else None
        if not body.is_named:  # the bracket that opens it: it reaches to the end of the definition
            first, last = first + 1, draft.end - 1
        elif opening.type in BODY_OPENS or first == draft.head:
            first += 1
        if closing is not None and closing.type in BODY_CLOSES and closing.start_point[0] + 1 == last:
            last -= 1
        last = min(last, draft.end)
        return (first, last) if draft.head < first <= last else (0, 0)

    def _document(self, draft: Draft, lead: Lead | None, body: Syntax | None) -> None:
        if self._dialect.lang.docstrings:
            found = docstring(self._view, body) if body is not None else None
            if found is not None:
                draft.doc, draft.doc_lines = found
                return
        if lead is not None and lead.comments and lead.start >= draft.start:
            draft.doc_lines = lead.comments[0][0], lead.comments[-1][1]
            draft.doc = _comments_text(self._view, lead)

    def _constants(self, frame: Frame, rule: Constants, node: Syntax, outer: Syntax) -> None:
        names = rule.names(self._view, node)
        if not names:
            self._close(frame)
            return
        line, end = self._lines(outer)
        lead = self._above(frame, line)
        start = lead.start if lead else line
        documented = lead is not None and bool(lead.comments)
        group = None if rule.alone or (rule.listed and documented) else frame.group
        if group is not None and start - group.end <= GROUP_GAP and end - group.start < GROUP_LINES:
            group.names.extend(names)
            group.end = max(end, group.end)
            return
        self._close(frame)
        text = None if rule.alone else (outer.start_byte, outer.end_byte)
        frame.group = Group(start, end, line, list(names), lead, text)
        if rule.alone:
            self._close(frame)

    def _close(self, frame: Frame) -> None:
        """End the group of constants, if one is open."""
        group = frame.group
        if group is None:
            return
        frame.group = None
        start = max(group.start, self._free)
        if start > group.end:
            return
        names = tuple(dict.fromkeys(group.names))
        qualname = f"{frame.prefix}.{names[0]}" if frame.prefix else names[0]
        draft = Draft(
            "constant", names[0], qualname, frame.parent, start, group.end, max(group.head, start), frame.is_test, names
        )
        if len(names) == 1 and group.text is not None:
            draft.signature = one_line(self._view.cut(*group.text))
        else:
            draft.signature = ", ".join(names[:SHOWN_NAMES]) + (", …" if len(names) > SHOWN_NAMES else "")
        if group.lead is not None and group.lead.comments and group.lead.start >= start:
            draft.doc_lines = group.lead.comments[0][0], group.lead.comments[-1][1]
            draft.doc = _comments_text(self._view, group.lead)
        self.drafts.append(draft)
        self._free = group.end + 1

    def _lines(self, node: Syntax) -> tuple[int, int]:
        """First and last line of a node, blank lines at its end left out."""
        first, last = span(node)
        lines = self._view.lines
        while last > first and not lines[last - 1].strip():
            last -= 1
        return first, last

    def _name(self, node: Syntax, naming: Naming) -> Name:
        return self._view.field_text(node, naming) if isinstance(naming, str) else naming(self._view, node)

    def _body(self, node: Syntax, bodying: Bodying) -> Syntax | None:
        if isinstance(bodying, str):
            return self._view.field(node, bodying)
        if isinstance(bodying, tuple):
            return self._view.child(node, *bodying)
        return bodying(self._view, node)


def docstring(view: View, body: Syntax) -> tuple[str, tuple[int, int]] | None:
    """The docstring a block or a module begins with, and its lines."""
    first = first_child(body)
    if first is not None and first.type == "comment":
        first = next((child for child in body.children if child.type != "comment"), None)
    if first is None or view.cut(first.start_byte, first.start_byte + 3).lstrip("rRuU")[:1] not in ('"', "'"):
        return None
    inner = first_child(first)
    if inner is None or inner.type != "string":
        return None
    return docstring_text(view.text(inner)), span(inner)


def _comments_text(view: View, lead: Lead) -> str:
    return comment_text([line for start, end in lead.comments for line in view.lines[start - 1 : end]])


def _parts(name: Name) -> tuple[str, ...]:
    return (name,) if isinstance(name, str) else name
