"""The sample bots, as every test here meets them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from californiajack import FollowRule, Ruleset, Scoring

RULESETS = [
    Ruleset(scoring=scoring, follow=follow) for scoring, follow in product(Scoring, FollowRule)
]


@pytest.fixture(scope="session")
def sample_bots() -> Path:
    """The folder with a folder a bot."""
    return Path(__file__).parents[2] / "sample_bots"


@pytest.fixture(params=RULESETS, ids=lambda rules: f"{rules.scoring}-{rules.follow}")
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    """Each combination of scoring and follow rule."""
    rules = request.param
    assert isinstance(rules, Ruleset)
    return rules
