"""Reports of the gate and of results, for people and for other programs.

Each report is a pure function of a :class:`nocbench.gating.verdicts.GateReport`, or of result rows: docs/reports.md.
"""

from nocbench.reports.writing import ARTIFACTS, write_reports

__all__ = ["ARTIFACTS", "write_reports"]
