"""The data-movement suite in a checkout of tt-metal: its sources, names, bounds and results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nocbench.host.building import HostRequest
from nocbench.host.profiler import measurements_of, write_reports
from nocbench.points.own_run import TEST_ID
from nocbench.results.upstream_tests import LOOPBACK_SUFFIXES, upstream_tests
from nocbench.support.columns import POINT_KEY
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    import pandas

    from nocbench.host.gtests import GtestRun
    from nocbench.host.profiler import Measurement
    from nocbench.host.running import HostRun
    from nocbench.programs.execution import Machine

_FOLDER = "tests/tt_metal/tt_metal/data_movement"
_TOLERANCE = 0.05
"""Share of a bound that a bandwidth may lack, as in the suite."""


@dataclass(frozen=True, slots=True)
class Suite:
    """The data-movement suite of a checkout.

    Attributes:
        request: its sources, to compile.
        names: names of tests by id.
        bounds: least bandwidths in bytes per cycle, by name of the test, architecture and RISC ("riscv_0").
    """

    request: HostRequest
    names: Mapping[int, str]
    bounds: Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]]


@dataclass(slots=True)
class TestOutcome:
    """Outcome of a test of the suite.

    Attributes:
        test_id, name: as in the suite.
        gtests: number of gtests that have run it, by outcome.
        points: number of measured programs and RISCs.
        least_of_bound: least bandwidth, as a share of the bound of its RISC; None without a bound.
        silicon: number of published points that were met.
        median_error_percent: error of the latency at these, in the median; None without any.
        other_board: board of the published points, if it is another one; otherwise empty.
        not_compared: reason for which its report cannot be compared with published measurements; empty if it can.
    """

    test_id: int
    name: str
    gtests: dict[str, int] = field(default_factory=dict)
    points: int = 0
    least_of_bound: float | None = None
    silicon: int = 0
    median_error_percent: float | None = None
    other_board: str = ""
    not_compared: str = ""

    @property
    def keeps_bounds(self) -> bool:
        """True unless a bandwidth is below its bound."""
        return self.least_of_bound is None or self.least_of_bound >= 1 - _TOLERANCE


def find_suite(checkout: Path) -> Suite:
    """Returns the suite in a checkout. Raises InputError if there is none."""
    folder = checkout / _FOLDER if (checkout / _FOLDER).is_dir() else checkout
    sources = sorted(folder.rglob("test_*.cpp"))
    common = folder / "dm_common.cpp"
    if not sources or not common.is_file():
        raise InputError(f"{checkout}: expected a checkout of tt-metal with {_FOLDER}/dm_common.cpp, found none")
    mappings = folder / "python" / "test_mappings"
    information = _read(mappings / "test_information.yaml").get("tests", {})
    names: dict[int, str] = {}
    for test in upstream_tests():
        if test.upstream_id is not None:  # tests with and without loopback may share an id
            bare = [test.upstream_name.removesuffix(suffix) for suffix in LOOPBACK_SUFFIXES.values()]
            names.setdefault(test.upstream_id, min(bare, key=len))
    names |= {int(number): str(entry["name"]) for number, entry in information.items()}
    request = HostRequest((*sources, common), (folder.parent, folder.parent.parent, folder))
    return Suite(request, names, _read(mappings / "test_bounds.yaml"))


def _read(file: Path) -> dict[Any, Any]:
    """Returns a mapping in a file of YAML; an empty one if there is no such file, as in older releases."""
    import yaml

    if not file.is_file():
        return {}
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: is no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(content, dict):
        raise InputError(f"{file}: expected a mapping, found {type(content).__name__}")
    return content


def outcomes_of(suite: Suite, run: HostRun, gtests: Sequence[GtestRun], reports: Path) -> list[TestOutcome]:
    """Writes the reports of a run, and returns the outcome of each test of the suite, by id."""
    measured = measurements_of(run.programs)
    outcomes = {
        test_id: TestOutcome(test_id, suite.names.get(test_id, f"Test ID {test_id}"))
        for test_id in sorted({each.test_id for each in measured})
    }
    for gtest in gtests:
        for test_id in outcomes.keys() & ids_in(gtest):
            counts = outcomes[test_id].gtests
            counts[gtest.outcome] = counts.get(gtest.outcome, 0) + 1
    for each in measured:
        outcome = outcomes[each.test_id]
        outcome.points += 1
        bound = suite.bounds.get(outcome.name, {}).get(run.machine.arch, {}).get(f"riscv_{each.riscv}")
        if bound is not None:
            share = each.bandwidth_bytes_per_cycle / bound["bandwidth"]
            outcome.least_of_bound = min(share, outcome.least_of_bound or share)
    files = write_reports(measured, suite.names, reports / run.machine.arch)
    _compare(outcomes, run.machine, measured, files, suite.names)
    return list(outcomes.values())


def ids_in(gtest: GtestRun) -> set[int]:
    """Returns the ids of tests that a gtest has measured."""
    return {number for program in gtest.run.programs for number in program.recorded(TEST_ID)}


def _compare(
    outcomes: Mapping[int, TestOutcome],
    machine: Machine,
    measured: Sequence[Measurement],
    files: Sequence[Path],
    names: Collection[int],
) -> None:
    """Compares reports with what was published of the same tests, on the same board."""
    from nocbench.architectures.description import describe_architecture
    from nocbench.published.alignment import known_tests
    from nocbench.published.reference import read_reference
    from nocbench.results.result_files import read_results

    reference = read_reference()
    tests = known_tests(machine.arch)
    default_board = describe_architecture(machine.arch).default_board
    for test_id, file in zip(sorted({each.test_id for each in measured}), files, strict=True):
        outcome = outcomes[test_id]
        try:
            rows = read_results(file)
        except InputError as error:
            if test_id in names:  # published tables know tests by name
                outcome.not_compared = str(error).partition("\n")[0].removeprefix(f"{file}:")
            continue
        if "params" not in rows:  # kernels have recorded nothing but their transactions
            rows["params"] = ""
        rows = rows.groupby([*POINT_KEY, "params"], dropna=False)["latency_cycles"].median().reset_index()
        both = _published_points(rows, reference)
        if both.empty:
            continue
        published_board = tests[both["test"].iloc[0]].board or default_board
        if len(both) < len(rows):  # other numbers of cores, and therefore of transactions, than the published ones
            outcome.not_compared = f"only {len(both)} of its {len(rows)} points were published"
        elif published_board != (machine.board or default_board):
            outcome.other_board = published_board
        else:
            errors = (both["latency_cycles"] / both["latency_cycles_published"] - 1).abs() * 100
            outcome.silicon = len(both)
            outcome.median_error_percent = float(errors.median())


def _published_points(rows: pandas.DataFrame, reference: pandas.DataFrame) -> pandas.DataFrame:
    """Returns the rows of published points with their published latency. Parameters count if any row agrees in them."""
    both = rows.merge(reference, on=[*POINT_KEY, "params"], suffixes=("", "_published"))
    if not both.empty:
        return both
    alone = reference[~reference.duplicated(POINT_KEY, keep=False)]
    return rows[~rows.duplicated(POINT_KEY, keep=False)].merge(alone, on=POINT_KEY, suffixes=("", "_published"))
