"""The examples of the page on strategy run, from the first to the last."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "strategy.md"


def test_the_examples_of_the_strategy_page_run() -> None:
    """Run one after the other, as a reader types them, all examples do what they assert."""
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) > 4
    names: dict[str, object] = {}
    for number, example in enumerate(examples):
        exec(compile(example, f"example {number}", "exec"), names)  # noqa: S102 - our own page
    assert "solution" in names
