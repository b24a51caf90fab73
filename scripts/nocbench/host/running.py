"""Runs of host programs on a modeled chip."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.architectures.files import root_of
from nocbench.compiling.compiler import compile_kernel, precompile
from nocbench.compiling.request import DATA_FORMATS, NOC_MODES, BufferFormat, ComputeOptions, KernelRequest
from nocbench.compiling.toolchain import find_toolchain
from nocbench.extension import input_errors
from nocbench.host.building import build, checkouts_above
from nocbench.points.kernel_compilers import name_compiler
from nocbench.points.own_run import TEST_ID, KernelsRun, warnings_of
from nocbench.points.point_results import PointTrace
from nocbench.programs.execution import CYCLES_MAX, CheckedProgram
from nocbench.programs.own_files import short_chains
from nocbench.support.columns import PROGRAM, with_value
from nocbench.support.errors import InputError
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from nocbench.compiling.source_map import SourceMap
    from nocbench.host.building import HostCompileError, HostRequest
    from nocbench.programs.execution import Machine

_FORMAT_NAMES = {number: name for name, number in DATA_FORMATS.items()}
_ROOT = "TT_METAL_HOME"
_SLOW_DISPATCH = "TT_METAL_SLOW_DISPATCH_MODE"
_STARTS_SKEWED = ("start", "skewed")
"""Entry in the column `params` of rows of several cores that the host has started one by one."""


@dataclass(frozen=True, slots=True)
class HostOptions:
    """Options of a run.

    Attributes:
        arguments: arguments of the program.
        checks: names of checks; see :mod:`nocbench.checks`.
        cycles_max: limit of the modeled run time of each enqueued program.
        timed_zones: the first of these that a kernel has is timed instead of the whole kernel.
        compiler: compiler of kernels instead of the pinned one.
        replacements: files that take the place of kernels, by the end of the path that the program names.
        recorded_program: number of the program whose events are recorded; None: the first one.
        trace_records: maximum number of recorded events of each kind; 0: no recording.
    """

    arguments: tuple[str, ...] = ()
    checks: Collection[str] = ()
    cycles_max: int = CYCLES_MAX
    timed_zones: tuple[str, ...] = ()
    compiler: Path | None = None
    replacements: Mapping[str, Path] = field(default_factory=dict)
    recorded_program: int | None = None
    trace_records: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EnqueuedProgram(KernelsRun):
    """A program that a host program has run.

    Attributes:
        runtime_id: its name in results, as the host program gave it, or its number.
        images: source and source map of each of its kernels, by name.
    """

    runtime_id: int
    images: Mapping[str, tuple[Path, SourceMap]]

    def numbered(self, number: int) -> EnqueuedProgram:
        """Changes the number in the program's rows; returns the program under this number."""
        for row in self.rows:
            row["test"] = f"{row['test'].removesuffix(str(self.runtime_id))}{number}"
        return replace(self, runtime_id=number)

    def source_of(self, name: str) -> Path:
        """Returns the source of a kernel."""
        return self.images[name][0]

    def source_map_of(self, name: str) -> SourceMap:
        """Returns the source line of each instruction of a kernel."""
        return self.images[name][1]


@dataclass(slots=True)
class HostRun:
    """Run of a host program.

    Attributes:
        programs: what it enqueued, in order.
        checked: findings of checks in each of them, and in one that failed.
        status: exit status of the program.
        failure: message of the exception that ended it; empty if none did.
    """

    machine: Machine
    programs: list[EnqueuedProgram] = field(default_factory=list)
    checked: list[CheckedProgram] = field(default_factory=list)
    status: int = 0
    failure: str = ""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The result rows of all programs."""
        return [row for program in self.programs for row in program.rows]

    def named_rows(self, file: str, arguments: Sequence[str]) -> list[dict[str, Any]]:
        """Returns the result rows with the program that made them, so that rows of several runs can be told apart."""
        text = " ".join([Path(file).name, *arguments])
        words = "".join(letter if letter.isprintable() and letter != ";" else "?" for letter in text)
        return [row | {"params": ";".join(filter(None, (f"{PROGRAM}={words}", row["params"])))} for row in self.rows]

    @property
    def warnings(self) -> list[str]:
        """The warnings of all programs, each once."""
        return warnings_of(self.programs)


class HostSession:
    """The other side of host code that runs: compiles the kernels that it asks for, and collects its results.

    Attributes:
        request: the program; another one may follow.
        run: results so far.
    """

    def __init__(self, request: HostRequest, machine: Machine, options: HostOptions, place: Path) -> None:
        """Begins a session. Kernels that are no files are put into the folder `place`."""
        self.request = request
        self.run = HostRun(machine)
        self._arch = root_of(machine.arch)
        self._options = options
        self._place = place
        self._images: list[tuple[Path, SourceMap]] = []
        self._asked_for: set[Path] = set()

    def require_replacements(self) -> None:
        """Raises InputError for a replacement that took the place of no kernel."""
        for kernel, file in self._options.replacements.items():
            if file.absolute() not in self._asked_for:
                found = ", ".join(sorted({its.name for its in self._asked_for})) or "none"
                raise InputError(f"--replace {kernel}: expected a kernel of the program, found {found}")

    def asked(self) -> dict[str, Any]:
        """Returns the options of the session for the simulator, but for on_exit; see run_host_program in _core.pyi."""
        return {
            "compile": self._compile,
            "on_end": self._ended,
            "checks": sorted(self._options.checks),
            "cycles_max": self._options.cycles_max,
            "timed_zones": list(self._options.timed_zones),
            "slow_dispatch": _SLOW_DISPATCH in os.environ,
            "replacements": {kernel: str(file.absolute()) for kernel, file in self._options.replacements.items()},
            "recorded_program": self._options.recorded_program,
            "max_records": self._options.trace_records,
        }

    def _compile(self, source: Mapping[str, Any]) -> tuple[int, bytes, SourceMap]:
        """Returns the number, the image and the source map of a kernel; see KernelSource in kernels/host/session.h."""
        file = self._file_of(source["file"], source["text"])
        self._asked_for.add(file)
        kernel = compile_kernel(
            KernelRequest(
                source=file,
                architecture=self._arch,
                riscv=source["riscv"],
                noc=source["noc"],
                noc_mode=NOC_MODES[source["noc_mode"]],
                num_dram_banks=source["dram_banks"],
                num_l1_banks=source["l1_banks"],
                pcie_noc=source["pcie_noc"],
                compile_time_args=tuple(source["compile_time_args"]),
                named_compile_time_args=source["named_compile_time_args"],
                runtime_arg_names=tuple(source["runtime_arg_names"]),
                common_arg_names=tuple(source["common_arg_names"]),
                buffer_names=source["buffer_names"],
                semaphore_names=source["semaphore_names"],
                buffers={
                    id_: BufferFormat(page_bytes, None if number is None else _format_name(number), tile_rows)
                    for id_, (page_bytes, number, tile_rows) in source["buffers"].items()
                },
                defines=source["defines"],
                page_bytes_in_layouts=True,
                compute=None if source["compute"] is None else ComputeOptions(*source["compute"]),
                include_directories=(*self.request.include_directories, *_roots_above(file)),
                optimisation=source["optimization"],
                compiler=self._options.compiler,
            )
        )
        self._images.append((file, kernel.source_map))
        return len(self._images) - 1, kernel.elf, short_chains(kernel.source_map)

    def _ended(self, runtime_id: int, result: dict[str, Any]) -> None:
        images = {name: self._images[number] for name, number in result["images"].items()}
        maps = {name: source_map for name, (_, source_map) in images.items()}
        checked = CheckedProgram(maps, result["l1_ranges"], result["findings"], result["delays"])
        self.run.checked.append(checked)
        if "failure" in result:
            return
        name_compiler(result["rows"], find_toolchain(self._options.compiler).label)
        is_recorded = "runs" in result
        result["data_faults"] = [""] * len(result["rows"])
        program = EnqueuedProgram(
            runtime_id=runtime_id,
            images=images,
            kernels=result["runs"] if is_recorded else result["kernels"],
            result=result,
            trace=PointTrace.of(result, self._options.trace_records) if is_recorded else None,
        )
        cores = {(kernel["physical_x"], kernel["physical_y"]) for kernel in program.kernels}
        is_skewed = result["starts_skewed"] and len(cores) > 1
        for row in program.rows:
            row["params"] = with_value(row["params"], *_STARTS_SKEWED) if is_skewed else row["params"]
            row["test_id"] = next(iter(program.recorded(TEST_ID, row["kernel"])), row["test_id"])
        self.run.programs.append(program)

    def _file_of(self, name: str, text: str) -> Path:
        if not name:
            file = self._place / f"kernel_{len(list(self._place.iterdir()))}.cpp"
            file.write_text(text, encoding="utf-8")
            return file
        folders = places_of_kernels(self.request.sources[0])
        for folder in folders:
            if (folder / name).is_file():
                return folder / name
        program = self.request.sources[0].name
        raise InputError(
            f"{name}: no such file in {folders[0]}, in ${_ROOT} or in the folders of {program} and above it"
        )


def places_of_kernels(program: Path) -> list[Path]:
    """Returns the folders in which the kernels of a host program are looked for, in this order."""
    above = program.absolute().parents
    examples = [folder / "tt_metal" / "programming_examples" for folder in above]
    return [Path.cwd(), *([Path(os.environ[_ROOT])] if _ROOT in os.environ else []), *above, *examples]


def _roots_above(file: Path) -> list[Path]:
    """Returns the checkouts that a file lies in, and their sources of ttnn: kernels name their headers from there."""
    roots = checkouts_above(file)
    return [*roots, *(sources for root in roots if (sources := root / "ttnn" / "cpp").is_dir())]


def _format_name(number: int) -> str:
    """Returns the name of a data format by its number in tt-metal. Raw formats are those of the same size."""
    raw = {0xF0: "UInt8", 0xF1: "UInt16", 0xF2: "UInt32"}
    name = _FORMAT_NAMES.get(number) or raw.get(number)
    if name is None:
        raise InputError(f"circular buffer: expected a data format, found number {number}")
    return name


def run_host_program(
    request: HostRequest,
    machine: Machine,
    options: HostOptions,
    on_exit: Callable[[HostRun], int] | None = None,
) -> HostRun:
    """Compiles and runs a host program.

    Args:
        request: the program.
        machine: machine for the run.
        options: options of the run.
        on_exit: called if the host program ends the process; returns its exit status. None: that is an error.

    Raises:
        HostCompileError: the program does not compile.
        InputError: the program uses what there is none of.
    """
    return run_library(build_for(machine, request, options), request, machine, options, on_exit)


def build_for(
    machine: Machine, request: HostRequest, options: HostOptions, unusable: list[HostCompileError] | None = None
) -> bytes:
    """Returns a compiled host program; see :func:`nocbench.host.building.build`. Prepares for its kernels meanwhile."""
    with ThreadPoolExecutor(1) as beside:
        beside.submit(precompile, root_of(machine.arch), options.compiler)
        return build(request, unusable)


def run_library(
    library: bytes,
    request: HostRequest,
    machine: Machine,
    options: HostOptions,
    on_exit: Callable[[HostRun], int] | None = None,
) -> HostRun:
    """Runs a compiled host program; see :func:`run_host_program`."""
    with tempfile.TemporaryDirectory(prefix="nocbench-host-") as folder:
        place = Path(folder)
        session = HostSession(request, machine, options, place)
        run = session.run

        def exited(status: int) -> int:
            run.status = status
            try:
                if on_exit is not None:
                    return on_exit(run)
                print(f"error: {words[0]}: expected a return from main(), found exit({status})", file=sys.stderr)  # noqa: T201
                return ExitStatus.BAD_INPUT
            finally:
                shutil.rmtree(place)  # the process ends here

        file = place / "program.so"
        file.write_bytes(library)
        words = [str(request.sources[0]), *options.arguments]
        where = (machine.arch, machine.board, machine.settings)
        with input_errors() as core:
            run.status, run.failure = core.run_host_program(
                str(file), words, *where, {**session.asked(), "on_exit": exited}
            )
        if not run.failure:
            session.require_replacements()
    return run
