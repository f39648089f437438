"""What kind of answer a task wants: seed 003's five intents, with the seed's other spellings accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from haversack.errors import UsageError
from haversack.retrieve.task.lines import Line, Zone
from haversack.retrieve.task.vocabulary import Vocabulary

INTENTS: Final = ("how_to", "what_happened", "known_issues", "environment", "code_structure")
_SPELLINGS: Final = {"how_to_do": "how_to", "gotchas": "known_issues", "gotcha": "known_issues"}

# Ties go to the earlier, the rarer intent.
_WORDS: Final[Mapping[str, str]] = {
    "what_happened": """
        what-happened when-did who-changed who-added who-wrote who-removed history timeline last-time
        what-changed why-did-we why-did-they decided decision previously was-passiert wann verlauf qué-pasó
        무슨-일 언제 이력 변경-내역 누가 어떻게-됐 发生了什么 什么时候 谁改 历史 何が起 いつ 履歴 誰が
    """,
    "known_issues": """
        bug bugs error errors exception exceptions crash* fail* broken regression* gotcha* pitfall* known-issue
        known-issues workaround wrong incorrect* fix fixes fixed fehler erreur erreurs errores fallo fallos 버그
        오류 에러 실패 주의 错误 失败 报错 バグ エラー 不具合
    """,
    "environment": """
        environment environments env-var env-vars docker* kubernetes k8s deploy* install* which-version
        current-state current-version staging production running-on configured configuration umgebung
        environnement entorno 환경 설치 버전 배포 环境 安装 版本 部署 環境
    """,
    "code_structure": """
        where-is where-are which-file which-files which-function which-class which-module defined definition
        implemented-in calls called-by caller callers structure architecture class-hierarchy inherits imports
        organized organised layout wo-ist où-est dónde-está 어디 구조 아키텍처 정의 호출 在哪 哪里 结构 架构
        定义 调用 どこ 構造 定義 呼び出
    """,
    "how_to": """
        how-to how-do how-can how-should add implement create write build support best-practice best-practices guide
        example step steps wie comment cómo 어떻게 방법 추가 구현 如何 怎么 添加 实现 どうやって 方法 追加 実装
    """,
}
TITLE_WEIGHT: Final = 3
MOST_HITS: Final = 3  # of one intent in the body; a long text says everything somewhere
OPENING: Final = 8  # lines of prose
FAILURE_WEIGHT: Final = 3  # an error or a trace was pasted


@cache
def _vocabulary() -> Vocabulary[str]:
    return Vocabulary({word: name for name, words in _WORDS.items() for word in words.split()})


def task_intent(lines: Sequence[Line]) -> str:
    """The intent with most words for it; `how_to` when there are none."""
    title = " ".join(line.text for line in lines if line.zone is Zone.TITLE)
    body = "\n".join([line.text for line in lines if line.zone is Zone.PROSE][:OPENING])
    said, told = dict(_vocabulary().find(title)), dict(_vocabulary().find(body))
    scores = {
        name: TITLE_WEIGHT * list(said.values()).count(name) + min(list(told.values()).count(name), MOST_HITS)
        for name in _WORDS
    }
    if any(line.zone in (Zone.ERROR, Zone.FRAME) for line in lines):
        scores["known_issues"] += FAILURE_WEIGHT
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] else "how_to"


def plain_intent(name: str) -> str:
    """The intent a user named, in this project's spelling."""
    plain = name.strip().lower().replace("-", "_")
    plain = _SPELLINGS.get(plain, plain)
    if plain not in INTENTS:
        raise UsageError(f"unknown intent {name!r}", hint=f"known intents: {', '.join(INTENTS)}")
    return plain
