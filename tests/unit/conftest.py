"""Property tests without a deadline: how long one example takes on a shared machine says nothing."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("graphmem", deadline=None)
settings.load_profile("graphmem")
