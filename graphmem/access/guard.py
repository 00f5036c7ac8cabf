"""Which predicate stands for a subject and an action.

The subject ``default`` has everything, so one person on one machine writes no rule; no one else has anything.
"""

from __future__ import annotations

from graphmem.access.actions import Action
from graphmem.access.predicate import Everything, Nothing, Predicate

DEFAULT_SUBJECT = "default"
"""The subject of a new store's command line."""


def predicate_for(subject: str, action: Action) -> Predicate:
    """What the subject may do the action to; ``Nothing`` for a subject that is not known."""
    return Everything() if subject == DEFAULT_SUBJECT and action in Action else Nothing()
