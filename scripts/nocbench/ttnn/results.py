"""Results of operations: cycles, result rows, and the limiter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.checks.allowances import judged
from nocbench.programs.report import describe
from nocbench.support.extras import needs

if TYPE_CHECKING:
    from collections.abc import Collection

    import pandas

    from nocbench.checks.findings import Finding
    from nocbench.host.running import EnqueuedProgram
    from nocbench.programs.execution import CheckedProgram


class OpRun:
    """Result of an operation on a modeled chip."""

    def __init__(self, program: EnqueuedProgram, checked: CheckedProgram, checks: Collection[str]) -> None:
        """Stores a run, with what the checks have found."""
        self._program = program
        self.findings: list[Finding] = judged([checked], checks)[0]

    @property
    def cycles(self) -> int:
        """Cycles from the start of the first kernel to the last event."""
        return int(self._program.result["elapsed_cycles"])

    @property
    @needs("pandas")
    def rows(self) -> pandas.DataFrame:
        """Result rows, one per kernel, with the columns of results files. Latencies are in cycles."""
        from nocbench.results.result_files import to_frame

        return to_frame(self._program.rows)

    @property
    def limiter(self) -> str:
        """The limiter of the kernel that took the most cycles."""
        return str(max(self._program.rows, key=lambda row: row["latency_cycles"])["limiter"])

    @property
    def warnings(self) -> list[str]:
        """Lines of kernels that the device may run, and that are likely to be mistakes."""
        return self._program.warnings

    def __str__(self) -> str:
        """Returns a description of each kernel: time, waits, cycles by source line, and output."""
        return "\n".join([f"{self.cycles:,} cycles", *describe(self._program)])
