"""The words that ``texts`` writes with: everyday ones, and invented names as a long tail of rare ones."""

from __future__ import annotations

import random

_PEOPLE = """
Mara Jonas Ines Pavel Lucia Tom Greta Amir Noor Felix Hanna Diego Sofia Emil Yuki Clara Marco Olga Sam
Petra Nils Rosa Viktor Lena Hugo Aisha Bruno Edith Karim Tilda Oscar Ming Paula Igor Selma Andre
"""

_THINGS = """
time day plan house meeting team work garden idea report friend book release kitchen road letter window
test child budget doctor train school market customer query river song server ticket photo price kettle
database deadline recipe contract weather sister engine bicycle lamp index concert paper bridge mistake
holiday dog printer invoice table brother forest cache bakery camera piano update harbour laptop lesson
coat medicine network office proposal island backup ladder museum password village jacket storm schema
tennis notebook passport boat account chapter dinner factory battery workshop cousin schedule mirror
orchard screen basket answer neighbour parcel festival sensor cellar translator licence canal interview
compass hammer pipeline calendar teacher mountain blanket cluster violin receipt insurance carpet
keyboard valley apprentice
"""

_ACTIONS = """
found moved wrote sold painted fixed opened visited lost tested planned bought cleaned measured borrowed
finished cancelled described repaired missed compared ordered forgot explained carried rebuilt delayed
shared signed searched printed replaced checked packed merged watched learned closed paid postponed
translated dropped renamed counted cooked reviewed installed photographed reserved improved
"""

_QUALITIES = """
new old small late good blue quiet broken early heavy red warm second missing cheap long wooden empty
simple green slow bright narrow shared local public daily dusty sharp gentle foreign hidden yellow useful
modern northern spare folded careful distant
"""

_MONTHS = """
January February March April May June July August September October November December
"""

_ONSETS = "b br d dr f g gr h k kl l m n p r s st t tr v z"
_VOWELS = "a e i o u ai ei ou"
_CODAS = "n l r s m th nd rk"

PEOPLE = tuple(_PEOPLE.split())
THINGS = tuple(_THINGS.split())
ACTIONS = tuple(_ACTIONS.split())
QUALITIES = tuple(_QUALITIES.split())
MONTHS = tuple(_MONTHS.split())


def invented_names(number: int) -> tuple[str, ...]:
    """So many different names of two or three syllables, always the same."""
    choice = random.Random(number)
    onsets, vowels, codas = _ONSETS.split(), _VOWELS.split(), ["", *_CODAS.split()]
    names: dict[str, None] = {}
    while len(names) < number:
        syllables = range(choice.choice((2, 2, 3)))
        name = "".join(map("".join, ((map(choice.choice, (onsets, vowels, codas))) for _ in syllables)))
        names[name.capitalize()] = None
    return tuple(names)
