"""Reports on a run of a program, as text and as JSON."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.compiling.request import COMPUTE_RISCS
from nocbench.programs.source_lines import causes_of, lines_of, median_of
from nocbench.support.columns import COMPILER, without_values
from nocbench.support.wording import cycles as in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nocbench.points.own_run import KernelsRun
    from nocbench.programs.execution import ProgramRun
    from nocbench.programs.source_lines import SourceLine

_BAR_CELLS = 30
_TEXT_CELLS = 70
_FEW_ALIKE = 4
"""Most kernels with the same source that are described one by one."""


def describe(run: KernelsRun) -> Iterator[str]:
    """Yields lines on each kernel: time, waits, cycles by source line, and output.

    Of many kernels with the same source on the same RISC, as programs have that create one per core, the slowest is
    described and the others are summed up.
    """
    for rows in _alike(run):
        slowest = max(rows, key=lambda row: float(row["latency_cycles"]))
        kernel = median_of(run.kernels, slowest["kernel"], run.result["cores"])
        yield from _summary(run, slowest, kernel)
        if len(rows) > 1:
            yield _of_others(rows, run.source_of(slowest["kernel"]).name)
        yield ""
        yield from line_table(lines_of(run, kernel))
        for row in rows:
            yield from _printed(run, row["kernel"])
        yield ""


def _alike(run: KernelsRun) -> Iterator[list[Mapping[str, Any]]]:
    """Yields the rows of a run, those of many kernels with the same source on the same RISC and NoC together."""

    def kind(row: Mapping[str, Any]) -> tuple[Path, object, object]:
        return run.source_of(row["kernel"]), row["riscv"], row["noc"]

    groups: dict[tuple[Path, object, object], list[Mapping[str, Any]]] = defaultdict(list)
    for row in run.rows:
        groups[kind(row)].append(row)
    for row in run.rows:
        rows = groups[kind(row)]
        if len(rows) <= _FEW_ALIKE:
            yield [row]
        elif row is rows[0]:
            yield rows


def _of_others(rows: list[Mapping[str, Any]], source: str) -> str:
    latencies = sorted(float(row["latency_cycles"]) for row in rows)
    return (
        f"  the slowest of {len(rows)} kernels with this source, {source}: they take {in_words(latencies[0])} to "
        f"{in_words(latencies[-1])} cycles, {in_words(latencies[len(latencies) // 2])} in the median"
    )


def _summary(run: KernelsRun, row: Mapping[str, Any], kernel: Mapping[str, Any]) -> Iterator[str]:
    from nocbench.support.wording import limiter_in_words

    cores = f"{row['num_cores']} cores" if row["num_cores"] > 1 else f"core ({kernel['x']}, {kernel['y']})"
    params = without_values(row["params"], (COMPILER,))
    with_parameters = f", {params}" if params else ""
    yield f"{row['kernel']} on {row['arch']} ({row['board']}), {cores}, {_place(row)}{with_parameters}"
    commands = "1 command" if kernel["commands"] == 1 else f"{kernel['commands']:,} commands"
    moved = (
        f", {row['bandwidth_bytes_per_cycle']:.2f} B/cycle ({commands}, {kernel['bytes_moved']:,} bytes)"
        if kernel["commands"]
        else ""
    )
    computed = f", {kernel['operations']:,} arithmetic operations" if kernel["operations"] else ""
    yield f"  {row['latency_cycles']:,.10g} cycles{moved}{computed}, {kernel['instructions']:,} instructions"
    waits = _waits(run, kernel)
    total = sum(waits.values()) or 1.0
    shares = ", ".join(f"{cause} {cycles:,.10g} ({cycles / total:.0%})" for cause, cycles in waits.items())
    yield f"  limited by {limiter_in_words(str(row['limiter']))}; cycles by cause: {shares}"
    zones = [zone for zone in kernel["zones"] if zone["parent"] >= 0]
    for zone in zones[:_BAR_CELLS]:
        yield f"  zone {zone['name']}: {zone['end'] - zone['begin']:,.10g} cycles from cycle {zone['begin']:,.10g} on"
    if row["num_cores"] > 1:
        yield f"  all of this but the cycles in the first line is of core ({kernel['x']}, {kernel['y']}), the median"


def _place(row: Mapping[str, Any]) -> str:
    """Returns the RISC of a kernel, and the NoC of one that moves data."""
    riscv = f"riscv_{row['riscv']}"
    return riscv if row["riscv"] in COMPUTE_RISCS else f"{riscv}, NoC {row['noc']}"


def _waits(run: KernelsRun, kernel: Mapping[str, Any]) -> dict[str, float]:
    place = (kernel["name"], kernel["x"], kernel["y"])
    core = next(core for core in run.result["cores"] if (core["kernel"], core["x"], core["y"]) == place)
    return dict(sorted(core["waits"].items(), key=lambda item: -item[1]))


def line_table(lines: list[SourceLine]) -> Iterator[str]:
    """Yields the lines of a table of source lines: cycles, waits if known, and text."""
    most = max((line.share for line in lines), default=1.0) or 1.0
    causes = causes_of(lines)
    rows = [["line", "cycles", "share", *causes, "", ""]]
    for line in lines:
        place = f"{Path(line.file).name}:{line.line}" if line.file else line.function
        text = line.text if len(line.text) <= _TEXT_CELLS else f"{line.text[: _TEXT_CELLS - 3]}..."
        waits = [in_words((line.waits or {}).get(cause, 0.0)) for cause in causes]
        bar = "#" * round(_BAR_CELLS * line.share / most)
        numbers = [in_words(line.cycles), f"{line.share:.1%}", *("" if wait == "0" else wait for wait in waits)]
        rows.append([place, *numbers, bar, text])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for place, *numbers, bar, text in rows:
        cells = [f"{place:<{widths[0]}}"]
        cells += [f"{number:>{width}}" for number, width in zip(numbers, widths[1:-2], strict=True)]
        cells += [f"{bar:<{widths[-2]}}", text]
        yield f"  {'  '.join(cells)}".rstrip()


def _printed(run: KernelsRun, name: str) -> Iterator[str]:
    for kernel in run.kernels:
        if kernel["name"] == name and kernel["printed"]:
            yield ""
            yield f"  core ({kernel['x']}, {kernel['y']}) printed:"
            for line in kernel["printed"].splitlines():
                yield f"    {line}"


def to_json(run: ProgramRun) -> dict[str, Any]:
    """Returns the run as JSON values."""
    return {
        "arch": run.machine.arch,
        "board": run.rows[0]["board"],
        "program": run.program.name,
        "parameters": {name: run.program.parameters[name] for name in run.program.own_parameters},
        "rows": run.rows,
        "data_ok": run.data_ok,
        "data_fault": run.fault,
        "warnings": run.warnings,
        "elapsed_cycles": run.result["elapsed_cycles"],
        "kernels": kernels_to_json(run),
    }


def kernels_to_json(run: KernelsRun) -> list[dict[str, Any]]:
    """Returns the kernels of a run on each core as JSON values, with their source lines and waits."""
    kernels = []
    for kernel in run.kernels:
        entry = {key: value for key, value in kernel.items() if key != "cycles_by_address"}
        entry["lines"] = [line.values() for line in lines_of(run, kernel)]
        entry["waits"] = _waits(run, kernel)
        kernels.append(entry)
    return kernels
