"""Settings of the SDK's tests."""

from __future__ import annotations

from hypothesis import settings

# a busy machine is no failure, so no example has a deadline; each test has pytest's
settings.register_profile("californiajack", deadline=None)
settings.load_profile("californiajack")
