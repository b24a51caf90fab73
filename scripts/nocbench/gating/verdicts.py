"""Findings of the gate: a verdict per point, and common features of failing points. All reports are made of them."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.points.catalogue import BUILT_IN, in_use
from nocbench.support.columns import (
    ACCURACY,
    FLOWS_PRIMITIVE,
    HOW_MADE,
    PROGRAM_PRIMITIVE,
    changed_values,
    without_values,
)
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nocbench.support.columns import Row


class Verdict(StrEnum):
    """Verdict on a point."""

    SAME = "same"
    """Unchanged, or changed within the rules."""
    SLOWER = "slower"
    FASTER = "faster"
    OTHER_LIMITER = "other limiter"
    """Same latency, different limiter."""
    NEW = "new"
    """Point only in the head."""
    GONE = "gone"
    """Point only in the base."""
    CRASHED = "crashed"
    """Point without a result in the head."""
    WRONG_DATA = "wrong data"
    """Received bytes differ from the sent ones, or bandwidth exceeds that of the links."""
    INCOMPARABLE = "incomparable"
    """Point on both sides, with different work."""
    UNGATED = "ungated"
    """Point without a rule."""


WORST_FIRST = (
    Verdict.WRONG_DATA,
    Verdict.CRASHED,
    Verdict.GONE,
    Verdict.SLOWER,
    Verdict.OTHER_LIMITER,
    Verdict.INCOMPARABLE,
    Verdict.FASTER,
    Verdict.NEW,
    Verdict.UNGATED,
    Verdict.SAME,
)

METRICS = {"latency_cycles": "lower", "bandwidth_bytes_per_cycle": "higher"}
"""Metrics of rules, with the better direction."""

LIMITER = "limiter"
"""Column with the limiter of a point; rules may forbid a change of limiter."""


class _OwnFile(NamedTuple):
    """A kind of file of the user's own: the command that runs it, and a placeholder for its name."""

    command: str
    placeholder: str


_OWN_FILES = {
    FLOWS_PRIMITIVE: _OwnFile("flows", "TABLE"),
    PROGRAM_PRIMITIVE: _OwnFile("kernel", "PROGRAM.yaml"),
}
"""Kinds of the user's own files, by primitive: result rows contain the primitive, but no file name."""


@dataclass(frozen=True, slots=True)
class Change:
    """One metric of a point in base and head.

    Attributes:
        metric: a key of :data:`METRICS`.
        base: value in the base.
        head: value in the head.
        verdict: same, slower, faster, or ungated.
        rule: deciding rule, with its place, such as "policy.yaml:12", and its limits; empty if ungated.
    """

    metric: str
    base: float
    head: float
    verdict: Verdict
    rule: str = ""

    @property
    def percent(self) -> float:
        """Difference of the head from the base, in percent; positive if the head's value is larger."""
        if self.base == 0:  # bandwidth of a kernel that moves no data
            return 0.0 if self.head == 0 else 100.0
        return 100.0 * (self.head - self.base) / self.base

    @property
    def worse_percent(self) -> float:
        """Change for the worse, in percent; negative if the head is better."""
        return self.percent if METRICS[self.metric] == "lower" else -self.percent


@dataclass(frozen=True, slots=True)
class PointVerdict:
    """Verdict on a point, with its rows in base and head.

    Attributes:
        arch, board, primitive: board and primitive are empty if neither side names them.
        test: published name of the test.
        kernel: label of the row.
        num_transactions, transaction_size_bytes: number and size of transactions.
        params: values that differ from the test's defaults, without those on shortened simulation.
        verdict: the verdict.
        base: row in the base, or None.
        head: row in the head, or None.
        changes: changes of the metrics, if both sides have comparable rows.
        reason: reason for the verdict: why the point is gone, crashed, incomparable or wrong, the missed bound, or the
            limiters of base and head; else empty.
        excuse: waiver or other entry of the policy that lets the point pass, with its reason; empty without one.
        missed_bounds: missed bounds, such as "bandwidth_bytes_per_cycle 12.1, at least 14 (policy.yaml:30)".
    """

    arch: str
    board: str
    primitive: str
    test: str
    kernel: str
    num_transactions: int
    transaction_size_bytes: int
    params: str
    verdict: Verdict
    base: Row | None = None
    head: Row | None = None
    changes: tuple[Change, ...] = ()
    reason: str = ""
    excuse: str = ""
    missed_bounds: tuple[str, ...] = ()

    @classmethod
    def of_row(
        cls,
        row: Row,
        verdict: Verdict,
        *,
        base: Row | None = None,
        head: Row | None = None,
        changes: tuple[Change, ...] = (),
        reason: str = "",
        excuse: str = "",
        missed_bounds: tuple[str, ...] = (),
    ) -> PointVerdict:
        """Makes a verdict on the point of a row from either side; rows measured elsewhere have few columns."""
        return cls(
            arch=str(row["arch"]),
            board=str(row.get("board", "")),
            primitive=str(row.get("primitive", "")),
            test=str(row["test"]),
            kernel=str(row["kernel"]),
            num_transactions=int(row["num_transactions"]),
            transaction_size_bytes=int(row["transaction_size_bytes"]),
            params=without_values(str(row.get("params", "")), HOW_MADE),
            verdict=verdict,
            base=base,
            head=head,
            changes=changes,
            reason=reason,
            excuse=excuse,
            missed_bounds=missed_bounds,
        )

    @property
    def is_changed(self) -> bool:
        """True if base and head differ, even within the rules."""
        if self.verdict in (Verdict.SAME, Verdict.UNGATED):
            return any(change.base != change.head for change in self.changes)
        return True

    @property
    def fails(self) -> bool:
        """True if the gate fails because of this point."""
        if self.missed_bounds:
            return True
        fine = (Verdict.SAME, Verdict.FASTER, Verdict.NEW, Verdict.UNGATED)
        return self.verdict not in fine and not self.excuse

    @property
    def worst_percent(self) -> float:
        """Change of the worst metric in percent; negative if all are better, 0 without comparable metrics."""
        return max((change.worse_percent for change in self.changes), default=0.0)

    @property
    def row(self) -> Row:
        """Row of the head, else row of the base."""
        row = self.head if self.head is not None else self.base
        return row if row is not None else {}

    def describe(self) -> str:
        """Describes the point: "One to One Packet Sizes, Sender, 16 x 1024 B on blackhole (p100)"."""
        where = f"{self.arch} ({self.board})" if self.board else self.arch
        params = f", {self.params}" if self.params else ""
        size = f"{self.num_transactions} x {self.transaction_size_bytes} B"
        return f"{self.test}, {self.kernel}, {size} on {where}{params}"

    def command(self, subcommand: str = "run") -> str:
        """Returns the command line that runs this point alone."""
        folder = in_use().folder
        suite = ["--suite", folder] if folder else []
        if self._file and subcommand == "run":
            subcommand = self._file.command
        return shlex.join(["nocbench", subcommand, *suite, *self.arguments()])

    @property
    def _file(self) -> _OwnFile | None:
        """Kind of the user's file that the point was run from; None for a point of a test."""
        return _OWN_FILES.get(str(self.row.get("primitive"))) if in_use() is BUILT_IN else None

    def arguments(self) -> list[str]:
        """Returns the arguments of a command line that select the point."""
        words = [self._file.placeholder if self._file else self.test, "--arch", self.arch]
        if self.board:
            words += ["--board", self.board]
        axes, settings = self.values()
        for name, value in axes.items():
            words += ["-a", f"{name}={value}"]
        for name, value in settings:
            words += [f"--{name}", value] if name == ACCURACY else ["--set", f"{name}={value}"]
        return words

    def values(self) -> tuple[dict[str, str], list[tuple[str, str]]]:
        """Returns the values that select the point: those of its axes and parameters, and changed fields."""
        axes = {}
        if in_use() is BUILT_IN and not self._file:  # points of suites and files have parameters only
            axes["num_transactions"] = str(self.num_transactions)
            axes["call_size"] = str(self.row.get("call_size_bytes", self.transaction_size_bytes))
        settings = []
        for name, value in changed_values(self.params).items():
            if name == ACCURACY or "." in name:
                settings.append((name, value))
            else:
                axes[name] = value
        return axes, settings

    def order(self) -> tuple[Any, ...]:
        """Returns the sort key: worst points first, then the order of results."""
        return (
            not self.fails,
            WORST_FIRST.index(self.verdict),
            -self.worst_percent,
            *(self.arch, self.row.get("test_id", 0), self.test, self.kernel, self.board, self.params),
            *(self.num_transactions, self.transaction_size_bytes),
        )


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison.

    Attributes:
        label: "base" or "head".
        name: path of the file, or the user's name of the revision, such as "main".
        revision: commit, with "+" for uncommitted changes; empty if unknown.
        subject: first line of the commit's message, or empty.
        is_measured: True for values measured on hardware, which repeat only roughly.
    """

    label: str
    name: str
    revision: str = ""
    subject: str = ""
    is_measured: bool = False


@dataclass(frozen=True, slots=True)
class Coverage:
    """Share of points with rules.

    Attributes:
        gated: number of the head's points that a rule gates.
        points: number of all points of the head.
        base_gated: number of the base's points that the base's rules gated; None if the rules are unknown.
        shortfall: missing number of gated points, in words; empty if enough are gated.
        excuse: reason for which fewer points may be gated; empty without one.
    """

    gated: int
    points: int
    base_gated: int | None = None
    shortfall: str = ""
    excuse: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Failing points with common features.

    Attributes:
        description: common features: "blackhole, all_to_all, up to 4 KiB per call".
        verdict: verdict on all of the points.
        num_points: number of the failing points.
        num_compared: number of all points with these features.
        least_percent: smallest change for the worse, in percent.
        most_percent: largest change for the worse, in percent.
    """

    description: str
    verdict: Verdict
    num_points: int
    num_compared: int
    least_percent: float
    most_percent: float


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The earliest event that differs between the traces of a point in base and head.

    Attributes:
        point: the point, in words.
        cycle: time of the event in cycles from the start, the earlier of both sides.
        where: core and RISC, or the ends of a transaction.
        base: event in the base.
        head: event in the head.
        command: the command line that writes the trace.
    """

    point: str
    cycle: float
    where: str
    base: str
    head: str
    command: str


@dataclass(slots=True)
class GateReport:
    """All findings of the gate.

    Attributes:
        base: the reference side.
        head: the judged side.
        policy: path of the policy; empty for the default policy.
        verdicts: one per point, worst first.
        coverage: share of gated points.
        groups: failing points by common features, worst first.
        unaffected: primitives without changed points, such as "blackhole one_to_one"; empty if no point changed.
        first_difference: first difference of the worst point whose traces differ; None if the sides cannot be run.
        notices: remarks that do not fail the gate: expired or unused waivers, improvements.
        refusals: reasons why the sides cannot be compared; empty if they can.
        accept_command: command line that accepts the head's results as new baseline; empty without one.
        changed_rules: changes of the policy and of the recorded baseline by the judged commit itself.
    """

    base: Side
    head: Side
    policy: str
    verdicts: list[PointVerdict] = field(default_factory=list)
    coverage: Coverage = Coverage(0, 0)
    groups: list[Group] = field(default_factory=list)
    unaffected: list[str] = field(default_factory=list)
    first_difference: FirstDifference | None = None
    notices: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    accept_command: str = ""
    changed_rules: list[str] = field(default_factory=list)

    @property
    def failing(self) -> list[PointVerdict]:
        """Points that make the gate fail, worst first."""
        return [verdict for verdict in self.verdicts if verdict.fails]

    @property
    def changed(self) -> list[PointVerdict]:
        """Points that differ between base and head, worst first."""
        return [verdict for verdict in self.verdicts if verdict.is_changed]

    def count(self, verdict: Verdict) -> int:
        """Returns the number of points with a verdict."""
        return sum(point.verdict == verdict for point in self.verdicts)

    @property
    def exit_status(self) -> ExitStatus:
        """Exit status: regressions outrank missing evidence, and missing evidence outranks incomparable sides."""
        if self.refusals:
            return ExitStatus.NOT_COMPARABLE
        failing = self.failing
        found = {point.verdict for point in failing}
        negative = {Verdict.SLOWER, Verdict.OTHER_LIMITER, Verdict.WRONG_DATA}
        if found & negative or any(point.missed_bounds for point in failing):
            return ExitStatus.NEGATIVE_VERDICT
        is_short = bool(self.coverage.shortfall) and not self.coverage.excuse
        if found & {Verdict.GONE, Verdict.CRASHED} or is_short or not self.verdicts:
            return ExitStatus.INCOMPLETE
        return ExitStatus.NOT_COMPARABLE if Verdict.INCOMPARABLE in found else ExitStatus.FINE

    @property
    def headline(self) -> str:
        """Result in one line: "FAIL: 2 of 1480 points slower; ..."."""
        return f"{self.outcome}: {self.counts_in_words()}"

    @property
    def outcome(self) -> str:
        """Outcome: PASS, FAIL, INCOMPLETE or REFUSED."""
        return {
            ExitStatus.FINE: "PASS",
            ExitStatus.NEGATIVE_VERDICT: "FAIL",
            ExitStatus.INCOMPLETE: "INCOMPLETE",
            ExitStatus.NOT_COMPARABLE: "REFUSED",
        }[self.exit_status]

    def counts_in_words(self) -> str:
        """Returns the number of points per verdict, worst first, and the number of gated points, as text."""
        if self.refusals:
            return "; ".join(self.refusals)
        parts = [f"{self.count(verdict)} {verdict}" for verdict in WORST_FIRST if self.count(verdict)]
        let_through = sum(point.is_changed for point in self.verdicts if point.verdict == Verdict.SAME)
        if let_through:
            parts.append(f"{let_through} changed within their rules")
        excused = sum(bool(point.excuse) for point in self.verdicts)
        if excused:
            parts.append(f"{excused} excused")
        missed = sum(bool(point.missed_bounds) for point in self.verdicts)
        if missed:
            parts.append(f"{missed} beyond a bound")
        covered = f"{self.coverage.gated} of {self.coverage.points} points gated"
        return f"{', '.join(parts) or 'no points'}; {covered}"

    def to_json(self) -> dict[str, Any]:
        """Returns the report as JSON values, for :meth:`from_json`."""
        document = asdict(self)
        document |= {"outcome": self.outcome, "exit_status": int(self.exit_status), "headline": self.headline}
        return document

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> GateReport:
        """Returns the report with the JSON values of :meth:`to_json`."""
        difference = document["first_difference"]
        return GateReport(
            base=Side(**document["base"]),
            head=Side(**document["head"]),
            policy=document["policy"],
            verdicts=[_point_from_json(point) for point in document["verdicts"]],
            coverage=Coverage(**document["coverage"]),
            groups=[Group(**group | {"verdict": Verdict(group["verdict"])}) for group in document["groups"]],
            unaffected=list(document["unaffected"]),
            first_difference=None if difference is None else FirstDifference(**difference),
            notices=list(document["notices"]),
            refusals=list(document["refusals"]),
            accept_command=document["accept_command"],
            changed_rules=list(document["changed_rules"]),
        )


def _point_from_json(point: Mapping[str, Any]) -> PointVerdict:
    changes = (Change(**change | {"verdict": Verdict(change["verdict"])}) for change in point["changes"])
    return PointVerdict(
        **{
            **point,
            "verdict": Verdict(point["verdict"]),
            "changes": tuple(changes),
            "missed_bounds": tuple(point["missed_bounds"]),
        }
    )
