"""Times of Etherbone cycles, from results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.published.transfers import with_parameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas

TIMESTAMPS = "Timestamps"
LATCH_UNIT = "Latch Unit"
SPACING = "Spacing"
DRIVER_DESIGNS = "Driver Designs"
OPERATIONS = "Operations per Cycle"
NETWORK = "Switches and Fibre"
SLOW_SLAVE = "Slow Slave"
WINDOWS = "Measuring Windows"

BLOCKING = "blocking"
PIPELINED = "pipelined"
CONVENIENCE = "convenience"

TIMESTAMP_BYTES = 8
CYCLES = 90
"""Number of cycles in a published measurement of timestamps."""

_PARAMETERS = ("method", "design", "checked", "switches", "metres", "acknowledge_cycles", "window")


class CycleTimes:
    """Results of hosts without settings, on the default boards of their tests.

    Attributes:
        arch: architecture.
    """

    def __init__(self, arch: str, results: Mapping[str, pandas.DataFrame]) -> None:
        """Stores the rows of each test."""
        self.arch = arch
        self._rows: dict[str, pandas.DataFrame] = {}
        for test, of_test in results.items():
            rows = with_parameters(of_test, _PARAMETERS)
            self._rows[test] = rows.assign(
                microseconds=rows["latency_cycles"] * 1e6 / rows["clock_hz"],
                timestamps=rows["transaction_size_bytes"] // TIMESTAMP_BYTES,
            )

    def of(self, test: str, **parameters: str) -> pandas.DataFrame:
        """Returns the rows of a test with the given parameters, sorted by cycles per run, then by timestamps per cycle.

        Returns:
            Result rows with two more columns: `microseconds`, the total time of all cycles, and `timestamps`, the
            number per cycle.
        """
        import pandas

        rows = self._rows.get(test)
        if rows is None:
            return pandas.DataFrame(
                columns=["microseconds", "timestamps", "num_transactions", *_PARAMETERS], dtype=float
            )
        for name, value in parameters.items():
            rows = rows[rows[name].astype(str) == value]
        return rows.sort_values(["num_transactions", "timestamps"], kind="stable")

    def per_timestamp(self, test: str, **parameters: str) -> dict[int, float]:
        """Returns microseconds per timestamp, by timestamps in a cycle."""
        rows = self.of(test, **parameters)
        return {
            int(number): float(time) / (int(number) * int(cycles))
            for number, time, cycles in zip(
                rows["timestamps"], rows["microseconds"], rows["num_transactions"], strict=True
            )
        }

    def per_cycle(self, test: str) -> dict[int, float]:
        """Returns microseconds per cycle of the latch unit, by cycles per run, without the setup before the first."""
        rows = self.of(test)
        if "kernel" in rows.columns:
            rows = rows[rows["kernel"] == "Host"]
        return {
            int(cycles): float(time) / int(cycles)
            for cycles, time in zip(rows["num_transactions"], rows["microseconds"], strict=True)
        }
