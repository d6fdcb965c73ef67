"""What all tests share: where nothing may be left out, a skipped test fails."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turns a skip into a failure where CALJACK_SKIP_NOTHING is set."""
    report = yield
    if report.skipped and os.environ.get("CALJACK_SKIP_NOTHING"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and nothing may be: {report.longrepr}"
    return report
