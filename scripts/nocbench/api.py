"""The Python interface for scripts and notebooks: commands as functions on pandas data frames."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.architectures.files import name_of
from nocbench.functions.choices import catalogue_of, names_of
from nocbench.points.accuracy import accuracy_named
from nocbench.points.axes import axes_to_text
from nocbench.points.catalogue import using
from nocbench.points.settings import settings_to_text
from nocbench.running.outcomes import IncompleteResultsError, wrong_data_lines
from nocbench.support.errors import InputError, LeftOutWarning, WrongDataWarning, did_you_mean
from nocbench.support.extras import needs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas

    from nocbench.openshmem.result import ShmemResult
    from nocbench.points.swept_tests import SweptTest


def list_tests(arch: str | Path | None = None, *, suite: str | Path | None = None) -> list[SweptTest]:
    """Returns the tests of one or all architectures, or of the suite in folder `suite`, sorted by id.

    An architecture may be given by the path of its file, as for :func:`run`.

    Raises:
        InputError: no such architecture, or no such suite.
    """
    catalogue = catalogue_of(suite)
    architectures = catalogue.architecture_names() if arch is None else [name_of(arch)]
    return [test for name in architectures for test in catalogue.list_tests(name)]


@needs("pandas")
def run(
    tests: str | int | Sequence[str | int] = (),
    *,
    arch: str | Path | Sequence[str | Path] = (),
    board: str = "",
    tier: str = "full",
    settings: Mapping[str, object] | None = None,
    accuracy: str = "exact",
    detail: str | Path | None = None,
    jobs: int | None = None,
    whole: bool = False,
    cluster: str | None = None,
    shard: str | None = None,
    suite: str | Path | None = None,
    no_cache: bool = False,
    **axes: object,
) -> pandas.DataFrame:
    """Runs tests and returns their result rows.

    >>> import nocbench
    >>> nocbench.run("One to One Packet Sizes", arch="wormhole_b0", num_transactions=[1, 16], call_size="64B:64KiB:x2")

    Args:
        tests: names, ids or globs of tests, or names of primitives; all tests by default.
        arch: one or several architectures; all by default. The path of an architecture file, a Path or a text that ends
            in ".yaml", selects another architecture; result rows have the name that the file gives.
        board: a board's name; each architecture's default board if empty.
        tier: "full" or "quick", for the axes that are not given.
        settings: fields of the board or architecture to change, by path: ``{"router.hop_cycles": 10}``. Several values
            sweep a field: ``{"router.hop_cycles": [8, 9, 10]}``. If the field is a list, each value is a tuple.
        accuracy: "exact", "fast" to simulate packet by packet, which adds "accuracy=fast" to `params` of the rows; or
            "auto" to use "fast" only for points that would take more than a second of exact simulation.
        detail: directory for a file per point with its cores and links.
        jobs: number of worker processes; the number of processors by default. 0: points run in this process.
        whole: True to simulate all transactions of the longest points, even if fewer transactions predict the latency.
            Rows with a predicted latency have "simulated_transactions=" in `params`.
        cluster: address of a Dask cluster, "tcp://HOST:PORT", or "local" for a cluster of `jobs` workers on this
            machine.
        suite: folder of a suite; the tests of the suite run instead of nocbench's tests.
        no_cache: True to compute all points and neither reuse nor keep results.
        shard: part of the points to run: "1/4" is the first of four parts of equal work.
        **axes: values of a test's axes (num_transactions, call_size in bytes) and parameters: single values, sequences
            of values, or strings as for `-a` on the command line. A core is a tuple: ``destination=(1, 1)``.

    Returns:
        One row per (test, kernel, point), with the columns of the results files, in the same order for any number of
        jobs. Latencies are in cycles of the tile clock, bandwidths in bytes per cycle. `data_ok` is False if wrong data
        arrived or a bandwidth exceeds that of the links. For each of these rows, ``frame.attrs["data_faults"]`` maps
        the number of the row to the first fault.

        Warns: LeftOutWarning: tests and values that a selection by primitive or glob leaves out. WrongDataWarning: rows
        with faults, each with the first wrong byte or packet.

    Raises:
        InputError: unknown names or bad values.
        NothingMatchedError: a glob that no test matches.
        IncompleteResultsError: points crashed; the error holds the rows of all other points.
    """
    from nocbench.points.selection import select_points
    from nocbench.results.result_files import to_frame
    from nocbench.running.accuracies import choose
    from nocbench.running.engines import make_engine
    from nocbench.running.execution import run_points
    from nocbench.running.kept_points import kept_points
    from nocbench.running.shards import Shard

    with using(catalogue_of(suite)):
        points = select_points(
            [str(test) for test in ([tests] if isinstance(tests, (str, int)) else tests)],
            architectures=names_of(arch),
            board=board,
            tier=tier,
            axes=axes_to_text(axes),
            settings=settings_to_text(settings),
            say=lambda note: warnings.warn(note, LeftOutWarning, stacklevel=4),
        )
    points = choose(points, accuracy_named(accuracy), make_engine(jobs, len(points), cluster))
    if shard is not None:
        points = [points[position] for position in Shard.parse(shard).positions(points)]
    kept = kept_points(points, no_cache=no_cache, whole=whole, with_details=detail is not None)
    measurements = run_points(
        points,
        make_engine(jobs, len(points) - (0 if kept is None else len(kept.taken)), cluster),
        whole=whole,
        detail_directory=None if detail is None else Path(detail),
        kept=kept,
    )
    wrong = wrong_data_lines(measurements.rows, measurements.data_faults)
    if wrong:
        warnings.warn("\n".join(wrong), WrongDataWarning, stacklevel=2)
    if measurements.crashes:
        raise IncompleteResultsError(measurements.rows, measurements.crashes)
    frame = to_frame(measurements.rows)
    frame.attrs["data_faults"] = {number: fault for number, fault in enumerate(measurements.data_faults) if fault}
    return frame


def run_shmem(
    *sources: str | Path,
    num_pes: int | None = None,
    arguments: Sequence[object] = (),
    arch: str | Path = "epiphany_iii",
    board: str = "",
    settings: Mapping[str, object] | None = None,
    include_directories: Sequence[str | Path] = (),
    defines: Mapping[str, object] | None = None,
    optimization: str = "-O2",
    origin: int = 0x400,
    cycles_max: int | None = None,
    trace_records: int = 0,
    **library: Any,  # noqa: ANN401 - of several types
) -> ShmemResult:
    """Compiles an OpenSHMEM program, and runs it on modeled processing elements.

    >>> import nocbench
    >>> result = nocbench.run_shmem("pi.c", num_pes=4, arguments=[100000])
    >>> print(result.stdout, result.exit_status, result.microseconds)

    Args:
        *sources: source files in C or C++; the suffix tells the language.
        num_pes: number of processing elements; by default, the number of cores.
        arguments: arguments of the program's `main`.
        arch: architecture, or the path of its file, as for :func:`run`.
        board: board of the architecture; empty: the default board.
        settings: fields of the board or architecture to change, by path: ``{"core.memory_bytes": 65536}``.
        include_directories: folders of headers, besides those of the sources.
        defines: macros by name; None defines a macro without a value.
        optimization: a flag of the compiler.
        origin: first address of the program.
        cycles_max: limit of the modeled run time; 2,000,000,000 by default. A sleep counts at most 100,000 cycles.
        trace_records: maximum number of recorded events of each kind; 0: no recording.
        **library: fields of :class:`nocbench.openshmem.request.LibraryOptions`, such as ``wand_barrier=True``.

    Returns:
        Output, exit status and run time of the program. Faults at run time are in ``error``.

    Raises:
        InputError: bad values, or a program that does not compile, link, or fit the memory of a core.
    """
    from dataclasses import fields

    from nocbench.compiling.shmem_program import ShmemProgramRequest
    from nocbench.openshmem.execution import run_shmem_program
    from nocbench.openshmem.request import LibraryOptions, ShmemRequest
    from nocbench.programs.execution import CYCLES_MAX, Machine

    known = [field.name for field in fields(LibraryOptions)]
    for name in library:
        if name not in known:
            raise InputError(f"run_shmem: no option of the library is called '{name}'{did_you_mean(name, known)}")
    program = ShmemProgramRequest(
        sources=tuple(map(Path, sources)),
        include_directories=tuple(Path(directory) for directory in include_directories),
        defines={name: None if value is None else str(value) for name, value in (defines or {}).items()},
        optimization=optimization,
        origin=origin,
    )
    changed = tuple(settings_to_text(settings))
    request = ShmemRequest(
        program=program,
        machine=Machine(name_of(arch), board, changed),
        num_pes=num_pes,
        arguments=tuple(str(argument) for argument in arguments),
        library=LibraryOptions(**library),
        cycles_max=cycles_max or CYCLES_MAX,
    )
    result = run_shmem_program(request, trace_records=trace_records)
    if result.was_interrupted:
        raise KeyboardInterrupt(result.error)
    return result


@needs("pandas")
def read_results(path: str | Path) -> pandas.DataFrame:
    """Reads a results file (CSV or Parquet), or a file of published measurements with the seven common columns.

    Raises:
        InputError: a file that cannot be read or does not hold results; the message gives file and line of every
            mistake.
    """
    from nocbench.results import result_files as results

    return results.read_results(path)


@needs("pandas")
def accuracy(
    results: pandas.DataFrame | str | Path, reference: str | Path | Sequence[str | Path] = ()
) -> pandas.DataFrame:
    """Compares results with published measurements.

    Args:
        results: result rows, or a results file.
        reference: files of published measurements; by default, the files that come with nocbench.

    Returns:
        One row per published table in the results, with the columns of
        :class:`nocbench.published.accuracy_tables.TableAccuracy`: points, missing points, median, 90th percentile
        (interpolated linearly) and maximum of the absolute value of (latency - reference) / reference in percent, the
        worst point, the median over rows to which a constant was fitted, and the median over all other rows. Published
        figures that are no latencies, such as those for Epiphany, have rows with the same columns.

    Raises:
        InputError: a file that cannot be read, or an architecture file that names missing published rows.
    """
    from dataclasses import asdict, fields

    import pandas

    from nocbench.published.accuracy_tables import TableAccuracy, compared_tables
    from nocbench.published.documents import compared_documents
    from nocbench.published.reference import read_reference

    frame = read_results(results) if isinstance(results, (str, Path)) else results
    files = [reference] if isinstance(reference, (str, Path)) else reference
    tables = compared_tables(frame, read_reference(files)) + ([] if files else compared_documents(frame))
    return pandas.DataFrame(
        [asdict(table.accuracy()) for table in tables], columns=[field.name for field in fields(TableAccuracy)]
    )
