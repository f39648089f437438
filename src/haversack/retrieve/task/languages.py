"""Function words of a task that is not in English: in code they are names (`el`, `die`, `per`) and mean another thing.

The index knows English only, and must: it does not know in which language a task will be. So it is the task that goes
without them, if it is written in their language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Final

from msgspec.structs import replace

from haversack.index.stopwords import STOP_WORDS
from haversack.index.terms import fold
from haversack.patterns import lazily
from haversack.retrieve.task.lines import Line, Zone

# In small letters; accents do not matter.
_FUNCTION_WORDS: Final[Mapping[str, str]] = {
    "German": """
        aber als am an auch auf aus bei beim bin bis da damit das dass dem den denn der des die dies diese diesem dieser
        doch durch ein eine einem einen einer er es für hat ich ihr im in ist ja kann kein keine man mehr mit nach nicht
        noch nur ob oder ohne schon sein sich sie sind so soll über um und uns vom von vor war was wenn werden wie wird
        wir wurde zu zum zur
    """,
    "French": """
        ai alors après au aussi aux avec avoir ça car ce ces cette comme dans de des donc du elle en est et être eu fait
        faut il ils je la le les leur lors lorsque mais me même mes mon ne nous on ont ou où par pas peut plus pour
        quand que quel qui sa sans se ses si son sont sur toujours tous tout très un une vous
    """,
    "Spanish": """
        al algo aunque como con cuando cual de del desde donde el ella en entre era eres es esa ese eso esta este esto
        está están fue ha hace han hasta hay la las le les lo los más me mi muy ni no nos o para pero por
        porque puede que se según ser si sin sobre son su sus también tiene todo todos un una uno unos y ya
    """,
    "Portuguese": """
        ao aos após as até com como da das de dela dele depois do dos e ela ele em entre era essa esse esta este está
        estão eu foi há isso isto já lhe mais mas me mesmo meu muito na não nas nem no nos ou o os para pela pelo por
        porque quando que se sem ser seu só sua são também tem um uma umas uns
    """,
    "Italian": """
        ai al alla alle allo anche che chi ci come con così cui da dal dalla dei del della delle dello di dopo dove due
        e ed era essere fra gli ha hanno i il in io la le lo ma mi molto ne negli nei nel nella non o ogni per più
        perché può quando quello questa questo quindi se sempre si sia sono su sul sulla tra tutti un una uno viene
    """,
    "Dutch": """
        aan al alle als bij dan dat de der deze die dit doen door dus een en er geen gaat had heb heeft hem het hier hij
        hoe ik in is je kan maar meer met mijn naar niet niets nog nu of om omdat onder ook op over te toch tot uit van
        veel voor waar wanneer want was wat we wel werd wordt ze zich zijn zo zonder
    """,
    "Polish": """
        ale bez bo by być był było co czy dla do gdy gdzie go i ich ile im ja jak jako jest jeśli już kiedy która
        które który lub ma mi można może na nad nie niż o od oraz po pod podczas przed przez przy są się tak tego ten
        też to tu tylko tym w we więc z za że
    """,
    "Turkish": """
        ama ancak bana bir biz bu bunu çok çünkü da daha de değil diye en gibi göre hem hep her ile için ise kadar ki mi
        mu nasıl ne neden o olan olarak oldu olduğu ona onu sadece sonra şey şu tüm var ve veya ya yok zaman
    """,
    "Russian": """
        а без бы был была были было в во вот все для до его если есть ещё же за и из или их к как когда который которые
        ли мне можно мы на над не него нет но о об он она они от по под при с так то только у уже что чтобы это этот я
    """,
}
_SAID: Final = (Zone.TITLE, Zone.PROSE, Zone.HEADING, Zone.CHECKLIST)
MOST_WORDS: Final = 500  # that are looked at to tell the language
SHARE: Final = 0.2  # of function words; the languages here have 0.3 to 0.5, English has few that are theirs
FEWEST: Final = 3  # function words; two may be codes of languages: "add es and de"
TELLING: Final = 3  # letters; so short is no code of a language

# What stays as it is: between backticks or quotes.
_QUOTED: Final = lazily(r"(`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]|(?<!\w)'[^'\n]*'(?!\w))")
# A word that is no part of a name, a path or a call.
_WORD: Final = lazily(r"(?<![\w./\\$@#=<>-])[^\W\d_]{1,12}(?![\w/\\$(=<>-]|\.\w|::)")
_ANY_WORD: Final = lazily(r"[^\W\d_]{2,40}")


@cache
def _vocabularies() -> Mapping[str, frozenset[str]]:
    return {name: frozenset(fold(words).split()) for name, words in _FUNCTION_WORDS.items()}


@cache
def _of_others() -> frozenset[str]:
    """The function words of all these languages that are none of English."""
    return frozenset().union(*_vocabularies().values()) - STOP_WORDS


def without_function_words(lines: Sequence[Line]) -> list[Line]:
    """The lines without the function words of the language they are in; as they are if that is English or unknown."""
    words = _function_words(lines)
    if not words:
        return list(lines)

    def kept(word: re.Match[str]) -> str:
        return " " if _plain(word[0]) in words and not _shouted(word[0]) else word[0]

    def rest(line: Line) -> str:
        parts = _QUOTED.split(line.text)
        return "".join(part if at % 2 else _WORD.sub(kept, part) for at, part in enumerate(parts))

    left = [replace(line, text=rest(line)) if line.zone in _SAID else line for line in lines]
    return [line for line in left if line.zone not in _SAID or _ANY_WORD.search(line.text)] or list(lines)


def _function_words(lines: Sequence[Line]) -> frozenset[str]:
    """Those of the language most of whose words the prose has, if it has more of them than English ones."""
    said = Counter(islice(_words(lines), MOST_WORDS))
    enough = max(FEWEST, SHARE * said.total())
    best, most = frozenset[str](), 0
    if sum(said[word] for word in said.keys() & _of_others()) < enough:  # English, as a rule: no need to look closer
        return best
    for words in _vocabularies().values():
        theirs = {word: count for word, count in said.items() if word in words and word not in STOP_WORDS}
        total = sum(theirs.values())
        english = sum(count for word, count in said.items() if word in STOP_WORDS and word not in words)
        telling = any(len(word) >= TELLING for word in theirs)
        if telling and total >= max(enough, english + 1, most + 1):
            best, most = words, total
    return best


def _words(lines: Sequence[Line]) -> Iterator[str]:
    for line in lines:
        if line.zone in _SAID:
            for part in _QUOTED.split(line.text)[::2]:
                yield from map(_plain, _ANY_WORD.findall(part))


def _plain(word: str) -> str:
    return (word if word.isascii() else fold(word)).lower()


def _shouted(word: str) -> bool:
    """`DIE` is a name, wherever it stands; the `A` and `O` that begin a sentence are not."""
    return len(word) > 1 and word.isupper()
