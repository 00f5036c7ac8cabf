"""Which language a short text is in."""

from __future__ import annotations

import pytest
import Stemmer  # type: ignore[import-not-found]  # a C module without types
from hypothesis import given
from hypothesis import strategies as st

from graphmem.memory.languages import LANGUAGES, detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The deploy script restarts every worker after midnight", "en"),
        ("User prefers dark mode", "en"),
        ("Il server si riavvia ogni notte dopo le due", "it"),
        ("Die Datenbank läuft auf dem alten Rechner", "de"),
        ("La base de datos se reinicia todas las noches", "es"),
        ("Le serveur redémarre toutes les nuits", "fr"),
        ("A base de dados não reinicia durante a noite", "pt"),
        ("De server wordt elke nacht opnieuw gestart", "nl"),
        ("Сервер перезапускается каждую ночь", "ru"),
        ("サーバーは毎晩再起動します", "ja"),
        ("服务器每天晚上都会重新启动", "zh"),
        ("서버는 매일 밤 다시 시작됩니다", "ko"),
        ("เซิร์ฟเวอร์จะรีสตาร์ททุกคืน", "th"),
        ("يعاد تشغيل الخادم كل ليلة", "ar"),
    ],
)
def test_a_sentence_is_in_its_language(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize("text", ["", "  \n ", "42", "🦊", "PostgreSQL", "src/config.ts", "---"])
def test_what_is_too_short_or_no_language_is_in_the_default(text: str) -> None:
    assert detect(text, default="it") == "it"
    assert detect(text) == "en"


def test_only_the_start_of_a_long_text_is_looked_at() -> None:
    start = "The server restarts every night after the backup has run. " * 10

    assert detect(start + "Die Datenbank läuft auf dem alten Rechner. " * 1000) == "en"


@given(st.text())
def test_R22_any_text_has_an_answer_and_always_the_same(text: str) -> None:
    language = detect(text, default="en")

    assert len(language) == 2
    assert detect(text, default="en") == language


def test_every_language_has_stems() -> None:
    assert set(LANGUAGES.values()) <= set(Stemmer.algorithms())
    assert {"en", "it", "de", "es", "fr"} <= LANGUAGES.keys()
