"""Words that say nothing about which file is meant."""

from __future__ import annotations

from typing import Final

# English function words, and what a contraction leaves when the apostrophe splits it.
_ENGLISH: Final = """
about above after again all also although always am among an and another any are aren around as at be because been
before being below between both but by came can cannot come could couldn did didn do does doesn doing don done down
during each either else etc ever every few for from further get gets getting give given goes going gone got had hadn
has hasn have haven having he hence her here him his how however if in into is isn it its itself just let like ll lot
made make makes making many may maybe me might more most much must my near need needs neither no nor not now of off
often on once one only onto or other others our out over own per perhaps please put quite rather re really same seem
seems shall she should shouldn since so some something soon still such than thank thanks that the their them then there
therefore these they thing things this those though through thus to too toward under unless until up upon us use used
uses using ve very via want wants was wasn way we well went were weren what whatever when where whether which while who
whole whose why will with within without won would wouldn yes yet you your
"""

# Syntax that stands in nearly every file of some language. Words that also name things (module, template, match, type)
# are left to their rarity.
_SYNTAX: Final = """
async await auto bool boolean break case catch char class cls const continue def del double dyn elif else endif enum
except extends extern false final finally float fn foreach func function goto if ifdef ifndef impl implements import
inline instanceof int lambda let long mut namespace new nil none null nullptr override pass private protected pub public
raise return self short signed sizeof static str string struct super switch this throw throws trait true try typedef
typename typeof undefined unsigned val var void volatile while yield
"""

# Dropped wherever it stands, alone or as part of a name.
STOP_WORDS: Final = frozenset(_ENGLISH.split())

# Dropped as a word of its own, kept as part of a name: `ImportResolver` still has the term `import`.
KEYWORDS: Final = frozenset(_SYNTAX.split())
