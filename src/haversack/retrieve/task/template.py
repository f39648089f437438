"""What issue and pull-request templates put into every text: dropped, or counted for little.

Every pattern here runs on a short, lower-cased line with single spaces, so that none can be made slow.
"""

from __future__ import annotations

import re
from typing import Final

from haversack.patterns import lazily

SHORT: Final = 240  # a template's own lines are no longer; the start of a longer one decides
LONGEST_HEADING: Final = 12  # words; a longer heading is a sentence of the author

# Headings that templates print; what stands under them counts, the headings do not.
_HEADING: Final = lazily(
    r"^(?:the )?(?:issue|bug|problem|feature|short|brief|detailed)?\s?(?:description|summary|overview|details?|problem|"
    r"motivation|background|proposal|context|question|title|notes?|changes|what|why|how)\W*$"
    r"|\b(?:describe (?:the|your|alternatives|what)|please describe|expected|actual|"
    r"current behaviou?r|observed|desired|proposed solution|reproduc(?:e|tion|ing|ible|er)|repro|steps?|"
    r"code example|minimal (?:working )?example|example|"
    r"sample code|code sample|additional|other (?:comments|information|relevant)|any other comments|"
    r"what (?:does this|did you|version|is the|happened|problem|are you)|how (?:does this|do you|to test|has this)|"
    r"feature request|related (?:issues?|problem)|reference issues?|solution you|alternatives|"
    r"(?:log|error|relevant|console|terminal) (?:output|logs?|message)|logs?|stack ?trace|traceback|"
    r"output|command used|configuration|severity|priority|possible (?:fix|solution)|root cause|work ?around|impact|"
    r"type of change|breaking changes?|testing|test plan|results? in|the following)\b"
    r"|^(?:is there an? (?:existing|similar|duplicate|open)|(?:possible )?duplicates|anything else|contact details|"
    r"what (?:issue|bug|feature|steps|should)|how often does|is this a regression|are you willing|"
    r"(?:would|do) you (?:want|like|intend) to)\b"
    r"|^(?:pre-?requisites|use cases?|(?:my )?set-?up)\W*$"
)

# Sections about the machine, the project's rules or pictures: nothing in them says which file is meant.
_LOW_SECTION: Final = lazily(
    r"\b(?:environment|versions?|platform|operating system|system(?: info\w*)?|os|installed packages|dependencies|"
    r"python deps|blas|pip (?:list|freeze)|extra tools|extensions|your project|project info\w*|information about your|"
    r"screenshots?|screen ?recordings?|screencasts?|check ?list|before submitting|before you (?:submit|begin)|"
    r"tests and linting|contribut\w+|code of conduct|licen[cs]e|cla|pull request type|"
    r"reviewers?|release notes?|documentation preview|hardware|machine|node info|browsers?|"
    r"please complete the following)\b"
    r"|^(?:desktop|smartphone|mobile|device)\W*$"
)

_CHECKBOX: Final = lazily(r"\s{0,20}(?:[-*+] ?\[[ xX✓✔]?\]|\[[ xX✓✔]\]) ")
_CHECKBOX_TEMPLATE: Final = lazily(
    r"\bi(?:'ve| have| am| agree| confirm| will)\b|\b(?:search(?:ed)?|read the|contribut\w+|guidelines?|duplicate|"
    r"existing issue|latest (?:version|release)|cla|changelog|lint\w*|pr|pull request|message body|"
    r"tests? (?:pass|added|that)|test suite|minimal example|make sure|template|documentation|docs|detailed description|"
    r"versions?|virtual environment|breaking change|bug ?fix|new feature|refactor|non-breaking|reproduc\w+)\b"
)

# What the templates that GitHub proposes, and most of those made from them, say in place of an answer. Only the
# sentence goes: the answer is often written behind it.
_REPORT: Final = r"(?:bug|problem|issue|feature|request|change|proposal|solution|question)"
_SENTENCE_END: Final = r"(?:[.:](?=\s|\W*$)|$)"
_FILLER: Final = lazily(
    r"^[\W_]{0,12}(?:please )?(?:(?:add|provide|give|write|include|enter)(?: us)? )?"
    r"a (?:(?:brief|clear|complete|concise|detailed|short)(?:,? (?:and|but)|,)? ){1,3}"
    r"(?:description|explanation|summary|overview|outline) (?:of|about) "
    rf"(?:what (?:you|happened|the {_REPORT})|any|your|the {_REPORT})\b[^.:\n]{{0,120}}{_SENTENCE_END}"
    r"|(?:\b(?:ex|e\.g|for example)[.,:]{1,2} ?)?\bi['’]?m always frustrated when\b(?: ?\[?(?:\.{2,}|…)\]?)?"
    r"|^[\W_]{0,12}(?:please )?(?:add|provide|include|share|leave|write) (?:any|some|all) "
    r"(?:(?:other|additional|further|more|relevant|useful) )?"
    r"(?:context|details?|info(?:rmation)?|comments?|notes?|screenshots?)\b[^.:\n]{0,80}"
    rf"\b(?:here|helpful|(?:about|regarding|to) (?:the|this|your) {_REPORT})\b[^.:\n]{{0,60}}{_SENTENCE_END}"
    r"|^[\W_]{0,12}if (?:applicable|relevant|possible|needed|necessary|available)\b,? (?:please )?"
    r"(?:add|attach|include|provide|paste|share|upload)\b[^.:\n]{0,60}"
    rf"\b(?:screenshots?|(?:screen ?)?recordings?|videos?|to (?:help )?explain)\b[^.:\n]{{0,80}}{_SENTENCE_END}",
    re.IGNORECASE,
)
# A line that was left as it is: "1. Click on '....'", "- Browser [e.g. chrome]", "* Works without plugins (yes/no):".
_UNFILLED: Final = lazily(
    r"^(?:\d{1,2}[.)]? ?)?(?:[a-z][\w ]{0,40})?['\"`‘“]\.{2,}['\"`’”]\W*$|^\d{1,2}[.)]\W*$"
    r"|^\d{1,2}[.)] ?(?:see (?:the )?error|(?:in|with) this (?:environment|config)|run|go to|click on|scroll down to)"
    r"\W*$|^[^\[\]]{0,60}\[(?:e\.?g|i\.e|ex)\b[^\]]{0,80}\]\W*$|\((?:yes|y)/(?:no|n)\)\W*$"
)

_EMPTY_ANSWER: Final = frozenset({"", "no response", "n/a", "na", "none", "no", "nope", "hi", "hello", "thanks"})
_SENTENCE: Final = lazily(
    r"^(?:thanks|thank you)\b.*\b(?:contribut|pull request|submitting|in advance|opening)"
    r"|^please (?:read|make sure|ensure|fill|provide|note that|check|search|follow|be sure|include|review|see our|"
    r"use the)\b.*\b(?:guidelines?|contribut\w+|template|issues?|pull requests?|prs?|branch|below|following|checklist|"
    r"submit\w*)\b"
    r"|^by (?:submitting|opening|contributing|making)\b.*\b(?:agree|licen[cs]e\w*|terms)\b"
    r"|^i agree (?:that|to)\b.*\b(?:contributions?|licen[cs]e\w*|code of conduct)\b"
    r"|^to reference an open issue|^if your (?:pr|pull request|issue)\b|^and agree to\b"
    r"|^is (?:there|this) an? (?:existing|duplicate|already reported) (?:issue|bug|request)\b"
    r"|^i(?:['’]ve| have) (?:already )?(?:searched|checked|read|looked|verified|reviewed)\b(?!.*\b(?:but|yet|and)\b)"
    r".*\b(?:existing|open|closed|duplicates?|similar|documentation|docs|guidelines?|faq|contributing|tracker)\b"
    r"|^references? to other (?:issues|prs)\b|^brief description of what is (?:fixed|changed)\b|^other comments\W*$"
    r"|^(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|change-id|cc|pull-request|"
    r"reviewed on|differential revision|gitorigin-revid) ?:|^cc @"
)

# "Fixes #12", "closes owner/name#3, #4": a number no file knows.
_REFERENCE: Final = lazily(
    r"(?<!\w)(?:(?:fix(?:e[sd])?|clos(?:e[sd]?|ing)|resolv(?:e[sd]?|ing)|refs?|see(?: also)?|part of|related(?: to)?|"
    r"supersedes|replaces|original pr is|addresses):? ?)?(?:[\w.-]{1,40}/[\w.-]{1,60})?#\d{1,9}\b"
    r"(?:(?: ?[,、&] ?| and )#\d{1,9})*",
    re.IGNORECASE,
)
_BARE_REFERENCE: Final = lazily(r"\b(?:GH|issue|bug|PR|bpo)[- ]?#?\d{1,9}\b", re.IGNORECASE)

_VERSION: Final = r"[`*\"']*v?\d+(?:\.[\w*+-]+){1,6}"
_ENVIRONMENT: Final = lazily(
    rf"^[a-z][\w.\-\[\]/]{{0,40}}(?: \w{{1,20}}){{0,2}} ?(?:==|>=|<=|~=|@|:|\|)? ?{_VERSION}(?!\w).{{0,40}}$"
    rf"|^{_VERSION}$|^(?:[\w.-]{{1,30}} ){{1,2}}versions? ?:"
    r"|^(?:os|operating system|platform|system|python|node(?:\.?js)?|npm|yarn|pnpm|browser|machine|executable|kernel|"
    r"distro|compiler|rustc|cargo|go|java|jdk|gpu|cuda|cpu|docker|shell|terminal|architecture|rootdir|plugins|"
    r"cblas_libs|lib_dirs|macros|installed|num_threads|user_api|prefix|filepath|threading_layer)(?: version)? ?[:=]"
    r"|^platform (?:linux|darwin|win32)\b|^(?:darwin|linux|windows|macos|ubuntu|debian|fedora)[ /-][\d.]"
    r"|^(?:successfully )?install(?:ed|ing) (?:collected )?packages\b|^collected \d+ items?\b|^hypothesis profile\b"
)
_BULLET: Final = lazily(r"^[-*+•|>#_`\" ]{1,12}")


def short(line: str) -> str:
    """The line as the patterns want it: the start of it, lower case, single spaces, no bullet."""
    return _BULLET.sub("", " ".join(line[:SHORT].lower().split()))


def without_comments(line: str, inside: bool) -> tuple[str, bool]:
    """The line without HTML comments, and whether one is still open at its end."""
    kept: list[str] = []
    while True:
        if inside:
            _, closed, line = line.partition("-->")
            if not closed:
                return "".join(kept), True
            inside = False
        before, opened, line = line.partition("<!--")
        kept.append(before)
        if not opened:
            return "".join(kept), False
        inside = True


def without_filler(line: str) -> str:
    """The line without what a template says in place of an answer."""
    return _FILLER.sub(" ", line[:SHORT]) + line[SHORT:]


def without_references(line: str) -> str:
    """The line without issue numbers and the words that only lead up to them."""
    if "#" in line:
        line = _REFERENCE.sub(" ", line)
    return _BARE_REFERENCE.sub(" ", line)


def is_heading(words: str) -> bool:
    """Whether a heading comes from a template."""
    words = short(words)
    return words.count(" ") < LONGEST_HEADING and bool(_HEADING.search(words) or _LOW_SECTION.search(words))


def is_low_section(words: str) -> bool:
    """Whether what follows the heading is about the machine or the rules."""
    words = short(words)
    return words.count(" ") < LONGEST_HEADING and bool(_LOW_SECTION.search(words))


def is_checkbox(line: str) -> bool:
    """Whether the line is an item to tick."""
    return bool(_CHECKBOX.match(line))


def is_boilerplate(line: str) -> bool:
    """Whether the line is a template's own sentence, a trailer or an empty answer."""
    words = short(line)
    if is_checkbox(line):
        return bool(_CHECKBOX_TEMPLATE.search(words))
    return words.strip("_.*!, ") in _EMPTY_ANSWER or bool(_SENTENCE.match(words) or _UNFILLED.search(words))


def is_environment(line: str) -> bool:
    """Whether the line names a version or a machine and nothing else."""
    return bool(_ENVIRONMENT.match(short(line)))
