"""Search for a faster table, by the evolutionary algorithm (mu + lambda) of DEAP."""

from __future__ import annotations

import importlib
import math
import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nocbench.flow_tables.flow_table import Flow, FlowTable
    from nocbench.optimising.measuring import Score
    from nocbench.optimising.variations import Genes, Variations

_NUM_CHILDREN_MAX = 20
"""Maximum number of children in a generation, which run at the same time.

Fixed, so that results do not depend on the number of processes.
"""
_NUM_GENERATIONS_MIN = 4
"""Minimum number of generations: with few runs, generations have fewer children."""
_NUM_PARENTS = 6
_CROSSOVERS = 0.3
"""Share of children with two parents."""
_ANOTHER_CHANGE = 0.5
"""Probability of another change after a change."""
_TRIES = 20
"""Maximum number of draws for a table that is possible and new."""
_IMPOSSIBLE = (math.inf, math.inf)


class Search:
    """Search over tables.

    Attributes:
        scores: score of each table, by its flows, in the order of trial; None for a table that could not be run.
    """

    def __init__(
        self, variations: Variations, evaluate: Callable[[Sequence[FlowTable]], Sequence[Score | None]]
    ) -> None:
        """Starts without tables. `evaluate` returns the scores of tables."""
        self.scores: dict[tuple[Flow, ...], Score | None] = {}
        self._genes: dict[tuple[Flow, ...], Genes] = {}
        self._variations = variations
        self._evaluate = evaluate
        self._by_aspect: dict[str, list[int]] = {}
        for number, part in enumerate(variations.parts):
            self._by_aspect.setdefault(part.aspect, []).append(number)
        self._drawn: set[tuple[Flow, ...]] = set()
        # DEAP has no type annotations.
        self._tools: Any = importlib.import_module("deap.tools")

    def run(self, num_runs: int, seed: int) -> None:
        """Tries `num_runs` tables, the start first, or fewer if no more are found.

        The same seed gives the same tables. `num_runs` is at least 2.
        """
        state = random.getstate()  # DEAP draws from the module's generator
        random.seed(seed)
        try:
            self._run(num_runs)
        finally:
            random.setstate(state)

    def best(self, count: int) -> list[Genes]:
        """Returns the genes of the best tables, without the start.

        Of tables with equal scores, the first is ranked by its score. All others come last, since tables with equal
        scores often behave alike in the exact model.
        """
        seen: set[Score | None] = set()
        ranked = []
        for number, (flows, score) in enumerate(self.scores.items()):
            if number and score is not None:
                ranked.append((score in seen, score, number, flows))
            seen.add(score)
        return [self._genes[flows] for *_, flows in sorted(ranked)[:count]]

    def cycles(self, table: FlowTable) -> float | None:
        """Returns the cycles of a tried table; None if the table could not be run."""
        score = self.scores[tuple(table.flows)]
        return None if score is None else score.cycles

    def _run(self, num_runs: int) -> None:
        base: Any = importlib.import_module("deap.base")
        algorithms: Any = importlib.import_module("deap.algorithms")
        fitness = type("Fitness", (base.Fitness,), {"weights": (-1.0, -1.0)})

        class Individual(list[list[int]]):
            """Genes of a table, with their score."""

            def __init__(self, genes: Genes) -> None:
                super().__init__(genes)
                self.fitness = fitness()

        toolbox = base.Toolbox()
        toolbox.register("map", self._map)
        toolbox.register("evaluate", list)  # unused: `_map` evaluates
        toolbox.register("mate", self._mate)
        toolbox.register("mutate", self._mutate)
        toolbox.register("select", self._tools.selBest)
        num_children = max(1, min(_NUM_CHILDREN_MAX, num_runs // _NUM_GENERATIONS_MIN))
        num_first = max(2, num_children + num_runs % num_children)
        start = self._variations.start
        self._fresh(start, lambda _: None)  # marks the start as drawn
        population = [Individual(start)]
        while len(population) < num_first:
            draw = self._randomise if len(population) % 2 else self._change
            population.append(Individual(self._fresh(start, draw)))
        algorithms.eaMuPlusLambda(
            population,
            toolbox,
            mu=_NUM_PARENTS,
            lambda_=num_children,
            cxpb=_CROSSOVERS,
            mutpb=1 - _CROSSOVERS,
            ngen=(num_runs - num_first) // num_children,
            verbose=False,
        )

    def _map(self, _evaluate: object, individuals: Sequence[Genes]) -> list[tuple[float, float]]:
        """Returns the scores of tables. Runs all new tables at once."""
        tables = [self._variations.table(genes) for genes in individuals]
        new = {}
        for table, genes in zip(tables, individuals, strict=True):
            if table is not None and (flows := tuple(table.flows)) not in self.scores and flows not in new:
                new[flows] = table
                self._genes[flows] = [list(of_part) for of_part in genes]
        if new:
            self.scores.update(zip(new, self._evaluate(list(new.values())), strict=True))
        scores = [None if table is None else self.scores[tuple(table.flows)] for table in tables]
        return [_IMPOSSIBLE if score is None else score for score in scores]

    def _fresh(self, genes: Genes, draw: Callable[[Genes], None]) -> Genes:
        """Returns the genes of a possible table that was not drawn before; the given genes if no draw finds one."""
        for _ in range(_TRIES):
            drawn = [list(of_part) for of_part in genes]
            draw(drawn)
            table = self._variations.table(drawn)
            if table is not None and (flows := tuple(table.flows)) not in self._drawn:
                self._drawn.add(flows)
                return drawn
        return [list(of_part) for of_part in genes]

    def _mutate(self, individual: Genes) -> tuple[Genes]:
        individual[:] = self._fresh(individual, self._change)
        return (individual,)

    def _mate(self, individual: Genes, other: Genes) -> tuple[Genes, Genes]:
        def cross(genes: Genes) -> None:
            partner = [list(of_part) for of_part in other]
            for number, part in enumerate(self._variations.parts):
                if part.choices is not None:
                    self._tools.cxUniform(genes[number], partner[number], 1 / 2)
                elif (how := random.randrange(3)) == 0:  # noqa: S311 - not for cryptography
                    genes[number] = partner[number]
                elif how == 1:
                    self._tools.cxPartialyMatched(genes[number], partner[number])
            if random.random() < 1 / 2:  # noqa: S311 - not for cryptography
                self._change(genes)  # else children of similar parents would rarely be new

        individual[:] = self._fresh(individual, cross)
        return individual, other

    def _change(self, genes: Genes) -> None:
        """Changes about one gene of one part, sometimes more."""
        while True:
            number = random.choice(self._by_aspect[random.choice(list(self._by_aspect))])  # noqa: S311 - no secret
            self._shuffle(number, genes[number], 1 / len(genes[number]))
            if random.random() > _ANOTHER_CHANGE:  # noqa: S311 - not for cryptography
                return

    def _randomise(self, genes: Genes) -> None:
        """Changes about half of the parts."""
        for number, of_part in enumerate(genes):
            if random.random() < 1 / 2:  # noqa: S311 - not for cryptography
                self._shuffle(number, of_part, 1 / 2)

    def _shuffle(self, number: int, genes: list[int], probability: float) -> None:
        """Redraws each gene of a part with the given probability."""
        choices = self._variations.parts[number].choices
        if choices is None:
            self._tools.mutShuffleIndexes(genes, probability)
        else:
            self._tools.mutUniformInt(genes, *choices, probability)
