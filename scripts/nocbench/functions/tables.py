"""Tables of flows, and recorded traces."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from nocbench.architectures.files import name_of
from nocbench.flow_tables import report as flow_report
from nocbench.flow_tables.csv_text import csv_text
from nocbench.flow_tables.execution import run_flow_table
from nocbench.flow_tables.table_files import machines_for_flows, read_flow_table
from nocbench.flow_tables.work import work_of
from nocbench.optimising import report as optimising_report
from nocbench.optimising.optimisation import optimise as search
from nocbench.optimising.variations import Variations
from nocbench.points.accuracy import EXACTLY, Accuracy, accuracy_named
from nocbench.points.settings import settings_to_text
from nocbench.programs.execution import CYCLES_MAX
from nocbench.replaying import report as replay_report
from nocbench.replaying.conversion import Pace
from nocbench.replaying.execution import machine_of
from nocbench.replaying.execution import replay as replay_trace
from nocbench.replaying.trace_file import read_traces, trace_files
from nocbench.results.result_files import to_frame
from nocbench.support.errors import InputError
from nocbench.support.extras import needs
from nocbench.support.tables import html_paragraphs, html_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas

    from nocbench.flow_tables.execution import FlowTableRun
    from nocbench.flow_tables.flow_table import FlowTable
    from nocbench.optimising.optimisation import Optimisation
    from nocbench.programs.execution import Machine
    from nocbench.replaying.execution import Replay


class FlowsResult:
    """Run of a table of flows, which a notebook displays as tables."""

    def __init__(self, run: FlowTableRun) -> None:
        """Stores a run."""
        self._run = run

    @property
    def cycles(self) -> float:
        """Cycles from the start of the run to the end of the last flow."""
        return self._run.cycles

    @property
    @needs("pandas")
    def frame(self) -> pandas.DataFrame:
        """Result rows, one per name of flows and NoC, with the columns of results files."""
        return to_frame(self._run.rows)

    @property
    @needs("pandas")
    def flows(self) -> pandas.DataFrame:
        """Flows in the order of the table, with the cycles of their `begin` and `end`."""
        import pandas

        return pandas.DataFrame(flow_report.to_json(self._run)["flows"])

    @property
    def fault(self) -> str:
        """The first fault of the data; empty if all data are right."""
        return self._run.fault

    def _repr_html_(self) -> str:
        return (
            html_paragraphs(flow_report.summary(self._run))
            + html_table(flow_report.GROUP_COLUMNS, flow_report.group_cells(self._run))
            + html_table(
                flow_report.FLOW_COLUMNS, flow_report.last_flow_cells(self._run), title="the flows that end last"
            )
            + html_paragraphs([f"wrong data: {self.fault}"] if self.fault else [])
        )


class Replays(list["Replay"]):
    """Replayed traces, which a notebook displays as a table."""

    @property
    @needs("pandas")
    def frame(self) -> pandas.DataFrame:
        """A row for each trace: recorded and predicted cycles, and the difference."""
        import pandas

        columns = list(replay_report.SUMMARY_COLUMNS)
        return pandas.DataFrame([replay_report.summary_cells(one) for one in self], columns=columns)

    def _repr_html_(self) -> str:
        return html_table(replay_report.SUMMARY_COLUMNS, [replay_report.summary_cells(one) for one in self])


class OptimisedFlows:
    """Result of a search for a faster table, which a notebook displays as tables."""

    def __init__(self, found: Optimisation, vary: Sequence[str]) -> None:
        """Stores the result of a search."""
        self._found = found
        self._vary = vary

    @property
    def cycles(self) -> tuple[float, float]:
        """Exact cycles of the start, and of the best table."""
        return self._found.start.exact.cycles, self._found.best.exact.cycles

    @property
    def changes(self) -> list[str]:
        """Differences of the best table from the start, in words; empty if the start stays."""
        return list(self._found.best.changes)

    @property
    def text(self) -> str:
        """The best table as CSV."""
        return csv_text(self._found.best.table, optimising_report.origin(self._found, self._vary))

    def save(self, path: str | Path) -> None:
        """Writes the best table to a file."""
        from nocbench.support.atomic_files import write_text

        write_text(Path(path), self.text)

    def _repr_html_(self) -> str:
        lines = [optimising_report.summary(self._found, self._vary), *optimising_report.conclusion(self._found)]
        return html_paragraphs(lines) + html_table(
            optimising_report.CANDIDATE_COLUMNS, optimising_report.candidate_cells(self._found)
        )


def flows(
    table: str | Path | pandas.DataFrame,
    *,
    arch: str | Path = "",
    board: str = "",
    settings: Mapping[str, object] | None = None,
    accuracy: str = "exact",
    cycles_max: int = CYCLES_MAX,
) -> FlowsResult:
    """Runs a table of flows.

    >>> import nocbench
    >>> nocbench.flows("examples/flows/reshard.csv", arch="blackhole").cycles

    Args:
        table: file with the table, or a data frame with its columns.
        arch: architecture, or the path of its file; may be left out if the table is for one.
        board: board of the architecture; empty: the default board.
        settings: fields of the board or architecture to change, by path.
        accuracy: "exact", "fast" or "auto".
        cycles_max: limit of the modeled time.

    Raises:
        InputError: mistakes in the table, no machine or several, or flows that cannot run.
    """
    its_table, machine = _read(table, arch, board, settings, accuracy_named(accuracy))
    return FlowsResult(run_flow_table(its_table, machine, cycles_max=cycles_max))


@needs("optimise")
def optimise(
    table: str | Path | pandas.DataFrame,
    *,
    vary: str | Sequence[str],
    within: str = "table",
    each: str = "name",
    arch: str | Path = "",
    board: str = "",
    settings: Mapping[str, object] | None = None,
    runs: int = 300,
    seed: int = 0,
    finalists: int = 3,
    jobs: int | None = None,
) -> OptimisedFlows:
    """Searches for a table of flows that moves the same data in fewer cycles.

    Args:
        table: as for :func:`flows`.
        vary: "placement", "noc", "order", "vc", or several of them.
        within: "table" or "all" for the cores that roles may move to.
        each: "name" or "flow" for what has a NoC and a virtual channel of its own.
        arch: as for :func:`flows`.
        board: likewise.
        settings: likewise.
        runs: most tables that run on the fast model, with the start.
        seed: seed of the search.
        finalists: number of the best tables, which also run on the exact model.
        jobs: number of worker processes; the number of processors by default.

    Raises:
        InputError: as for :func:`flows`, or unknown values.
    """
    from nocbench.optimising.parts import ASPECTS

    wanted = [vary] if isinstance(vary, str) else list(vary)
    for value, what, known in [(each, "each", ("name", "flow")), (within, "within", ("table", "all"))] + [
        (aspect, "vary", ASPECTS) for aspect in wanted
    ]:
        if value not in known:
            raise InputError(f"optimise: {what}: expected {', '.join(known)}, found '{value}'")
    its_table, machine = _read(table, arch, board, settings, EXACTLY)
    variations = Variations(
        its_table, machine.memories().cores, tuple(wanted), each_flow=each == "flow", whole_board=within == "all"
    )
    found = search(its_table, machine, variations, num_runs=runs, num_finalists=finalists, seed=seed, jobs=jobs)
    return OptimisedFlows(found, wanted)


def replay(
    *traces: str | Path,
    arch: str | Path = "",
    board: str = "",
    settings: Mapping[str, object] | None = None,
    accuracy: str = "exact",
    pace: str = "recorded",
    recorded_on: str = "",
    cycles_max: int = CYCLES_MAX,
) -> Replays:
    """Replays NoC event traces of tt-metal's profiler on the model.

    Args:
        *traces: files, each with one or several traces, or folders of them.
        arch: as for :func:`flows`; by default, the chip on which a trace was recorded.
        board: as for :func:`flows`.
        settings: likewise.
        accuracy: likewise.
        pace: "recorded" for calls at the recorded times at the earliest, or "dependencies".
        recorded_on: architecture of the card; found by the places of its cores if empty.
        cycles_max: limit of the modeled time.

    Raises:
        InputError: no such file or machine, or inconsistent events.
    """
    paces = [one.value for one in Pace]
    if pace not in paces:
        raise InputError(f"replay: pace: expected {' or '.join(paces)}, found '{pace}'")
    name, fields, how = name_of(arch), settings_to_text(settings), accuracy_named(accuracy)
    recorded = [trace for path in trace_files(map(Path, traces)) for trace in read_traces(path)]
    return Replays(
        replay_trace(
            trace,
            machine_of(trace, name, board, fields, recorded_on),
            Pace(pace),
            recorded_on=recorded_on,
            cycles_max=cycles_max,
            accuracy=how,
        )
        for trace in recorded
    )


def _read(
    table: str | Path | pandas.DataFrame,
    arch: str | Path,
    board: str,
    settings: Mapping[str, object] | None,
    accuracy: Accuracy,
) -> tuple[FlowTable, Machine]:
    with TemporaryDirectory() as folder:
        if isinstance(table, (str, Path)):
            path = Path(table)
        else:
            path = Path(folder) / "table.csv"
            table.to_csv(path, index=False)
        machines = machines_for_flows(path, name_of(arch), board, settings_to_text(settings))
        if len(machines) > 1:
            chips = " or ".join(machine.arch for machine in machines)
            raise InputError(f"arch: expected the chip to run on, {chips}, found none")
        its_table, machine = read_flow_table(path, machines[0])
    return its_table, machine.at_accuracy(accuracy, partial(work_of, its_table, machine))
