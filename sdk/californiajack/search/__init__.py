"""Thinking tools: draw the hidden cards, play a round out, or solve it once nothing is hidden."""

from californiajack.search.playout import Policy, play_on, random_card, simulate
from californiajack.search.solver import Solution, Solver, solve
from californiajack.search.state import State
from californiajack.search.worlds import World, WorldSampler, count_worlds, sample_world

__all__ = [
    "Policy",
    "Solution",
    "Solver",
    "State",
    "World",
    "WorldSampler",
    "count_worlds",
    "play_on",
    "random_card",
    "sample_world",
    "simulate",
    "solve",
]
