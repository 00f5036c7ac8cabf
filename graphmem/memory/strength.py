"""How strong a memory is at a given moment.

Pure arithmetic on numbers that the store keeps: no clock, no database. Signal strength is computed when it is
read and never stored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime

INITIAL_STABILITY_DAYS = 1.0
"""Days. The stability of what was just written; source: Embornal."""

SPACING_GAIN = 2.75
"""Unitless. A recall at strength 0 multiplies stability by 1 + gain.

Calibrated so that recalls on days 2, 8, 30 and 90 reach about 120 days; source: Embornal.
"""

MAX_STABILITY_DAYS = 3_650.0
"""Days. What recalls can reach at most; source: Embornal."""

SECONDS_A_DAY = 86_400


@dataclass(frozen=True, slots=True)
class RecallState:
    """What is stored about the recalls of one memory.

    Attributes:
        stability_days: Time constant of forgetting, in days; greater than 0.
        last_seen: Last recall, or the writing; timezone-aware UTC.
        recalls: Recalls so far; 0 or more.
    """

    stability_days: float
    last_seen: datetime
    recalls: int = 0

    def strength(self, now: datetime) -> float:
        """Signal strength at ``now``, 0 to 1: ``exp(-elapsed days / stability)``; 1 right after a recall.

        A ``now`` before ``last_seen`` counts as ``last_seen``: clocks differ.
        """
        days = max(0.0, (now - self.last_seen).total_seconds() / SECONDS_A_DAY)
        return math.exp(-days / self.stability_days)

    def recalled(self, now: datetime) -> RecallState:
        """The state after a recall; a late recall adds more stability than an early one."""
        gain = 1 + SPACING_GAIN * (1 - self.strength(now))
        stability = min(self.stability_days * gain, MAX_STABILITY_DAYS)
        return RecallState(stability, max(now, self.last_seen), self.recalls + 1)

    def seconds_until(self, strength: float) -> float:
        """Seconds from ``last_seen`` until the strength has fallen to ``strength``.

        Raises:
            ValueError: ``strength`` is not between 0 and 1, both excluded.
        """
        if not 0 < strength < 1:
            raise ValueError(f"a strength between 0 and 1, not {strength}")
        return -math.log(strength) * self.stability_days * SECONDS_A_DAY


def new_recall_state(written_at: datetime) -> RecallState:
    """The state of what was written at this time and never recalled."""
    return RecallState(INITIAL_STABILITY_DAYS, written_at)
