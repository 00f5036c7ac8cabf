"""The curve of forgetting: Embornal's figures."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.memory.strength import MAX_STABILITY_DAYS, RecallState, new_recall_state

MONDAY = datetime(2026, 1, 5, tzinfo=UTC)
TIMES = st.datetimes(datetime(1, 1, 2), datetime(9998, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001
STATES = st.builds(RecallState, st.floats(0.001, MAX_STABILITY_DAYS), TIMES, st.integers(0, 10_000))


def after(days: float) -> datetime:
    return MONDAY + timedelta(days=days)


def test_B031_what_was_just_written_has_a_stability_of_one_day() -> None:
    assert new_recall_state(MONDAY) == RecallState(1.0, MONDAY, 0)
    assert new_recall_state(MONDAY).strength(MONDAY) == 1.0


def test_B033_a_day_after_the_writing_a_third_is_left() -> None:
    assert new_recall_state(MONDAY).strength(after(1)) == pytest.approx(0.367879, abs=1e-6)


@pytest.mark.parametrize(
    ("waited_days", "stability_days"),
    [(0, 1.0), (1 / 1440, 1.00191), (1, 2.738), (30, 3.75), (1000, 3.75)],
    ids=["at once", "after a minute", "after one time constant", "after a month", "when almost forgotten"],
)
def test_B032_B033_a_late_recall_adds_more_stability(waited_days: float, stability_days: float) -> None:
    recalled = new_recall_state(MONDAY).recalled(after(waited_days))

    assert recalled.stability_days == pytest.approx(stability_days, rel=1e-3)
    assert recalled.last_seen == after(waited_days)
    assert recalled.recalls == 1


def test_B034_recalls_on_days_2_8_30_and_90_reach_about_120_days() -> None:
    state = new_recall_state(MONDAY)
    strengths, stabilities = [], []
    for day in (2, 8, 30, 90):
        strengths.append(state.strength(after(day)))
        state = state.recalled(after(day))
        stabilities.append(state.stability_days)

    assert strengths == pytest.approx([0.135335, 0.169265, 0.137662, 0.201073], abs=1e-5)
    assert stabilities == pytest.approx([3.3778, 11.0945, 37.4045, 119.584], rel=1e-4)
    assert state.strength(after(150)) == pytest.approx(0.605477, abs=1e-5)
    assert state.recalls == 4


def test_B035_half_of_a_new_memory_is_gone_in_59_888_seconds() -> None:
    assert new_recall_state(MONDAY).seconds_until(0.5) == pytest.approx(59_888, abs=1)


@pytest.mark.parametrize("strength", [0, 1, -0.1, 1.1])
def test_B035_a_strength_that_is_never_reached_is_refused(strength: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        new_recall_state(MONDAY).seconds_until(strength)


def test_B032_stability_ends_at_ten_years_after_seven_lapses() -> None:
    state = new_recall_state(MONDAY)
    for lapse in range(1, 8):
        state = state.recalled(state.last_seen + timedelta(days=20 * state.stability_days))
        assert (state.stability_days == MAX_STABILITY_DAYS) == (lapse == 7)


@given(STATES, TIMES)
def test_R23_strength_stays_between_0_and_1_at_any_time(state: RecallState, now: datetime) -> None:
    assert 0 <= state.strength(now) <= 1
    if now <= state.last_seen:
        assert state.strength(now) == 1


@given(STATES, TIMES)
def test_a_recall_never_weakens_and_never_goes_back_in_time(state: RecallState, now: datetime) -> None:
    recalled = state.recalled(now)

    assert state.stability_days <= recalled.stability_days <= MAX_STABILITY_DAYS
    assert recalled.last_seen == max(now, state.last_seen)
    assert recalled.recalls == state.recalls + 1
    assert recalled.strength(recalled.last_seen) == 1


@given(STATES, st.floats(0.01, 0.99))
def test_strength_falls_to_a_value_when_it_says(state: RecallState, strength: float) -> None:
    seconds = state.seconds_until(strength)

    assert math.exp(-seconds / 86_400 / state.stability_days) == pytest.approx(strength)
