"""Who may do what before anyone writes a rule."""

from __future__ import annotations

import pytest

from graphmem.access.actions import Action
from graphmem.access.guard import predicate_for
from graphmem.access.predicate import Everything, Nothing


@pytest.mark.parametrize("action", Action)
def test_B075_the_subject_default_has_everything(action: Action) -> None:
    assert predicate_for("default", action) == Everything()


@pytest.mark.parametrize("subject", ["", "Default", "default ", "anna", "owner=default"])
@pytest.mark.parametrize("action", Action)
def test_nobody_else_has_anything(subject: str, action: Action) -> None:
    assert predicate_for(subject, action) == Nothing()


def test_B070_the_actions_are_named_as_rules_name_them() -> None:
    assert [action.value for action in Action] == ["read", "write", "delete", "approve", "admin"]
