"""Reports: what the gate found, and results, in the forms that people and other programs read.

Each is a pure function of a :class:`nocbench.gate.verdicts.GateReport`, or of result rows. See docs/reports.md.
"""

from nocbench.reports.writing import ARTIFACTS, write_reports

__all__ = ["ARTIFACTS", "write_reports"]
