"""The findings of the gate: a verdict per point, and features that failing points share. Reports need nothing else."""

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
    """Unchanged, or changed within its rules."""
    SLOWER = "slower"
    FASTER = "faster"
    OTHER_LIMITER = "other limiter"
    """Same latency, other limiter."""
    NEW = "new"
    """In the head only."""
    GONE = "gone"
    """In the base only."""
    CRASHED = "crashed"
    """No result in the head."""
    WRONG_DATA = "wrong data"
    """Other bytes arrived than were sent, or more bandwidth than links carry."""
    INCOMPARABLE = "incomparable"
    """In both, but not the same work."""
    UNGATED = "ungated"
    """No rule applies to it."""


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
"""Metrics of rules, and which way is better."""

LIMITER = "limiter"
"""Limiter of a point, for rules that forbid a change of it."""


class _OwnFile(NamedTuple):
    """A file of the user's own that points are run from: the command for it, and a placeholder for its name."""

    command: str
    placeholder: str


_OWN_FILES = {
    FLOWS_PRIMITIVE: _OwnFile("flows", "TABLE"),
    PROGRAM_PRIMITIVE: _OwnFile("kernel", "PROGRAM.yaml"),
}
"""Kinds of the user's own files, by primitive. A result row names no file, but its primitive tells the kind."""


@dataclass(frozen=True, slots=True)
class Change:
    """One metric of a point in base and head.

    Attributes:
        metric: a key of :data:`METRICS`.
        base: its value in the base.
        head: its value in the head.
        verdict: same, slower, faster, or ungated.
        rule: the deciding rule, with its place, "policy.yaml:12", and its limits; empty if ungated.
    """

    metric: str
    base: float
    head: float
    verdict: Verdict
    rule: str = ""

    @property
    def percent(self) -> float:
        """Difference of the head from the base, in percent; above 0 where the head's number is larger."""
        if self.base == 0:  # the bandwidth of a kernel that moves nothing
            return 0.0 if self.head == 0 else 100.0
        return 100.0 * (self.head - self.base) / self.base

    @property
    def worse_percent(self) -> float:
        """Change for the worse, in percent; below 0 where the head is better."""
        return self.percent if METRICS[self.metric] == "lower" else -self.percent


@dataclass(frozen=True, slots=True)
class PointVerdict:
    """A point in base and head.

    Attributes:
        arch: architecture.
        board: board; empty if neither side names it.
        primitive: primitive; empty if neither side names it.
        test: published name of the test.
        kernel: label of the row.
        num_transactions: transactions.
        transaction_size_bytes: bytes of each.
        params: values that differ from the test's defaults, without those about shortening.
        verdict: verdict on it.
        base: its row there, or None.
        head: its row there, or None.
        changes: the metrics, if both sides have it and are comparable.
        reason: why it is gone, crashed, incomparable or wrong; the missed bound; or the limiters of base and head; as
            the verdict requires, else empty.
        excuse: the waiver or the entry of the policy that lets it pass, with its reason; empty if none.
        missed_bounds: each "bandwidth_bytes_per_cycle 12.1, at least 14 (policy.yaml:30)".
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
        """Makes the verdict on the point of either side's row; rows measured elsewhere have few columns."""
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
        """True if base and head differ at all, even within the rules."""
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
        """Change of the worst metric, in percent; below 0 if all are better, 0 if none can be compared."""
        return max((change.worse_percent for change in self.changes), default=0.0)

    @property
    def row(self) -> Row:
        """The head's row, else the base's."""
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
        """Kind of file that the point was run from; None for a point of a test."""
        return _OWN_FILES.get(str(self.row.get("primitive"))) if in_use() is BUILT_IN else None

    def arguments(self) -> list[str]:
        """Returns the arguments of that command line that select the point."""
        words = [self._file.placeholder if self._file else self.test, "--arch", self.arch]
        if self.board:
            words += ["--board", self.board]
        if in_use() is BUILT_IN and not self._file:  # other tests have parameters only
            words += ["-a", f"num_transactions={self.num_transactions}"]
            words += ["-a", f"call_size={self.row.get('call_size_bytes', self.transaction_size_bytes)}"]
        for name, value in changed_values(self.params).items():
            if name == ACCURACY:
                words += [f"--{name}", value]
            else:
                words += ["--set" if "." in name else "-a", f"{name}={value}"]
        return words

    def order(self) -> tuple[Any, ...]:
        """Returns the sort key: worst first, then the order of results."""
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
        name: a file, or the revision as named by the user: "main".
        revision: the commit, with "+" if it was changed; empty if unknown.
        subject: first line of the commit's message, or empty.
        is_measured: True for numbers that were measured on hardware, and so repeat only roughly.
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
        gated: points of the head that a rule gates.
        points: all points of the head.
        base_gated: points of the base that the base's own rules gated; None if these are not known.
        shortfall: missing number of gated points, in words; empty if enough are gated.
        excuse: reason why fewer may be gated; empty if they may not.
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
        description: the features, in words: "blackhole, all_to_all, up to 4 KiB per call".
        verdict: their common verdict.
        num_points: number of the failing points.
        num_compared: number of all points with these features.
        least_percent: change for the worse of the least bad of them.
        most_percent: change for the worse of the worst of them.
    """

    description: str
    verdict: Verdict
    num_points: int
    num_compared: int
    least_percent: float
    most_percent: float


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first event that differs between the traces of a point in base and head.

    Attributes:
        point: the point, in words.
        cycle: its time in cycles from the start: the earlier one of both sides.
        where: the core and RISC, or the ends of a transaction.
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
        policy: the file of the rules; empty for the default rules.
        verdicts: one per point, worst first.
        coverage: share of gated points.
        groups: failing points by common features, worst first.
        unaffected: primitives, as "blackhole one_to_one", without changed points, if others have some.
        first_difference: first difference of the worst point whose traces differ, if both sides can be run.
        notices: remarks that fail nothing: expired or unused waivers, improvements.
        refusals: reasons why the sides cannot be compared at all; empty if they can.
        accept_command: the command line that takes the head's results as the new baseline; empty if there is none.
        changed_rules: effects of the change on the policy and on the recorded baseline that judge it.
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
        """The points that make the gate fail, worst first."""
        return [verdict for verdict in self.verdicts if verdict.fails]

    @property
    def changed(self) -> list[PointVerdict]:
        """The points that differ at all, worst first."""
        return [verdict for verdict in self.verdicts if verdict.is_changed]

    def count(self, verdict: Verdict) -> int:
        """Returns the number of points with a verdict."""
        return sum(point.verdict == verdict for point in self.verdicts)

    @property
    def exit_status(self) -> ExitStatus:
        """Exit status; regressions outrank missing evidence, which outranks incomparable sides."""
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
        """The result in one line: "FAIL: 2 of 1480 points slower; ..."."""
        return f"{self.outcome}: {self.counts_in_words()}"

    @property
    def outcome(self) -> str:
        """PASS, FAIL, INCOMPLETE or REFUSED."""
        return {
            ExitStatus.FINE: "PASS",
            ExitStatus.NEGATIVE_VERDICT: "FAIL",
            ExitStatus.INCOMPLETE: "INCOMPLETE",
            ExitStatus.NOT_COMPARABLE: "REFUSED",
        }[self.exit_status]

    def counts_in_words(self) -> str:
        """Returns the number of points per verdict, worst first, and of gated points, as text."""
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
        """Returns everything as JSON values, for :meth:`from_json`."""
        document = asdict(self)
        document |= {"outcome": self.outcome, "exit_status": int(self.exit_status), "headline": self.headline}
        return document

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> GateReport:
        """Reads the values that :meth:`to_json` returned."""
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
