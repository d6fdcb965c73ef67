"""Plays any legal card: the shortest bot there is."""

from californiajack import Bot, Card, View, run


class Random(Bot):
    """Plays any legal card."""

    def choose(self, view: View) -> Card:
        """Picks one with the game's own random generator."""
        return self.rng.choice(view.legal)


if __name__ == "__main__":
    run(Random)
