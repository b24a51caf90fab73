"""Results of Epiphany, by the parts of its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.published.transfers import curves_of, megabytes_per_second, transfers_of, with_parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

    from nocbench.architectures.description import Architecture
    from nocbench.pages.sections import Section
    from nocbench.published.transfers import Curves, Transfer

BY_CORE = "Block Copies by Core"
BY_ACTIVE_CORES = "Block Copies by Active Cores"
BY_WIDTH = "Block Copies by Width"
LOADS = "Remote Load Latency"
TRAFFIC = "Mesh Traffic"

_PARAMETERS = {
    BY_CORE: ("target", "direction", "executor"),
    BY_ACTIVE_CORES: ("direction", "executor", "active"),
    BY_WIDTH: ("target", "direction", "element_bytes"),
    LOADS: ("source", "target"),
    TRAFFIC: ("pattern", "executor"),
}


@dataclass(frozen=True, eq=False)
class Runs:
    """Results of a page.

    Attributes:
        architecture: the architecture.
        curves: transfers of its default board without settings.
        variants: transfers of other boards or with settings, by board and settings.
        others: result rows of other tests by name, of the default board without settings, with columns for parameters
            and `megabytes_per_second`; only tests with results.
    """

    architecture: Architecture
    curves: Curves
    variants: dict[tuple[str, str], Curves]
    others: dict[str, pandas.DataFrame]

    @classmethod
    def of(cls, sections: Sequence[Section]) -> Runs:
        """Returns the results in the sections of one architecture."""
        import pandas

        architecture = sections[0].architecture
        board = architecture.default_board
        transfers = transfers_of(pandas.concat([section.results for section in sections], ignore_index=True))
        is_default = (transfers["settings"] == "") & transfers["board"].isin([board, ""])
        variants = {
            (str(key[0]), str(key[1])): curves_of(rows)
            for key, rows in transfers[~is_default].groupby(["board", "settings"], sort=False)
        }
        others = {}
        for name, parameters in _PARAMETERS.items():
            found = [
                section.results
                for section in sections
                if section.test == name and not section.params and section.board in (board, "")
            ]
            if found:
                rows = with_parameters(found[0], parameters)
                others[name] = rows.assign(megabytes_per_second=megabytes_per_second(rows))
        return cls(architecture, curves_of(transfers[is_default]), variants, others)

    @property
    def arch(self) -> str:
        """Name of the architecture."""
        return self.architecture.name

    @property
    def board(self) -> str:
        """Its default board."""
        return self.architecture.default_board

    def curve(self, transfer: Transfer) -> pandas.DataFrame:
        """Returns the rows of a transfer without settings, by size; empty if the transfer was not run."""
        import pandas

        rows = self.curves.get(transfer)
        columns = ["size_bytes", "latency_cycles", "megabytes_per_second"]
        return pandas.DataFrame(columns=columns, dtype=float) if rows is None else rows

    def other(self, test: str) -> pandas.DataFrame | None:
        """Returns the rows of another test; None without results."""
        return self.others.get(test)
