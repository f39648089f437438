"""The words task types are told by, with their weights, in the languages people write tasks in.

3 says it by itself, 2 strongly hints, 1 hints. A word matches whole, in any case; `*` stands for any ending, `-` for a
space or a hyphen. Words of scripts without spaces match anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# The order breaks ties.
WORDS: Final[Mapping[str, Mapping[int, str]]] = {
    "security": {
        3: """
            vulnerab* cve* exploit* xss csrf ssrf 취약점 보안 漏洞 脆弱性 セキュリティ sicherheitslücke
            vulnérabilité vulnerabilidad
        """,
        2: """
            security injection sanitiz* untrusted privilege* escalat* traversal redos denial-of-service 安全
            sicherheit sécurité seguridad
        """,
        1: """
            attacker* malicious secret* credential* permission* 권한
        """,
    },
    "performance": {
        3: """
            slow* performance latency speedup speed-up faster bottleneck* 느리* 느려* 성능 性能 遅い 変慢 变慢
            langsam* lent lente lento rendimiento
        """,
        2: """
            optimi* throughput memory-leak n+1 speed perf efficient* inefficient* quadratic 최적화 优化 最適化
            高速化 lenteur optimier*
        """,
        1: """
            benchmark* profil* caching memory cpu allocat* expensive overhead 메모리 内存 メモリ
        """,
    },
    "bug": {
        3: """
            bug* crash* exception* traceback regression* broken panic* segfault* stacktrace fails failing failed fix
            fixes fixed 버그 오류 에러 고쳐* 고치* 수정 错误 修复 崩溃 报错 バグ エラー 不具合 修正 fehler* behebe*
            bogue* erreur* corrige* corrig* fallo* arregl* corregir
        """,
        2: """
            fail failure* does-not doesn't won't not-correct not-possible not-supported breaks bad strange confus*
            inaccurate incomplete inconsistent* disappear* conflict* wrong* incorrect* unexpected* invalid* hang*
            deadlock* raises not-working stopped-working should-not shouldn't no-longer 실패 안-되* 안돼* 작동하지
            失败 不一致 异常 不工作 失敗 異常 動かない falsch* kaputt échoue échec incorrect* falla roto
        """,
        1: """
            error errors issue* problem* instead should ignored ignores loses lost misses no-effect warning* missing
            weird is-not cannot can't unable prevent* avoid* ensure* handle* properly correctly don't resolve 문제
            问题 問題 problème* problema*
        """,
    },
    "infrastructure": {
        3: """
            deploy* kubernetes k8s helm terraform dockerfile docker-compose ci/cd pipeline* ansible 배포 部署
            デプロイ インフラ 基础设施 인프라 bereitstell* déploi* despli*
        """,
        2: """
            docker container* nginx systemd cluster* ingress github-actions workflow*
            provisioning rollout jenkins 컨테이너 容器 コンテナ
        """,
        1: """
            build* release* ci staging production server* environment* package* packaging 서버 服务器 サーバー
        """,
    },
    "refactor": {
        3: """
            refactor* restructur* deduplicat* 리팩터* 리팩토* 重构 リファクタ* refaktor* refactoris* refactoriz*
        """,
        2: """
            rename* renaming simplif* clean-up cleanup extract* reorganiz* reorganis* decouple* modulariz* moderniz*
            consolidat* 정리 整理 umbenenn* renomm* renombr*
        """,
        1: """
            move* replace* remove* unused dead-code split* inline* deprecat* tidy migrat*
        """,
    },
    "test": {
        3: """
            unit-test unit-tests test-coverage write-tests add-tests add-test flaky 테스트-추가 테스트를 单元测试 单测
            テストを testabdeckung
        """,
        2: """
            coverage assertion* regression-test e2e 테스트 测试 テスト testen essais pruebas prueba
        """,
        1: """
            test tests testing fixture* mock* snapshot*
        """,
    },
    "docs": {
        3: """
            docs documentation docstring* readme changelog tutorial* 문서 文档 文書 ドキュメント dokumentation
            documentación
        """,
        2: """
            document documenting typo* wording javadoc* explain-in 주석 注释 コメント dokumentier* documenter
            documentar
        """,
        1: """
            guide* comment* example*
        """,
    },
    "feature": {
        3: """
            feature feature-request implement* introduce* rfe enhancement* 기능 구현* 추가 新增 添加 功能 实现 機能
            追加 実装 funktion* hinzufüg* implementier* fonctionnalité* ajout* implément* añad* agreg*
            funcionalidad*
        """,
        2: """
            add adds added adding support supports supporting allow allows enable enables proposal* provide* expose*
            지원 支持 サポート 対応 unterstütz* prise-en-charge soporte
        """,
        1: """
            new option options enhance show display include would-like could would-be-nice accept accepts improve*
            improvement* configurable flag* extend* 허용 改善 개선 允许 ability
        """,
    },
    "research": {
        3: """
            research* investigat* feasibility compare explore 조사 연구 비교 调研 研究 调查 比较 調査 検討 比較
            recherch* untersuch* vergleich* investig*
        """,
        2: """
            explain how-does how-do best-practice best-practices trade-off trade-offs alternatives analysis
            analyze analyse 분석 설명* 왜 이유 分析 为什么 解释 なぜ 説明 erklär* warum expliqu* pourquoi
            explic* por-qué
        """,
        1: """
            how why what where understand comparison evaluate evaluation question* overview architecture design 구조
            架构 設計 어떻게 如何 怎么 どう
        """,
    },
}
