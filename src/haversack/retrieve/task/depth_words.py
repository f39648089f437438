"""Words that tell how deep a question goes, in the languages people ask in."""

from __future__ import annotations

from typing import Final

# Nouns that name a part of a software project, so that a plain sentence has entities too.
ENGLISH_NOUNS: Final = """
api architecture authentication authorization backend branch build bug cache client cluster command compiler component
config configuration connection container controller database dependency deployment documentation driver editor
endpoint engine environment error event file filter form framework frontend function handler hook index installer
interface job kernel key library link log login logging loop memory message method middleware migration model module
network notification object option package parser path payment permission pipeline plugin pool port process protocol
proxy query queue release renderer report repository request response route router scheduler schema script search
secret server service session setting socket stack storage stream string style system table task template terminal
test thread timeout token transaction type ui user validation variable version view web webhook widget worker workflow
"""
KOREAN_NOUNS: Final = """
인증 시스템 아키텍처 데이터베이스 서버 클라이언트 모듈 테스트 로그 배포 설정 사용자 토큰 캐시 세션 권한 함수 클래스
파일 프로젝트 이력 오류 버그 성능 보안 결제 주문 검색 인덱스 메시지 요청 응답 환경 버전 라이브러리 컴포넌트 화면
로그인
"""
UNSPACED_NOUNS: Final = """
认证 系统 架构 数据库 服务器 客户端 模块 测试 日志 部署 配置 用户 令牌 缓存 会话 权限 函数 文件 项目 历史 错误 性能
安全 支付 订单 搜索 索引 队列 消息 请求 响应 环境 版本 组件 登录 接口 服务
認証 設計 権限 関数 設定 履歴 検索 環境 画面 構成 接続 処理 機能 決済 注文 通知 変数
"""

# The answer takes more than one step.
REASONING: Final = """
why because cause causes caused impact impacts affect affects effect-of related relates relation relationship between
compare compared comparison differ differs different difference versus vs depend depends interact* lead-to leads-to
result-in results-in trade-off trade-offs tradeoff* as-well-as both whenever how-does how-do interplay trace flow
propagat* warum weil zwischen pourquoi entre parce-que por-qué porque 왜 이유 원인 영향 관계 비교 차이 때문 사이
为什么 原因 影响 关系 比较 区别 之间 导致 なぜ 影響 関係 比較 違い ために
"""

# The answer lies in more than one place.
BROAD: Final = """
all every everything everywhere entire whole overall architecture across codebase project-wide throughout system-wide
end-to-end global globally overview gesamt* alle tous toutes tout ensemble todo todos toda todas entero 전체 모든 전반
아키텍처 整个 所有 全部 整体 架构 全体 すべて 全て アーキテクチャ
"""

# Time matters, though no date is given.
TIMELY: Final = """
recent recently lately history timeline changelog ago used-to last-time when-did kürzlich neulich récemment historique
recientemente historial 최근 이력 예전 변경-내역 最近 近期 历史 履歴
"""
