"""Whether all can be paired: a matching in a graph. Pure.

By blossoms: Edmonds, "Paths, trees, and flowers", Canadian Journal of Mathematics 17 (1965), pages
449-467. A search for an augmenting path from each vertex that has no mate, in which an odd cycle is
shrunk to its base.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOBODY = -1


def can_all_be_paired(neighbours: Sequence[Sequence[int]]) -> bool:
    """Tells whether each vertex can get a neighbour of its own for its mate.

    Args:
        neighbours: the neighbours of each vertex, by number; who is whose neighbour goes both ways.
    """
    mates = [_NOBODY] * len(neighbours)
    return all(
        mates[vertex] != _NOBODY or _Search(neighbours, mates).augment(vertex)
        for vertex in range(len(neighbours))
    )


class _Search:
    """A search for an augmenting path.

    Args:
        neighbours: the graph.
        mates: the mate of each vertex; is changed when a path is found.
    """

    def __init__(self, neighbours: Sequence[Sequence[int]], mates: list[int]) -> None:
        size = len(neighbours)
        self._neighbours = neighbours
        self._mates = mates
        self._parents = [_NOBODY] * size
        self._bases = list(range(size))
        self._outer = [False] * size
        self._queue: deque[int] = deque()

    def augment(self, root: int) -> bool:
        """Gives the root a mate, with all others that had one keeping one; tells whether it can."""
        self._outer[root] = True
        self._queue.append(root)
        while self._queue:
            end = self._grow(self._queue.popleft(), root)
            if end != _NOBODY:
                self._turn_over(end)
                return True
        return False

    def _grow(self, vertex: int, root: int) -> int:
        """Looks at the neighbours of an outer vertex; gives the end of a path if one is found."""
        for other in self._neighbours[vertex]:
            if self._bases[vertex] == self._bases[other] or self._mates[vertex] == other:
                continue
            mate = self._mates[other]
            if other == root or (mate != _NOBODY and self._parents[mate] != _NOBODY):
                self._shrink(vertex, other)
            elif self._parents[other] == _NOBODY:
                self._parents[other] = vertex
                if mate == _NOBODY:
                    return other
                self._outer[mate] = True
                self._queue.append(mate)
        return _NOBODY

    def _shrink(self, one: int, two: int) -> None:
        """Makes one vertex of the odd cycle that an edge between two outer vertices closes."""
        base = self._common_base(one, two)
        inside: set[int] = set()
        self._mark(one, base, two, inside)
        self._mark(two, base, one, inside)
        for vertex, its_base in enumerate(self._bases):
            if its_base in inside:
                self._bases[vertex] = base
                if not self._outer[vertex]:
                    self._outer[vertex] = True
                    self._queue.append(vertex)

    def _common_base(self, one: int, two: int) -> int:
        seen: set[int] = set()
        vertex = one
        while True:
            vertex = self._bases[vertex]
            seen.add(vertex)
            if self._mates[vertex] == _NOBODY:
                break
            vertex = self._parents[self._mates[vertex]]
        vertex = self._bases[two]
        while vertex not in seen:
            vertex = self._bases[self._parents[self._mates[vertex]]]
        return vertex

    def _mark(self, vertex: int, base: int, child: int, inside: set[int]) -> None:
        while self._bases[vertex] != base:
            mate = self._mates[vertex]
            inside |= {self._bases[vertex], self._bases[mate]}
            self._parents[vertex] = child
            child = mate
            vertex = self._parents[mate]

    def _turn_over(self, end: int) -> None:
        """Exchanges the edges of a path that are in the matching for those that aren't."""
        while end != _NOBODY:
            before = self._parents[end]
            onward = self._mates[before]
            self._mates[end], self._mates[before] = before, end
            end = onward
