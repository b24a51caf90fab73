#!/usr/bin/env python3
"""Fits the constants of an architecture that are marked as fitted to the published measurements.

Stage by stage, each constant in turn is moved up and down by ever smaller steps as long as the mean error of the
stage's tables shrinks. The error of a point is |model - measured| / measured, cut off at 8 %, so that single outliers
of the measurements do not pull at the constants. Nothing is random: the same tables give the same constants.

Example: .venv/bin/python scripts/studies/fit_constants.py --arch wormhole_b0 --write
"""

from __future__ import annotations

import argparse
import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path

from nocbench import _core
from nocbench.compiling.suite_kernels import compile_suite_kernel

# Some of the tests have kernels for the device.
_core.set_kernel_compiler(compile_suite_kernel)

ROOT = Path(__file__).resolve().parents[2]
REFERENCES = tuple(
    ROOT / "plots" / "reference" / f"tenstorrent_silicon_{month}.csv" for month in ("2025_07", "2026_08")
)
OUTLIER_ERROR = 0.08
# Long points of many cores say nothing that shorter ones do not, and take long.
MOVED_BYTES_MAX = 2 * 1024 * 1024

Point = tuple[str, int, int, int]  # test, transactions, bytes of a transaction, bytes per call
Settings = dict[str, str]


@dataclass(frozen=True)
class Constant:
    """A constant to be fitted: its key, where the search starts, its steps, and the NoC if it has a value for each.

    The search starts from a value of its own, not from the architecture file, so that it always ends at the same one.
    """

    key: str
    start: Decimal
    first_step: Decimal
    last_step: Decimal
    index: int | None = None


@dataclass(frozen=True)
class Stage:
    """Constants that are fitted together, and the tables that decide: (test, kernel), calls of so many bytes."""

    tables: tuple[tuple[str, str], ...]
    constants: tuple[Constant, ...]
    call_bytes_max: int = 1 << 30
    call_bytes_min: int = 0


def constant(key: str, start: str, first_step: str, last_step: str, index: int | None = None) -> Constant:
    """Make a constant from numbers as they are written."""
    return Constant(key, Decimal(start), Decimal(first_step), Decimal(last_step), index)


ONE_TO_ONE = ("One to One Packet Sizes", "Sender")
ONE_FROM_ONE = ("One from One Packet Sizes", "Receiver")
UNICAST_SMALL = ("One to All Unicast 2x2 Packet Sizes without Loopback", "Sender")
UNICAST_LARGE = ("One to All Unicast 10x10 Packet Sizes without Loopback", "Sender")
ONE_FROM_ALL = ("One from All Packet Sizes", "Receiver")
# Few acknowledgements, which leave the data alone.
MULTICAST_SMALL = tuple(
    (f"One to All Multicast {linked}2x2 Packet Sizes without Loopback", "Sender") for linked in ("", "Linked ")
)
DRAM_READ = ("DRAM Interleaved Packet Sizes", "Receiver")
DRAM_WRITE = ("DRAM Interleaved Packet Sizes", "Sender")
BLACKHOLE_MEMORY_2025 = "gddr6_july_2025"
BLACKHOLE_MEMORY_2026 = "gddr6_2026"
DRAM_READ_2026 = ("DRAM Packet Sizes 2.0", "riscv_1")
DRAM_WRITE_2026 = ("DRAM Packet Sizes 2.0", "riscv_0")
PCIE_READ = ("PCIe Read Bandwidth Sweep", "riscv_0")


def stages_of(memory: str, start: dict[str, str], *more: Stage) -> tuple[Stage, ...]:
    """The stages that both chips need, with their memory and where constants start, followed by stages of one chip."""

    def start_at(key: str, first_step: str, last_step: str, index: int | None = None) -> Constant:
        name = key if index is None else f"{key}[{index}]"
        return constant(key, start[name], first_step, last_step, index)

    return (
        Stage((ONE_TO_ONE, UNICAST_SMALL), (start_at("niu.source_cycles_per_data_flit", "0.002", "0.0005", index=0),)),
        Stage((ONE_FROM_ONE,), (start_at("niu.source_cycles_per_data_flit", "0.004", "0.0005", index=1),)),
        Stage((ONE_TO_ONE,), (start_at("l1.write_latency_cycles", "2", "1"),)),
        Stage((ONE_FROM_ONE,), (start_at("niu.read_turnaround_cycles", "2", "1"),)),
        Stage(
            (ONE_TO_ONE, UNICAST_SMALL, UNICAST_LARGE),
            (
                start_at("risc.write_first_repeat_cycles", "2", "0.5"),
                start_at("risc.write_new_target_cycles", "2", "0.5"),
                start_at("risc.first_argument_load_cycles", "2", "1"),
            ),
        ),
        Stage(
            (ONE_FROM_ONE, ONE_FROM_ALL),
            (
                start_at("risc.read_first_repeat_cycles", "2", "0.5"),
                start_at("risc.read_new_target_cycles", "2", "0.5"),
                start_at("niu.sink_cycles_per_data_flit", "0.004", "0.001", index=1),
            ),
        ),
        Stage(MULTICAST_SMALL, (start_at("niu.multicast_sink_cycles_per_data_flit", "0.004", "0.001", index=0),)),
        Stage(
            (DRAM_READ,),
            (
                start_at(f"memories.{memory}.read_latency_cycles", "4", "1"),
                start_at(f"memories.{memory}.subchannel_read_cycles_per_flit", "0.02", "0.005"),
            ),
        ),
        Stage(
            (DRAM_WRITE,),
            (
                start_at(f"memories.{memory}.write_latency_cycles", "4", "1"),
                start_at(f"memories.{memory}.subchannel_write_cycles_per_flit", "0.02", "0.005"),
            ),
        ),
        Stage((PCIE_READ,), (constant("pcie.read_request_interval_cycles", "140", "4", "1"),), call_bytes_max=2048),
        *more,
    )


STAGES = {
    "wormhole_b0": stages_of(
        "gddr6",
        {
            "niu.source_cycles_per_data_flit[0]": "1.02",
            "niu.source_cycles_per_data_flit[1]": "1.108",
            "l1.write_latency_cycles": "20",
            "niu.read_turnaround_cycles": "4",
            "risc.write_first_repeat_cycles": "6",
            "risc.write_new_target_cycles": "11",
            "risc.first_argument_load_cycles": "22",
            "risc.read_first_repeat_cycles": "10",
            "risc.read_new_target_cycles": "2",
            "niu.sink_cycles_per_data_flit[1]": "1.02",
            "niu.multicast_sink_cycles_per_data_flit[0]": "1.03",
            "memories.gddr6.read_latency_cycles": "93",
            "memories.gddr6.write_latency_cycles": "107",
            "memories.gddr6.subchannel_read_cycles_per_flit": "1.435",
            "memories.gddr6.subchannel_write_cycles_per_flit": "1.4545",
        },
        Stage((DRAM_WRITE,), (constant("dram.partial_write_cycles", "62", "1", "0.5"),)),
    ),
    "blackhole": stages_of(
        BLACKHOLE_MEMORY_2025,
        {
            "niu.source_cycles_per_data_flit[0]": "1.0165",
            "niu.source_cycles_per_data_flit[1]": "1.03",
            "l1.write_latency_cycles": "20",
            "niu.read_turnaround_cycles": "4",
            "risc.write_first_repeat_cycles": "9",
            "risc.write_new_target_cycles": "6",
            "risc.first_argument_load_cycles": "22",
            "risc.read_first_repeat_cycles": "6",
            "risc.read_new_target_cycles": "2",
            "niu.sink_cycles_per_data_flit[1]": "1.02",
            "niu.multicast_sink_cycles_per_data_flit[0]": "1.03",
            f"memories.{BLACKHOLE_MEMORY_2025}.read_latency_cycles": "111",
            f"memories.{BLACKHOLE_MEMORY_2025}.write_latency_cycles": "30",
            f"memories.{BLACKHOLE_MEMORY_2025}.subchannel_read_cycles_per_flit": "2.7",
            f"memories.{BLACKHOLE_MEMORY_2025}.subchannel_write_cycles_per_flit": "2.7",
        },
        Stage(
            (DRAM_READ,),
            (
                constant(f"memories.{BLACKHOLE_MEMORY_2025}.bank_read_cycles_per_flit", "2.985", "0.02", "0.005"),
                constant("dram.read_buffer_bytes", "10240", "1024", "256"),
            ),
        ),
        Stage(
            (DRAM_WRITE,),
            (
                constant(f"memories.{BLACKHOLE_MEMORY_2025}.bank_write_cycles_per_flit", "2.985", "0.02", "0.005"),
                constant("dram.write_buffer_bytes", "8704", "1024", "256"),
            ),
        ),
        Stage(
            (DRAM_READ_2026,),
            (
                constant(f"memories.{BLACKHOLE_MEMORY_2026}.subchannel_read_cycles_per_flit", "1.35", "0.04", "0.005"),
                constant(f"memories.{BLACKHOLE_MEMORY_2026}.bank_read_cycles_per_flit", "1.5", "0.08", "0.005"),
            ),
            call_bytes_min=2048,
        ),
        Stage(
            (DRAM_WRITE_2026,),
            (
                constant(f"memories.{BLACKHOLE_MEMORY_2026}.subchannel_write_cycles_per_flit", "1.35", "0.04", "0.005"),
                constant(f"memories.{BLACKHOLE_MEMORY_2026}.bank_write_cycles_per_flit", "1.5", "0.08", "0.005"),
            ),
            call_bytes_min=2048,
        ),
    ),
}


def read_reference(arch: str) -> dict[tuple[str, str], dict[Point, float]]:
    """Measured latencies by table and point."""
    tables: dict[tuple[str, str], dict[Point, float]] = {}
    num_destinations = _destinations_of_tests(arch)
    for reference in REFERENCES:
        with reference.open(newline="") as file:
            for row in csv.DictReader(file):
                if row["arch"] == arch and row["test"] in num_destinations:
                    count, size = int(row["num_transactions"]), int(row["transaction_size_bytes"])
                    call_size = size // num_destinations[row["test"]]
                    if count * size <= MOVED_BYTES_MAX or num_destinations[row["test"]] == 1:
                        point = (row["test"], count, size, call_size)
                        kernel = row["kernel"] or row["riscv"]
                        tables.setdefault((row["test"], kernel), {})[point] = float(row["latency_cycles"])
    return tables


def tables_of(
    stage: Stage, reference: dict[tuple[str, str], dict[Point, float]]
) -> dict[tuple[str, str], dict[Point, float]]:
    """What decides a stage, of the tables of a reference."""
    return {
        table: {
            point: measured
            for point, measured in reference[table].items()
            if stage.call_bytes_min <= point[3] <= stage.call_bytes_max
        }
        for table in stage.tables
    }


def _destinations_of_tests(arch: str) -> dict[str, int]:
    """How many calls make up a transaction, by test; a run of its smallest point says so."""
    tests = {table[0] for stage in STAGES[arch] for table in stage.tables}
    size = _core.describe_architecture(arch)["flit_bytes"]
    found = {}
    for test in sorted(tests):
        result = _core.run_point(test, arch, "", {"num_transactions": "1", "call_size": str(size)}, [])
        found[test] = int(result["rows"][0]["transaction_size_bytes"]) // size
    return found


def _board_and_memory(test: str, arch: str) -> tuple[str, str]:
    """Return the board that a test was published for, the default one if empty, and its memory."""
    if arch == "wormhole_b0":
        return "", "gddr6"
    return ("p100a", BLACKHOLE_MEMORY_2026) if test == DRAM_READ_2026[0] else ("", BLACKHOLE_MEMORY_2025)


def run_point(point: Point, arch: str, settings: list[tuple[str, str]]) -> dict[str, float]:
    """Modeled latencies of a point, by kernel and by RISC, as one reference or the other names them."""
    test, num_transactions, _, call_size = point
    parameters = {"num_transactions": str(num_transactions), "call_size": str(call_size)}
    board, memory = _board_and_memory(test, arch)
    of_board = [
        (key, value) for key, value in settings if not key.startswith("memories.") or key.split(".")[1] == memory
    ]
    result = _core.run_point(test, arch, board, parameters, of_board)
    return {name: row["latency_cycles"] for row in result["rows"] for name in (row["kernel"], f"riscv_{row['riscv']}")}


class Fit:
    """The state of a fit: an architecture, the file it is written in and what has been changed so far."""

    def __init__(self, arch: str, pool: ProcessPoolExecutor) -> None:
        """Start from the values that the stages name."""
        self.arch = arch
        self.path = ROOT / "device_model" / "archs" / f"{arch}.yaml"
        self.text = self.path.read_text()
        self.settings: Settings = {}
        self.reference = read_reference(arch)
        self.pool = pool
        for stage in STAGES[arch]:
            for constant in stage.constants:
                self.settings = self.with_value(constant, constant.start)

    def value_in_file(self, key: str) -> str:
        """Return the text of a value of the architecture file."""
        return self.text[slice(*self.place_in_file(key))].strip("[]")

    def place_in_file(self, key: str) -> tuple[int, int]:
        """Return where a value of the architecture file begins and ends."""
        names = (*key.split("."), "value")
        depth = offset = 0
        for line in self.text.splitlines(keepends=True):
            indent = "  " * depth
            if line.startswith(f"{indent}{names[depth]}:"):
                if depth + 1 == len(names):
                    return offset + len(f"{indent}value: "), offset + len(line.rstrip())
                depth += 1
            elif depth != 0 and line.strip() and not line.startswith(indent):
                break
            offset += len(line)
        raise SystemExit(f"fit_constants: {self.path}: expected {key}, found nothing")

    def value(self, constant: Constant) -> Decimal:
        """Return what a constant is now."""
        text = self.settings.get(constant.key, self.value_in_file(constant.key))
        return Decimal(text.split(",")[constant.index or 0].strip())

    def with_value(self, constant: Constant, value: Decimal) -> Settings:
        """Return the settings with one constant changed."""
        text = self.settings.get(constant.key, self.value_in_file(constant.key))
        parts = [part.strip() for part in text.split(",")]
        parts[constant.index or 0] = format(value.normalize(), "f")
        return {**self.settings, constant.key: ", ".join(parts)}

    def error(self, stage: Stage, settings: Settings) -> float:
        """Return the mean error over the tables of a stage."""
        decides = tables_of(stage, self.reference)
        points = sorted({point for table in decides.values() for point in table})
        run = partial(run_point, arch=self.arch, settings=sorted(settings.items()))
        modeled = dict(zip(points, self.pool.map(run, points, chunksize=4), strict=True))
        errors = [
            min(abs(modeled[point][kernel] / measured - 1), OUTLIER_ERROR)
            for (_, kernel), table in decides.items()
            for point, measured in table.items()
        ]
        return sum(errors) / len(errors)

    def fit_stage(self, stage: Stage) -> None:
        """Move the constants of a stage to where its error is least."""
        best = self.error(stage, self.settings)
        for constant in stage.constants:
            step = constant.first_step
            while step >= constant.last_step:
                for direction in (1, -1):
                    while True:
                        candidate = self.with_value(constant, self.value(constant) + direction * step)
                        try:
                            error = self.error(stage, candidate)
                        except _core.InputError:
                            break
                        if error >= best:
                            break
                        best, self.settings = error, candidate
                step /= 2
            name = constant.key if constant.index is None else f"{constant.key}[{constant.index}]"
            print(
                f"{self.arch} {name}: {self.value(constant).normalize():f} (mean error {100 * best:.3f} %)", flush=True
            )

    def write(self) -> None:
        """Write the constants into the architecture file."""
        for key, value in self.settings.items():
            begin, end = self.place_in_file(key)
            self.text = self.text[:begin] + (f"[{value}]" if "," in value else value) + self.text[end:]
        self.path.write_text(self.text)
        print(f"wrote {self.path}")


def main() -> int:
    """Fit what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", choices=sorted(STAGES), action="append", help="default: all")
    parser.add_argument("--write", action="store_true", help="write the constants into the architecture files")
    arguments = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        for arch in arguments.arch or sorted(STAGES):
            fit = Fit(arch, pool)
            for stage in STAGES[arch]:
                fit.fit_stage(stage)
            if arguments.write:
                fit.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
