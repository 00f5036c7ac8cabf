"""Generated texts: the same from the same seed, varied, and of the promised size."""

from __future__ import annotations

from collections import Counter

from graphmem.bench.texts import Texts
from graphmem.bench.vocabulary import invented_names


def test_the_same_seed_gives_the_same_texts() -> None:
    one, other = Texts(3), Texts(3)

    assert [one.statement() for _ in range(50)] == [other.statement() for _ in range(50)]
    assert one.question() == other.question()


def test_the_first_texts_never_change() -> None:
    texts = Texts(1)

    assert [texts.statement(), texts.question()] == [
        "On 9 February 2026 Sam lost a blue house; Banbrair had asked for it.",
        "Which release does Merzoun need, and is it new?",
    ]


def test_another_seed_gives_other_texts() -> None:
    assert Texts(1).statement() != Texts(2).statement()


def test_statements_differ_and_are_short() -> None:
    texts = Texts(5)
    statements = [texts.statement() for _ in range(5_000)]

    assert len(set(statements)) == len(statements)
    assert all(40 <= len(statement) <= 220 for statement in statements)


def test_questions_are_shorter_than_statements() -> None:
    texts = Texts(5)

    assert all(10 <= len(texts.question()) <= 90 for _ in range(5_000))


def test_words_are_common_and_rare_as_in_written_text() -> None:
    texts = Texts(5)
    counts = Counter(word for _ in range(5_000) for word in texts.statement().split())
    often = [word for word, count in counts.items() if count >= 500]
    once = [word for word, count in counts.items() if count == 1]

    assert len(often) > 20
    assert len(once) > 3_000


def test_invented_names_are_all_different_and_always_the_same() -> None:
    names = invented_names(500)

    assert len(set(names)) == 500
    assert names == invented_names(500)
    assert all(name.isalpha() and name.istitle() for name in names)
