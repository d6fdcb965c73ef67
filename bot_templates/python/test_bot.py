"""Tests of the bot: run `python -m unittest` in this folder."""

import unittest

from bot import MyBot

from californiajack.local import play_match
from californiajack.testing import AnyCard, check_bot


class TestMyBot(unittest.TestCase):
    """What the bot has to keep to, whatever else you change."""

    def test_it_plays_by_the_rules(self) -> None:
        """It plays 20 games of every ruleset to their end, with legal cards only."""
        report = check_bot(MyBot, games=20)
        self.assertTrue(report.passed, f"\n{report}")

    def test_it_beats_chance(self) -> None:
        """It wins most games against a bot that plays any legal card."""
        result = play_match(MyBot, AnyCard, pairs=20, seed=bytes(16))
        self.assertGreater(result.wins[0], result.wins[1])


if __name__ == "__main__":
    unittest.main()
