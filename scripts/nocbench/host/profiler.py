"""Results of host programs in the files of tt-metal's profiler and of its data-movement suite."""

from __future__ import annotations

import csv
import io
import statistics
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.points.own_run import TEST_ID
from nocbench.support.atomic_files import make_directory, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from nocbench.host.running import EnqueuedProgram

LOG_NAME = "profile_log_device.csv"
ZONES = ("RISCV0", "RISCV1")
"""Zones that the suite times, by RISC."""

_TRANSACTIONS = "Number of transactions"
_SIZE = "Transaction size in bytes"
_PROCESSORS = ("BRISC", "NCRISC")
_LOG_COLUMNS = (
    *("PCIe slot", "core_x", "core_y", "RISC processor type", "timer_id", "time[cycles since reset]", "data"),
    *("run host ID", "trace id", "trace id counter", "zone name", "type", "source line", "source file", "meta data"),
)
_CYCLES_BETWEEN_PROGRAMS = 1000


@dataclass(frozen=True, slots=True)
class Measurement:
    """A program's time on one of the two RISCs, as the suite reports it.

    Attributes:
        test_id: id in the suite.
        run_id: number of the program.
        riscv: number of the RISC.
        attributes: values that the kernels have recorded, by name.
        latency_cycles: time of the zone RISCV0 or RISCV1 of the median core.
    """

    test_id: int
    run_id: int
    riscv: int
    attributes: Mapping[str, int]
    latency_cycles: float

    @property
    def bandwidth_bytes_per_cycle(self) -> float:
        """Bandwidth of the median core; 0 without a number and size of transactions."""
        return self.attributes.get(_TRANSACTIONS, 1) * self.attributes.get(_SIZE, 0) / self.latency_cycles


def measurements_of(programs: Iterable[EnqueuedProgram]) -> list[Measurement]:
    """Returns the measurements of programs, of the RISCs that record a test id and have a zone that is timed."""
    found = []
    for program in programs:
        for riscv, zone in enumerate(ZONES):
            kernels = [kernel for kernel in program.kernels if kernel["riscv"] == riscv]
            attributes = {name: value for kernel in kernels for name, value, _ in kernel["recorded"]}
            times = [
                each["end"] - each["begin"] for kernel in kernels for each in kernel["zones"] if each["name"] == zone
            ]
            if TEST_ID in attributes and times:
                run_id = program.runtime_id
                found.append(
                    Measurement(attributes[TEST_ID], run_id, riscv, attributes, float(statistics.median(times)))
                )
    return found


def write_reports(measurements: Sequence[Measurement], names: Mapping[int, str], folder: Path) -> list[Path]:
    """Writes a table for each test, under its name and in the layout of the suite's reports; returns the files."""
    make_directory(folder)
    files = []
    for test_id in sorted({each.test_id for each in measurements}):
        of_test = [each for each in measurements if each.test_id == test_id]
        others = list(dict.fromkeys(name for each in of_test for name in each.attributes))
        others = [name for name in others if name not in (TEST_ID, _TRANSACTIONS, _SIZE)]
        rows: list[list[Any]] = [
            [
                *("Transaction Size (bytes)", "Number of Transactions", "RISC-V Processor", "Run Host ID"),
                *others,
                *("Latency (cycles)", "Bandwidth (bytes/cycle)"),
            ]
        ]
        rows += [
            [
                *(each.attributes.get(_SIZE), each.attributes.get(_TRANSACTIONS), f"riscv_{each.riscv}", each.run_id),
                *(each.attributes.get(name, "") for name in others),
                *(each.latency_cycles, each.bandwidth_bytes_per_cycle),
            ]
            for each in of_test
        ]
        files.append(folder / f"{names.get(test_id, f'Test ID {test_id}')}.csv")
        write_text(files[-1], _csv(rows))
    return files


def write_log(programs: Sequence[EnqueuedProgram], arch: str, file: Path) -> None:
    """Writes zones and recorded values as the profiler of tt-metal does, which its own scripts read."""
    cores = {(kernel["physical_x"], kernel["physical_y"]) for program in programs for kernel in program.kernels}
    megahertz = max((float(row["clock_hz"]) / 1e6 for program in programs for row in program.rows), default=0)
    head = f"ARCH: {arch}, CHIP_FREQ[MHz]: {megahertz:.0f}, Max Compute Cores: {max(len(cores), 1)}\n"
    rows: list[Sequence[Any]] = [_LOG_COLUMNS]
    begin = 0
    for program in programs:
        rows += _log_rows(program, begin)
        begin += int(program.result["elapsed_cycles"]) + _CYCLES_BETWEEN_PROGRAMS
    write_text(file, head + _csv(rows))


def _log_rows(program: EnqueuedProgram, begin: int) -> Iterator[Sequence[Any]]:
    for kernel in program.kernels:
        place = (0, kernel["physical_x"], kernel["physical_y"], _PROCESSORS[kernel["riscv"]])
        source = program.source_of(kernel["name"])
        # The profiler calls the zone of a whole kernel by its processor.
        names = [zone["name"] if zone["parent"] >= 0 else f"{place[-1]}-KERNEL" for zone in kernel["zones"]]
        named = list(zip(names, kernel["zones"], strict=True))
        events = [(zone["begin"], "ZONE_START", name, 0) for name, zone in named]
        events += [(zone["end"], "ZONE_END", name, 0) for name, zone in named]
        events += [(cycle, "TS_DATA", name, value) for name, value, cycle in kernel["recorded"]]
        for cycle, kind, name, value in sorted(events, key=lambda event: event[0]):
            when = (_timer_id(name), begin + round(cycle), value, program.runtime_id, "", "")
            yield (*place, *when, name, kind, 1, source, "")


def _timer_id(name: str) -> int:
    """Returns 16 bits that tell names apart. The numbers of tt-metal depend on the source, too."""
    return zlib.crc32(name.encode()) & 0xFFFF


def _csv(rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
