"""Terms: what is indexed of a text and what a search asks for."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.memory.languages import LANGUAGES
from graphmem.memory.limits import QUERY_TERMS
from graphmem.memory.stop_words import STOP_WORDS
from graphmem.memory.terms import PREFIXES, QueryTerms, query_terms, search_terms
from graphmem.memory.words import TERM_CHARACTERS, bare

FIVE = ["en", "it", "de", "es", "fr"]
LANGUAGE = st.sampled_from([*sorted(LANGUAGES), "zh", "ja", "ko", "th", "xx"])


def legal(term: str) -> bool:
    """Whether a term holds nothing but letters, digits, marks and inner dots."""
    parts = term.split(".")
    kinds = {unicodedata.category(character)[0] for part in parts for character in part}
    return all(parts) and kinds <= set("LNM") and term == term.casefold() and 1 <= len(term) <= 255


@given(st.text(), LANGUAGE)
def test_R14_a_term_is_letters_digits_marks_and_inner_dots(text: str, language: str) -> None:
    asked = query_terms(text, [language, "en"])

    assert [term for term in search_terms(text, language) if not legal(term)] == []
    assert [term for term in (*asked.words, *asked.prefixes) if not legal(term)] == []


@given(st.text(), st.lists(LANGUAGE, max_size=3))
def test_R14_the_clause_holds_terms_weights_and_prefix_stars_only(text: str, languages: list[str]) -> None:
    clause = query_terms(text, languages).lucene()

    if clause:
        inside = re.fullmatch(r"search_terms:\((.+)\)", clause)
        assert inside is not None
        for part in inside[1].split(" "):
            assert re.fullmatch(r"[^\s^*+\-!(){}\[\]\"~?:\\/&|]+\*?(?:\^\d+(?:\.\d+)?)?", part), part


@given(st.text(max_size=200), LANGUAGE)
def test_a_text_is_found_by_itself(text: str, language: str) -> None:
    indexed = set(search_terms(text, language))
    asked = query_terms(text, [language], limit=10_000)

    assert bool(asked.weights) == bool(indexed)
    assert not indexed or indexed & asked.weights.keys()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Deploys RUN daily", ["deploys", "deploy", "run", "daily", "daili"]),
        ("src/config.ts", ["src.config.ts", "src", "config", "ts"]),
        ("C:\\Temp\\a1", ["c.temp.a1", "c", "temp", "a1", "1"]),
        ("getUserName", ["getusername", "getusernam", "get", "user", "name"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("max_connections", ["max.connections", "max", "connections", "connect"]),
        ("well-known", ["well.known", "well", "known"]),
        ("C++ C# C", ["cplusplus", "c", "csharp", "c", "c"]),
        ("python3", ["python3", "python", "3"]),
        ("a3f9c2", ["a3f9c2"]),
        ("v2.10.3", ["v2.10.3", "v2", "2", "10", "3"]),
        ("the builder's dogs", ["the", "builder", "dogs", "dog"]),
        ("don't", ["don"]),
        ("Café CAFÉ cafe\u0301", ["cafe", "cafe", "cafe"]),
        ("ﬁne ½", ["fine", "1", "2"]),
        ("", []),
        ("… — !? 🦊 ❤️", []),
        ("ـ a ـ", ["a"]),
    ],
)
def test_the_terms_of_an_english_text(text: str, terms: list[str]) -> None:
    assert search_terms(text, "en") == terms


@pytest.mark.parametrize(
    ("text", "language", "terms"),
    [
        ("l'università", "it", ["universita", "univers"]),
        ("qu'il l'eau", "fr", ["il", "eau"]),
        ("Größe", "de", ["grosse", "gross"]),
        ("图数据", "zh", ["图", "数", "据", "图数", "数据"]),
        ("abc图def", "zh", ["abc", "图", "def"]),
        ("저장", "ko", ["저", "장", "저장"]),
        ("ที่", "th", ["ท", "ที", "ี่"]),
        ("קָטָן", "he", ["קטן"]),
        ("Łódź", "pl", ["lodz"]),
        ("runs", "xx", ["runs"]),
    ],
)
def test_R22_the_terms_of_other_languages(text: str, language: str, terms: list[str]) -> None:
    assert search_terms(text, language) == terms


def test_how_often_a_word_stands_in_a_text_is_kept() -> None:
    assert Counter(search_terms("run Run running", "en")) == {"run": 3, "running": 1}


def test_a_word_without_end_is_cut_and_a_whole_without_end_gives_its_parts() -> None:
    assert search_terms("x" * 500, "en") == ["x" * TERM_CHARACTERS]
    assert search_terms("/".join(["part"] * 40), "en") == ["part"] * 40


@given(st.text(max_size=30))
def test_accents_and_case_do_not_count(text: str) -> None:
    folded = unicodedata.normalize("NFKC", text).casefold()

    assert bare(bare(folded)) == bare(folded)
    assert not re.search("[\u0300-\u036f]", bare(folded))


def asked(text: str, *languages: str) -> QueryTerms:
    return query_terms(text, languages or FIVE)


def test_T044_T050_inflections_meet() -> None:
    for query, text, language in (
        ("memories", "one memory", "en"),
        ("run", "it was running", "en"),
        ("processo", "due processi", "it"),
        ("corso", "molti corsi", "it"),
        ("Häuser", "ein Haus", "de"),
    ):
        assert asked(query).weights.keys() & set(search_terms(text, language)), query


def test_T046_a_word_finds_what_begins_with_it_from_three_letters() -> None:
    assert asked("build of ab").prefixes == ("build",)
    assert asked("TypeScript v2 数据 a.b").prefixes == ("typescript", "type", "script")


def test_T047_stop_words_leave_the_query_in_its_own_language_only() -> None:
    assert asked("when did the war end").words == ("war", "end")
    assert "war" not in asked("wann war die Hochzeit von Anna").words
    assert "die" in asked("when did she die").words
    assert "hochzeit" in asked("wann war die Hochzeit von Anna").words


def test_T047_a_query_of_stop_words_keeps_them_all() -> None:
    assert asked("to be or not to be").words[:4] == ("to", "be", "or", "not")


def test_stop_words_stay_in_the_index() -> None:
    assert search_terms("to be", "en") == ["to", "be"]


def test_stop_words_are_written_as_terms_are() -> None:
    for language, words in STOP_WORDS.items():
        assert language in LANGUAGES
        assert {word for word in words if bare(word.casefold()) != word or not word.isalpha()} == set()


def test_the_stem_weighs_most_then_the_spelling_then_other_languages() -> None:
    assert asked("running", "en", "it").weights == {"run": 1, "running": 0.6}
    assert asked("paintings", "en", "de").weights == {"paint": 1, "paintings": 0.3, "painting": 0.3}
    assert asked("dog", "en").weights == {"dog": 1.3}
    assert asked("dog", "en", "de", "nl").weights == {"dog": 1.3}
    assert asked("use ts and js", "en", "fr", "pt").weights == {"use": 1.3, "ts": 1.3, "js": 1.3}


def test_a_repeated_word_weighs_more() -> None:
    assert asked("dog dogs dog", "en").weights == {"dog": 1.3 + 1 + 1.3, "dogs": 0.3}


def test_terms_come_in_layers_so_that_the_least_useful_are_dropped() -> None:
    terms = query_terms("the quick deployments restarted nightly", FIVE, limit=5)

    assert terms.words == ("quick", "deploy", "restart", "night", "deployments")
    assert terms.dropped == len(query_terms("the quick deployments restarted nightly", FIVE).words) - 5


def test_at_most_64_terms_and_8_prefixes_are_asked_for() -> None:
    terms = asked(" ".join(f"word{'abcdefghij'[at % 10]}{'klmnopqrst'[at // 10]}" for at in range(100)), "en")

    assert len(terms.words) == QUERY_TERMS
    assert terms.dropped > 0
    assert len(terms.prefixes) == PREFIXES == 8


def test_characters_of_scripts_without_spaces_are_asked_for_in_pairs() -> None:
    assert asked("数据库").words == ("数据", "据库")
    assert asked("图").words == ("图",)


@pytest.mark.parametrize("text", ["", "  ", "***", "🦊", "AND-OR"[3:4], "\u200b"])
def test_a_query_without_letters_or_digits_asks_for_nothing(text: str) -> None:
    assert asked(text) == QueryTerms({}, (), 0)
    assert asked(text).lucene() == ""


def test_the_clause_of_a_query() -> None:
    terms = query_terms("running C++", ["en"])

    assert terms.lucene() == "search_terms:(run cplusplus^1.3 c^1.3 running^0.3 running*^0.1)"
    assert terms.lucene("other").startswith("other:(run ")


def test_a_query_without_configured_languages_is_taken_for_english() -> None:
    assert query_terms("dogs", []).words == ("dog", "dogs")
