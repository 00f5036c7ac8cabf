"""What a second import does: untouched sections keep drawers and versions, whatever is put around them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.memory.notes import MarkdownFile, parse_note
from graphmem.memory.notes.matching import FiledSection, Plan, StoredSection, match_sections
from graphmem.memory.text import content_hash


def filed(files: Mapping[str, str]) -> list[FiledSection]:
    """The sections of the files, each in the room of its folder."""
    return [
        FiledSection(note.path, f"/palace/w/{note.room.lower()}", (note.room,), section)
        for note in (parse_note(MarkdownFile(path, text)) for path, text in files.items())
        for section in note.sections
    ]


def stored_as(id: str, new: FiledSection) -> StoredSection:
    section = new.section
    return StoredSection(
        id=id,
        source_file=new.source_file,
        path=new.path,
        place=section.place,
        title=section.title,
        content_hash=content_hash(section.content),
        line_start=section.line_start,
        line_end=section.line_end,
        names=section.names,
        keywords=section.keywords,
        links=frozenset(section.links),
    )


@dataclass
class Shelf:
    """Drawers as an import leaves them: what each says, and how many versions it has."""

    drawers: dict[str, StoredSection]
    contents: dict[str, str]
    versions: Counter[str]

    @classmethod
    def of(cls, files: Mapping[str, str]) -> Shelf:
        shelf = cls({}, {}, Counter())
        shelf.take(files)
        return shelf

    def plan(self, files: Mapping[str, str], lending: Iterable[str] = (), gone: Iterable[str] = ()) -> Plan:
        named = {*files, *gone}
        return match_sections(
            [old for old in self.drawers.values() if old.source_file in named],
            filed(files),
            lending=set(lending),
        )

    def take(self, files: Mapping[str, str], gone: Iterable[str] = (), *, prune: bool = False) -> Plan:
        plan = self.plan(files, gone=gone)
        for old, new in plan.moved:
            self.drawers[old.id] = replace(stored_as(old.id, new), content_hash=old.content_hash)
        for old, new in plan.changed:
            self._put(old.id, new)
        for new in plan.new:
            self._put(f"d{len(self.versions)}", new)
        for old in plan.vanished if prune else ():
            del self.drawers[old.id]
        for old, place in () if prune else plan.displaced:
            self.drawers[old.id] = replace(old, place=place)
        places = Counter((old.source_file, old.path, old.place) for old in self.drawers.values())
        assert max(places.values(), default=1) == 1
        return plan

    def _put(self, id: str, new: FiledSection) -> None:
        self.drawers[id] = stored_as(id, new)
        self.contents[id] = new.section.content
        self.versions[id] += 1

    def chains(self) -> dict[str, Counter[tuple[str, int]]]:
        """By text, the drawers that say it, each with its number of versions."""
        found: dict[str, Counter[tuple[str, int]]] = defaultdict(Counter)
        for id in self.drawers:
            found[self.contents[id]][id, self.versions[id]] += 1
        return found


def counts(plan: Plan) -> tuple[int, int, int, int, int]:
    """unchanged, moved, changed, new, vanished"""
    return (len(plan.unchanged), len(plan.moved), len(plan.changed), len(plan.new), len(plan.vanished))


BEFORE = "intro\n\n# A\nalpha\n\n# B\nbeta\n"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (BEFORE, (3, 0, 0, 0, 0)),
        (BEFORE.rstrip() + "\n\n\n", (3, 0, 0, 0, 0)),
        (BEFORE.replace("\n", "\r\n"), (3, 0, 0, 0, 0)),
        ("\n" + BEFORE, (0, 3, 0, 0, 0)),
        (BEFORE + "# C\ngamma\n", (3, 0, 0, 1, 0)),
        ("# 0\nzero\n" + BEFORE, (0, 2, 0, 1, 1)),
        ("intro\n\n# B\nbeta\n\n# A\nalpha\n", (1, 2, 0, 0, 0)),
        ("intro\n\n# A\nALPHA\n\n# B\nbeta\n", (2, 0, 1, 0, 0)),
        ("intro\n\n# B\nbeta\n", (1, 1, 0, 0, 1)),
        ("intro\n\n# Z\n## A\nalpha\n", (1, 0, 0, 2, 2)),
        ("---\ntags: t\n---\n" + BEFORE, (0, 3, 0, 0, 0)),
        ("", (0, 0, 0, 0, 3)),
    ],
    ids=[
        "nothing",
        "blank lines at the end",
        "other line ends",
        "a blank line above",
        "a section below",
        "a section above, which takes the first text in",
        "another order",
        "another text",
        "one less",
        "a deeper heading is another text",
        "a tag",
        "nothing left",
    ],
)
def test_what_an_edit_of_one_file_comes_to(after: str, expected: tuple[int, ...]) -> None:
    plan = Shelf.of({"Plan.md": BEFORE}).plan({"Plan.md": after})

    assert counts(plan) == expected


def test_a_section_put_before_one_of_the_same_heading_moves_it_and_changes_neither() -> None:
    plan = Shelf.of({"Log.md": "# Fix\none\n# Fix\ntwo\n"}).plan(
        {"Log.md": "# Fix\nnew\n# Fix\none\n# Fix\ntwo\n"}
    )

    assert counts(plan) == (0, 2, 0, 1, 0)
    assert [(old.place, new.section.place) for old, new in plan.moved] == [
        (("Fix", "1"), ("Fix", "2")),
        (("Fix", "2"), ("Fix", "3")),
    ]


def test_two_equal_sections_stay_two() -> None:
    text = "# Fix\nsame\n# Fix\nsame\n"

    assert counts(Shelf.of({}).plan({"Log.md": text})) == (0, 0, 0, 2, 0)
    assert counts(Shelf.of({"Log.md": text}).plan({"Log.md": text})) == (2, 0, 0, 0, 0)
    assert counts(Shelf.of({"Log.md": text}).plan({"Log.md": "# Fix\nsame\n"})) == (1, 0, 0, 0, 1)


def test_a_renamed_file_keeps_its_drawers() -> None:
    shelf = Shelf.of({"Old/Plan.md": BEFORE, "Other.md": "# A\nalpha\n"})

    plan = shelf.plan({"New/Plan.md": BEFORE}, gone=["Old/Plan.md"])

    assert counts(plan) == (0, 3, 0, 0, 0)
    assert {old.source_file for old, _ in plan.moved} == {"Old/Plan.md"}


def test_a_section_cut_from_one_file_and_put_into_another_keeps_its_drawer() -> None:
    shelf = Shelf.of({"One.md": "# A\nalpha\n# B\nbeta\n", "Two.md": "# C\ngamma\n"})

    plan = shelf.plan({"One.md": "# B\nbeta\n", "Two.md": "# C\ngamma\n# A\nalpha\n"})

    assert (len(plan.moved), plan.new, plan.vanished) == (2, (), ())


def test_a_copy_in_another_file_takes_nothing_away() -> None:
    plan = Shelf.of({"One.md": "# A\nalpha\n"}).plan({"One.md": "# A\nalpha\n", "Two.md": "# A\nalpha\n"})

    assert counts(plan) == (1, 0, 0, 1, 0)


def test_sections_that_are_lent_and_not_taken_do_not_vanish_yet() -> None:
    shelf = Shelf.of({"Old.md": "# A\nalpha\n# B\nbeta\n"})

    plan = shelf.plan({"New.md": "# A\nalpha\n"}, lending=["Old.md"], gone=["Old.md"])

    assert counts(plan) == (0, 1, 0, 0, 0)
    assert [old.label for old in shelf.plan({}, gone=["Old.md"]).vanished] == ["Old.md#A", "Old.md#B"]


HEADINGS = st.sampled_from(["# A", "# B", "## A", "## B", "### C"])
BODIES = st.lists(st.sampled_from(["", "one", "two", "#tag", "[[link]]", "> # quote"]), max_size=3)
SECTIONS = st.builds(lambda heading, body: "\n".join([heading, *body]), HEADINGS, BODIES)
FILES = st.dictionaries(
    st.sampled_from(["a.md", "b.md", "Deep/a.md"]),
    st.lists(SECTIONS, max_size=6).map(lambda parts: "\n".join(parts)),
)


def texts_of(text: str) -> Counter[str]:
    return Counter(new.section.content for new in filed({"a.md": text}))


@given(FILES, FILES)
def test_a_text_that_stays_in_its_file_makes_no_version(
    before: dict[str, str], after: dict[str, str]
) -> None:
    shelf = Shelf.of(before)
    chains = shelf.chains()

    shelf.take(after, gone=set(before) - set(after), prune=True)

    staying: Counter[str] = Counter()
    for path in before.keys() & after.keys():
        staying += texts_of(before[path]) & texts_of(after[path])
    kept = {text: (shelf.chains()[text] & chains[text]).total() for text in staying}
    assert staying <= Counter(kept)
    assert Counter(shelf.contents[id] for id in shelf.drawers) == sum(
        map(texts_of, after.values()), Counter()
    )


@given(st.lists(SECTIONS, min_size=1, max_size=6), st.lists(SECTIONS, max_size=3), st.data())
def test_inserting_deleting_and_reordering_make_no_version_of_what_stays(
    parts: list[str], inserted: list[str], data: st.DataObject
) -> None:
    shelf = Shelf.of({"a.md": "\n".join(parts)})
    before = {id: (shelf.contents[id], 1) for id in shelf.drawers}
    staying = data.draw(st.lists(st.sampled_from(parts), unique_by=id, max_size=len(parts)))
    written = data.draw(st.permutations([*staying, *inserted]))

    shelf.take({"a.md": "\n".join(written)}, prune=True)

    kept = Counter(
        text
        for drawer, (text, version) in before.items()
        if drawer in shelf.drawers and (shelf.contents[drawer], shelf.versions[drawer]) == (text, version)
    )
    assert Counter(part.rstrip("\n") for part in staying) <= kept


@given(FILES, FILES, st.booleans())
def test_importing_again_changes_nothing(before: dict[str, str], after: dict[str, str], prune: bool) -> None:
    shelf = Shelf.of(before)
    gone = set(before) - set(after)
    first = shelf.take(after, gone=gone, prune=prune)

    plan = shelf.plan(after, gone=gone)

    assert (plan.moved, plan.changed, plan.new, plan.displaced) == ((), (), (), ())
    assert {old.id for old in plan.vanished} == (set() if prune else {old.id for old in first.vanished})
    assert len(plan.unchanged) == len(filed(after))


def test_a_vanished_section_gives_its_place_to_one_that_moves_there() -> None:
    plan = Shelf.of({"Log.md": "# Fix\none\n# Fix\ntwo\n"}).plan({"Log.md": "# Fix\ntwo\n"})

    assert [new.section.place for _, new in plan.moved] == [("Fix", "1")]
    assert [(old.place, place) for old, place in plan.displaced] == [(("Fix", "1"), ("Fix", "2"))]


@given(FILES, FILES)
def test_every_section_is_in_one_list_of_the_plan(before: dict[str, str], after: dict[str, str]) -> None:
    shelf = Shelf.of(before)

    plan = shelf.plan(after, gone=set(before))

    old = [o.id for o in (*plan.unchanged, *(o for o, _ in (*plan.moved, *plan.changed)), *plan.vanished)]
    assert sorted(old) == sorted(shelf.drawers)
    assert len(plan.unchanged) + len(plan.moved) + len(plan.changed) + len(plan.new) == len(filed(after))
