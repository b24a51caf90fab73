"""The typed boundary to the C++ simulator; nothing else in Python calls it.

The extension module is imported on first use, so that results of earlier runs can be read and compared without it. The
simulator's complaints about input arrive as :class:`nocbench.support.errors.InputError`.
"""

from __future__ import annotations

import functools
import json
import math
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from nocbench.support.columns import COMPILER, changed_values, with_value
from nocbench.support.errors import InputError, did_you_mean
from nocbench.support.input_files import require_file
from nocbench.support.kept_files import digest, digest_of_parts
from nocbench.support.package import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

    from nocbench._core import EtherboneServer, SharedRuns


SHORTEN_FROM_FLIT_HOPS = 5e8
"""Points with fewer flit-hops are simulated whole. See docs/results.md."""

TRANSACTION_SIZES = "transaction_sizes"
LATENCY_AGAINST_LOAD = "latency_against_load"
PARAMETERS = "parameters"
"""Kinds of pictures.

They show duration and bandwidth by size, latency against injection rate, or duration and bandwidth by one parameter,
with a line for each value of another.
"""

TENSIX_TORUS = "tensix_torus"
EPIPHANY_MESH = "epiphany_mesh"
PLAIN_MESH = "plain_mesh"
WISHBONE_BRIDGE = "wishbone_bridge"
"""Kinds of architectures: see :func:`describe_architecture`."""


class Configuration(Protocol):
    """Input of the simulator for a point: see :class:`nocbench.points.point.Point`."""

    @property
    def arch(self) -> str:
        """Architecture."""

    @property
    def board(self) -> str:
        """Its board, or empty."""

    @property
    def test(self) -> str:
        """Name of the test."""

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Values of axes and parameters of the test."""

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """Fields that differ from the file of the architecture."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a test besides its axes.

    Attributes:
        holds_commas: True if a value contains commas, as coordinates of a core do.
        is_number: True if a value must be a whole number; anything else is refused without a run.
    """

    name: str
    default: str
    meaning: str
    holds_commas: bool = False
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class SweptTest:
    """A named, swept instance of a primitive on one architecture.

    Attributes:
        arch: architecture.
        test_id: stable number.
        test: published name.
        primitive: its folder.
        kind: kind of the architectures that it runs on.
        description: one sentence.
        kernels: labels of its result rows, "Sender" or "Receiver"; one row of each per point.
        axes: tier ("full", "quick") to axis ("num_transactions", "call_size" in bytes, before them swept parameters, if
            any) to values: numbers, or texts of parameters.
        parameters: settable by `-a` besides "num_transactions" and "call_size".
        theoretical_bytes_per_cycle: the highest bandwidth of a result row: that of one link, or where the row adds up
            many cores, of all links that they share.
        board: default board of the test; empty: the architecture's.
        headings: place of its results on the plots page, from the topmost heading down.
        picture: kind of its picture: "transaction_sizes", "latency_against_load" or "parameters".
        plotted: for a picture of parameters, those along the axis and, if there are several lines, of the lines.
    """

    arch: str
    test_id: int
    test: str
    primitive: str
    description: str
    kernels: tuple[str, ...]
    axes: Mapping[str, Mapping[str, tuple[int | str, ...]]]
    parameters: tuple[Parameter, ...]
    theoretical_bytes_per_cycle: float
    headings: tuple[str, ...]
    board: str = ""
    picture: str = TRANSACTION_SIZES
    kind: str = ""
    plotted: tuple[str, ...] = ()

    @property
    def swept_parameters(self) -> tuple[str, ...]:
        """Parameters that are axes of the test: its result rows always name their values."""
        names = {parameter.name for parameter in self.parameters}
        return tuple(axis for axis in self.axes["full"] if axis in names)

    def num_points(self, tier: str) -> int:
        """Returns the number of points of a tier."""
        return math.prod(len(values) for values in self.axes[tier].values())


@dataclass(frozen=True, slots=True)
class PointResult:
    """Results of one point.

    Attributes:
        rows: one result row per kernel, all columns but `revision`.
        data_faults: per row, the first fault of its data: core, address, byte; empty where they are right.
        statistics: figures that have no column, by name.
        cores: per core and kernel: coordinates, bandwidth, latency and waits by cause, in cycles.
        links: per link of each NoC: the flits that crossed it.
        deliveries: per tile that received data: their bytes.
        elapsed_cycles: duration from the start of the first kernel until nothing moves any more.
        flit_hops: flits through any router, in all runs that were made for the point.
        floor_plan: the floor plan of links and tiles, as from :func:`floor_plan`; None: that of the board.
    """

    rows: list[dict[str, Any]]
    data_faults: list[str]
    statistics: dict[str, float]
    cores: list[dict[str, Any]]
    links: list[dict[str, Any]]
    deliveries: list[dict[str, Any]]
    elapsed_cycles: int
    flit_hops: int
    floor_plan: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class PointTrace:
    """Recorded events of one point; times are in cycles.

    Attributes:
        rows: as in :class:`PointResult`.
        cores: as in :class:`PointResult`.
        floor_plan: floor plan of the machine that it ran on, as from :func:`floor_plan`.
        data_faults: as in :class:`PointResult`.
        kernels: per kernel: place, zones (name, begin, end), and stretches of its time (cause, begin, end) without gap
            or overlap.
        transactions: in the order in which they ended: kind, NoC, bytes, places (None: outside of the machine), begin,
            and phases: (number of the kind of phase, end).
        phase_kinds: per kind of phase: name, sentence and what is reached at its end; see device_model/sim/observers.h.
        num_transactions: number of all; more than in `transactions` if these were limited.
        num_stretches: number of all stretches.
        frames: between a host and its FPGA, messages as they leave the host and answers as they come back: nanoseconds,
            True for messages of the host, the host's number, and the bytes.
        num_frames: number of all frames.
        frames_are_datagrams: False: they are pieces of a stream.
        max_records: limit of all three.
    """

    rows: list[dict[str, Any]]
    cores: list[dict[str, Any]]
    floor_plan: dict[str, Any]
    data_faults: list[str]
    kernels: list[dict[str, Any]]
    transactions: list[dict[str, Any]]
    phase_kinds: list[tuple[str, str, str]]
    num_transactions: int
    num_stretches: int
    frames: list[tuple[int, bool, int, bytes]]
    num_frames: int
    frames_are_datagrams: bool
    max_records: int


@dataclass(frozen=True, slots=True)
class Memories:
    """Memory layout of a machine, for programs of compiled kernels.

    Attributes:
        arch: architecture.
        board: name of its board.
        translated: logical to translated coordinate, which kernels use, of each core of the compute grid, in the order
            of banks of L1 that interleaved tensors go round.
        l1_begin: first address of L1 that programs may use.
        l1_bytes: end of L1.
        l1_alignment: alignment of pages.
        dram_banks: number of banks.
        dram_begin, dram_bank_bytes, dram_alignment: as for L1, of each bank.
        packet_bytes: most bytes of one packet.
        bank_of_tile: the bank behind a DRAM tile, by its physical coordinate.
        pcie_noc: coordinate, as kernels use it, of the PCIe tile before the host's memory; None: there is none.
    """

    arch: str
    board: str
    translated: Mapping[tuple[int, int], tuple[int, int]]
    l1_begin: int
    l1_bytes: int
    l1_alignment: int
    dram_banks: int
    dram_begin: int
    dram_bank_bytes: int
    dram_alignment: int
    packet_bytes: int
    bank_of_tile: Mapping[tuple[int, int], int]
    pcie_noc: tuple[int, int] | None

    @property
    def cores(self) -> tuple[tuple[int, int], ...]:
        """Logical coordinates, in the order of banks of L1."""
        return tuple(self.translated)


@functools.cache
def _core() -> ModuleType:
    from nocbench import _core as extension_module

    # Wheels carry the architecture files; in a checkout the extension module knows their place.
    packaged = PACKAGE / "archs"
    if packaged.is_dir():
        extension_module.set_architecture_directory(str(packaged))
    extension_module.set_kernel_compiler(_compile_suite_kernel)
    return extension_module


def _compile_suite_kernel(*request: Any) -> Any:  # noqa: ANN401 - what the simulator asks for, and takes
    if not _running.compiler:
        raise RuntimeError("a kernel is to be compiled of a test whose definition does not say so")
    # Imported late: most runs compile nothing, and the import takes a while.
    from nocbench.compiling.suite_kernels import compile_suite_kernel

    return compile_suite_kernel(*request)


class _Running(threading.local):
    """Compiler of the kernels that run in a thread; empty if none are compiled."""

    compiler = ""


_running = _Running()


@contextmanager
def _kernels_compiled_by(compiler: str) -> Iterator[None]:
    _running.compiler = compiler
    try:
        yield
    finally:
        _running.compiler = ""


def _compiler() -> str:
    from nocbench.compiling.toolchain import find_toolchain

    return find_toolchain(None).label


def compiler_of(test: str) -> str:
    """Returns name and version of the compiler of a test's kernels; empty if none are compiled.

    Raises:
        InputError: there is no compiler.
    """
    with _input_errors() as core:
        return _compiler() if core.has_compiled_kernels(test) else ""


def name_compiler(rows: Iterable[dict[str, Any]], compiler: str) -> None:
    """Adds the compiler of their kernels to rows, unless it is empty."""
    for row in rows:
        row["params"] = with_value(row["params"], COMPILER, compiler)


@contextmanager
def _input_errors() -> Iterator[ModuleType]:
    core = _core()
    try:
        yield core
    except core.InputError as error:
        raise InputError(str(error)) from None


def architecture_names() -> list[str]:
    """Returns the names of all modeled architectures, sorted."""
    with _input_errors() as core:
        return sorted(core.architecture_names())


def source_fingerprint() -> str:
    """Returns the hash of the C++ sources of the extension module."""
    return str(_core().source_fingerprint)


def extension_file() -> Path:
    """Returns the path of the extension module."""
    return Path(str(_core().__file__))


def architecture_file(arch: str) -> Path:
    """Returns the path of an architecture's file. Raises InputError if there is none."""
    with _input_errors() as core:
        return Path(core.architecture_file(arch))


def architecture_files(arch: str) -> list[Path]:
    """Returns the paths of an architecture's file, of its base, of the base of that, and so on."""
    with _input_errors() as core:
        return [Path(file) for file in core.architecture_files(arch)]


def root_of(arch: str) -> str:
    """What an architecture is based on in the end: kernels are compiled for it. Unknown ones are based on nothing."""
    is_known = arch in architecture_names() or arch in _digests_of_added
    return architecture_files(arch)[-1].stem if is_known else arch


_digests_of_added: dict[str, str] = {}
"""Digests of the user's own architecture files with their bases, by name of the architecture."""


def add_architecture(path: Path) -> str:
    """Makes the architecture of a file known, as it is now, and returns its name.

    Raises:
        InputError: mistakes in the file, or another architecture of this name.
    """
    with _input_errors() as core:
        name = str(core.add_architecture(str(path)))
    if name in architecture_names():
        return name
    content = _digest_of_files(name)
    if _digests_of_added.get(name) != content:
        _digests_of_added[name] = content
        for known in (kind_of, _described_with, _theoretical_bytes_per_cycle, floor_plan):
            known.cache_clear()
    return name


def _digest_of_files(arch: str) -> str:
    return digest_of_parts(*(digest(file.read_bytes()) for file in architecture_files(arch)))


def has_changed(arch: str, content: str) -> bool:
    """True if the user's own file of an architecture, or a base, is not the one with the digest `content`."""
    return content != "" and _digest_of_files(arch) != content


def digest_of_added(arch: str) -> str:
    """Returns the digest of the user's own file of an architecture, with its bases; empty for all others."""
    return _digests_of_added.get(arch, "")


def read_yaml(path: str, what: str) -> dict[str, Any]:
    """Reads a YAML file as nodes that know their place: see bindings/yaml.h.

    Raises:
        InputError: no such file, or not one document; the message says that `what`, as "a policy", was expected.
    """
    if Path(path).exists():  # otherwise the parser complains
        require_file(Path(path))
    with _input_errors() as core:
        return dict(core.read_yaml(path, what))


def require_architecture(arch: str) -> None:
    """Raises InputError, with the names that exist, unless `arch` is a modeled architecture."""
    names = architecture_names()
    if arch not in names and arch not in _digests_of_added:
        raise InputError(
            f"no architecture is called '{arch}'{did_you_mean(arch, names) or '; there are: ' + ', '.join(names)}"
        )


@functools.cache
def kind_of(arch: str) -> str:
    """Returns the kind of an architecture."""
    return str(describe_architecture(arch)["kind"])


def published_source(arch: str) -> str:
    """Returns the source of published measurements of an architecture: "silicon", or "RTL" for plain meshes."""
    return "RTL" if kind_of(arch) == PLAIN_MESH else "silicon"


def describe_architecture(arch: str) -> dict[str, Any]:
    """Describes an architecture and its boards.

    Returns:
        name, kind, description, default_board, boards, num_dram_banks, and of the default board clock_hz, flit_bytes,
        link_bytes_per_cycle and launch_skew_cycles.
    """
    require_architecture(arch)
    with _input_errors() as core:
        return dict(core.describe_architecture(arch))


def require_settings(arch: str, board: str, settings: Sequence[tuple[str, str]]) -> None:
    """Raises InputError if an architecture has no such fields, or refuses their values."""
    with _input_errors() as core:
        core.describe_architecture(arch, board, list(settings))


@functools.cache
def list_depth(field: str) -> int:
    """Returns the depth of nested lists in the values of a field of architectures; 0 for others and unknown fields."""
    of_kinds = _schema().get("$defs", {}).values()
    return max((_list_depth_in(of_kind.get("properties", {}), field) for of_kind in of_kinds), default=0)


def _list_depth_in(properties: Mapping[str, Any], field: str) -> int:
    section, _, name = field.partition(".")
    if section == "board":
        section_schema = properties.get("boards", {}).get("additionalProperties", {})
    else:
        section_schema = properties.get(section, {})
    schema = section_schema.get("properties", {}).get(name, {}).get("properties", {}).get("value", {})
    depth = 0
    while schema.get("type") == "array":
        depth += 1
        schema = schema.get("items", {})
    return depth


@functools.cache
def _schema() -> dict[str, Any]:
    with _input_errors() as core:
        return dict(json.loads(core.architecture_json_schema()))


def link_bytes_per_cycle(arch: str, board: str, params: str) -> float:
    """Returns the bandwidth of one link with the board and the column `params` of a result row.

    Boards and settings that this revision does not know count as the architecture's.
    """
    return float(_described(arch, board, params)["link_bytes_per_cycle"])


def launch_skew_cycles(arch: str, board: str, params: str) -> int:
    """Returns the delay between starts of successive cores, where a host starts them one by one.

    Unknown boards and settings are treated as in :func:`link_bytes_per_cycle`.
    """
    return int(_described(arch, board, params)["launch_skew_cycles"])


def _described(arch: str, board: str, params: str) -> Mapping[str, Any]:
    """Returns :func:`describe_architecture` with the board and the settings of a result row."""
    return _described_with(arch, board, _settings_of(params))


def known_theoretical_bytes_per_cycle(arch: str, test: str, board: str, params: str) -> float | None:
    """Returns the highest bandwidth of a result row of a test, over all links that its data can be on at once.

    None for an architecture, test, board or setting that this revision does not know.
    """
    return _theoretical_bytes_per_cycle(arch, board, _settings_of(params)).get(test)


def _settings_of(params: str) -> tuple[tuple[str, str], ...]:
    return tuple(item for item in changed_values(params).items() if "." in item[0])


@functools.cache
def _described_with(arch: str, board: str, settings: tuple[tuple[str, str], ...]) -> Mapping[str, Any]:
    require_architecture(arch)
    with _input_errors() as core:
        try:
            return dict(core.describe_architecture(arch, board, list(settings)))
        except core.InputError:
            return dict(core.describe_architecture(arch))


@functools.cache
def _theoretical_bytes_per_cycle(arch: str, board: str, settings: tuple[tuple[str, str], ...]) -> Mapping[str, float]:
    with _input_errors() as core:
        try:
            return dict(core.theoretical_bytes_per_cycle(arch, board, list(settings)))
        except core.InputError:
            return {}


@functools.cache
def floor_plan(arch: str, board: str = "", settings: tuple[tuple[str, str], ...] = ()) -> dict[str, Any]:
    """Describes the grid: columns, rows, flit_bytes, per place x, y, kind and logical coordinate, and networks.

    Each network has a name, directions of its links by name, as a step along x and y, whether they wrap around the
    edges, and the flits that a link carries per cycle.
    """
    with _input_errors() as core:
        return dict(core.describe_floor_plan(arch, board, list(settings)))


@dataclass(frozen=True, slots=True)
class BusDevice:
    """A device on the bus of an FPGA.

    Attributes:
        is_listed: True if in the table of devices; the table itself is not.
    """

    name: str
    first_address: int
    last_address: int
    is_listed: bool


def bus_devices(board: str, settings: Sequence[tuple[str, str]] = ()) -> list[BusDevice]:
    """Returns the built-in devices of a board's FPGA, by address."""
    with _input_errors() as core:
        return [BusDevice(**device) for device in core.describe_bus_devices(board, list(settings))]


def etherbone_server(
    board: str,
    settings: Sequence[tuple[str, str]],
    devices: Sequence[Mapping[str, Any]],
    options: Mapping[str, Any],
) -> EtherboneServer:
    """Opens the ports of an FPGA for connections. ``_core.EtherboneServer`` has the shape of devices and options."""
    with _input_errors() as core:
        server: EtherboneServer = core.EtherboneServer(board, list(settings), [dict(d) for d in devices], dict(options))
        return server


def list_tests(arch: str) -> list[SweptTest]:
    """Returns all tests of an architecture, which are those of its kind, by id."""
    require_architecture(arch)
    with _input_errors() as core:
        descriptions = core.list_tests(arch)
    tests = [
        SweptTest(
            arch=arch,
            test_id=description["test_id"],
            test=description["test"],
            primitive=description["primitive"],
            description=description["description"],
            kernels=tuple(description["kernels"]),
            axes={
                tier: {axis: tuple(values) for axis, values in axes.items()}
                for tier, axes in description["axes"].items()
            },
            parameters=tuple(
                Parameter(p["name"], p["default"], p["meaning"], p["holds_commas"]) for p in description["parameters"]
            ),
            theoretical_bytes_per_cycle=float(description["theoretical_bytes_per_cycle"]),
            headings=tuple(description.get("headings") or [description["test"]]),
            board=description.get("board", ""),
            picture=description.get("picture", TRANSACTION_SIZES),
            kind=description.get("kind", ""),
        )
        for description in descriptions
    ]
    return sorted(tests, key=lambda test: (test.test_id, test.test))


def shortening(*, whole: bool) -> float | None:
    """Returns the flit-hops from which points of a run may be shortened; None: no point may."""
    return None if whole else SHORTEN_FROM_FLIT_HOPS


def can_be_shortened(test: str) -> bool:
    """True if long points of a test may be run with fewer transactions."""
    with _input_errors() as core:
        return bool(core.can_be_shortened(test))


def shared_runs() -> SharedRuns:
    """Returns a cache of runs for points that differ in the number of transactions only: see :func:`run_point`."""
    return _core().SharedRuns()  # type: ignore[no-any-return]


def run_point(
    point: Configuration, *, shorten_from_flit_hops: float | None = None, runs: SharedRuns | None = None
) -> PointResult:
    """Simulates one point.

    Args:
        point: the point to simulate.
        shorten_from_flit_hops: points of at least as many may be run with fewer transactions, once their latency is
            found to grow steadily with them; None: all transactions are simulated.
        runs: runs of other points, to reuse; ignored unless points may be shortened.

    Raises:
        InputError: the simulator refuses its configuration.
    """
    settings: Sequence[tuple[str, str]] = point.settings
    compiler = compiler_of(point.test)
    with _input_errors() as core, _kernels_compiled_by(compiler):
        result = core.run_point(
            point.test,
            point.arch,
            point.board,
            dict(point.parameters),
            list(settings),
            math.inf if shorten_from_flit_hops is None else shorten_from_flit_hops,
            runs,
        )
    name_compiler(result["rows"], compiler)
    return PointResult(**result)


def check_point(point: Configuration) -> None:
    """Sets up one point without running it or compiling its kernels.

    Raises:
        InputError: the simulator refuses its configuration.
    """
    with _input_errors() as core:
        core.check_point(point.test, point.arch, point.board, dict(point.parameters), list(point.settings))


def run_point_compiled(point: Configuration) -> PointResult:
    """Simulates one point with all kernels compiled for the RISCs of the tiles, instruction by instruction.

    Raises:
        InputError: the simulator refuses its configuration, or a kernel does something illegal.
    """
    compiler = _compiler()
    with _input_errors() as core, _kernels_compiled_by(compiler):
        result = core.run_point_compiled(
            point.test, point.arch, point.board, dict(point.parameters), list(point.settings)
        )
    name_compiler(result["rows"], compiler)
    return PointResult(**result)


def trace_point(point: Configuration, max_records: int) -> PointTrace:
    """Simulates one point and records events: the first `max_records` transactions and stretches.

    Raises:
        InputError: the simulator refuses its configuration.
    """
    compiler = compiler_of(point.test)
    with _input_errors() as core, _kernels_compiled_by(compiler):
        result = core.trace_point(
            point.test, point.arch, point.board, dict(point.parameters), list(point.settings), max_records
        )
    name_compiler(result["rows"], compiler)
    return to_trace(result, max_records)


def record_point(point: Configuration) -> list[tuple[Any, ...]]:
    """Simulates one point and returns the calls of its kernels, in the order of bindings/trace.h.

    Raises:
        InputError: the simulator refuses its configuration, or its kernels are not those of Tensix tiles.
    """
    with _input_errors() as core, _kernels_compiled_by(compiler_of(point.test)):
        result = core.record_point(point.test, point.arch, point.board, dict(point.parameters), list(point.settings))
    return list(result["calls"])


@dataclass(frozen=True, slots=True)
class CardKernel:
    """Facts about a kernel that was compiled for the card.

    Attributes:
        l1_ranges: ranges of L1 that it occupies: first address, address behind the last.
        l1_banks: banks in L1 that it was compiled for; 0 if unknown.
        go_byte: address in L1 that its start polls until it may go on; None: it does not wait.
        noc: NoC whose counters its start reads; None: it reads none.
    """

    l1_ranges: Sequence[tuple[int, int]]
    l1_banks: int
    go_byte: int | None
    noc: int | None


def memories(arch: str, board: str = "", settings: Sequence[tuple[str, str]] = ()) -> Memories:
    """Returns the memory layout of a machine, for programs of compiled kernels.

    Raises:
        InputError: no such architecture, board or setting, or one that kernels cannot be compiled for.
    """
    require_architecture(arch)
    with _input_errors() as core:
        facts = dict(core.describe_memories(arch, board, list(settings)))
    cores = {(x, y): (translated_x, translated_y) for x, y, translated_x, translated_y in facts.pop("cores")}
    banks = {(x, y): bank for x, y, bank in facts.pop("dram_tiles")}
    return Memories(translated=cores, bank_of_tile=banks, **facts)


def riscv_of_image(elf: bytes, name: str) -> int | None:
    """Returns the RISC that a kernel for the card was linked for; None if its image does not tell.

    Raises:
        InputError: the image is no program for 32-bit RISC-V; the message begins with `name`.
    """
    with _input_errors() as core:
        riscv: int | None = core.riscv_of_image(elf, name)
    return riscv


def describe_card_kernel(
    elf: bytes,
    name: str,
    firmware: tuple[str, bytes],
    arch: str,
    board: str = "",
    settings: Sequence[tuple[str, str]] = (),
) -> CardKernel:
    """Reads what a kernel for the card occupies and waits for.

    Args:
        elf: its image.
        name: begin of messages about it.
        firmware: name and image of the firmware that it was linked against; an empty image if its own symbols suffice.
        arch: architecture.
        board: its board; empty for the default.
        settings: fields of both that differ from their file.

    Raises:
        InputError: it cannot run there, or symbols of its firmware are missing.
    """
    with _input_errors() as core:
        facts = core.describe_card_kernel(elf, name, firmware, arch, board, list(settings))
    return CardKernel(**facts)


def run_compiled_program(
    program: Mapping[str, Any], arch: str, board: str = "", settings: Sequence[tuple[str, str]] = ()
) -> dict[str, Any]:
    """Runs compiled kernels on a fresh device; nocbench/_core.pyi has the shape of the program and of the result.

    Raises:
        InputError: the simulator refuses the program, or a kernel does what it must not.
    """
    with _input_errors() as core:
        return dict(core.run_compiled_program(program, arch, board, list(settings)))


def trace_compiled_program(
    program: Mapping[str, Any], arch: str, board: str, settings: Sequence[tuple[str, str]], max_records: int
) -> dict[str, Any]:
    """Runs compiled kernels and records events, as :func:`trace_point` does; "runs" has the kernels' results."""
    with _input_errors() as core:
        return dict(core.trace_compiled_program(program, arch, board, list(settings), max_records))


def run_flow_table(
    table: Mapping[str, Any], arch: str, board: str, settings: Sequence[tuple[str, str]], max_records: int = 0
) -> dict[str, Any]:
    """Runs a table of flows on a fresh device; scripts/nocbench/_core.pyi has the shapes of `table` and result.

    Args:
        table: flows.
        arch: architecture.
        board: its board, or empty for the default.
        settings: fields of both that differ from their file.
        max_records: most events to record of each kind; 0: none.

    Raises:
        InputError: the flows do not fit into memory, or wait for each other.
    """
    with _input_errors() as core:
        if max_records:
            return dict(core.trace_flow_table(table, arch, board, list(settings), max_records))
        return dict(core.run_flow_table(table, arch, board, list(settings)))


@dataclass(frozen=True, slots=True)
class ShmemMachine:
    """A machine that OpenSHMEM programs can run on.

    Attributes:
        board: its name.
        num_cores: cores that can have a PE.
        memory_bytes: memory of a core.
        clock_hz: cycles per second.
    """

    board: str
    num_cores: int
    memory_bytes: int
    clock_hz: int


def shmem_machine(arch: str, board: str = "", settings: Sequence[tuple[str, str]] = ()) -> ShmemMachine:
    """Returns the machine of a board. Raises InputError if there is none, or if OpenSHMEM programs cannot run on it."""
    require_architecture(arch)
    with _input_errors() as core:
        described = core.describe_architecture(arch, board, list(settings))
    if described["kind"] != EPIPHANY_MESH:
        raise InputError(f"{arch}: expected an Epiphany machine, which programs of OpenSHMEM run on")
    tiles = floor_plan(arch, board, tuple(settings))["tiles"]
    return ShmemMachine(
        str(described["board"]),
        sum(tile["logical"] is not None for tile in tiles),
        int(described["core_memory_bytes"]),
        int(described["clock_hz"]),
    )


@functools.cache
def shmem_routines() -> tuple[str, ...]:
    """Returns the names of all OpenSHMEM routines of the simulator, in the order of their addresses."""
    return tuple(_core().describe_shmem_routines())


def run_shmem_program(
    program: Mapping[str, Any], arch: str, board: str, settings: Sequence[tuple[str, str]], max_records: int = 0
) -> dict[str, Any]:
    """Runs an OpenSHMEM program; scripts/nocbench/_core.pyi has the shapes of `program` and of the result.

    Args:
        program: the compiled program and its options.
        arch: architecture.
        board: its board, or empty for the default.
        settings: fields of both that differ from their file.
        max_records: most events to record of each kind; 0: none.
    """
    with _input_errors() as core:
        if max_records:
            return dict(core.trace_shmem_program(program, arch, board, list(settings), max_records))
        return dict(core.run_shmem_program(program, arch, board, list(settings)))


def decode_etherbone_header(data: bytes) -> dict[str, Any] | None:
    """Decodes the header of an Etherbone message; scripts/nocbench/_core.pyi has its shape. None: no header."""
    header: dict[str, Any] | None = _core().decode_etherbone_header(data)
    return header


def decode_etherbone_records(
    data: bytes, address_bytes: int, port_bytes: int, *, is_answer: bool
) -> tuple[list[dict[str, Any]], int]:
    """Decodes the records at the beginning of `data`; returns them and the number of their bytes."""
    records, num_bytes = _core().decode_etherbone_records(data, address_bytes, port_bytes, is_answer)
    return list(records), int(num_bytes)


def length_of_etherbone_record(data: bytes, address_bytes: int, port_bytes: int) -> int | None:
    """Returns the length of the first record in `data`, in bytes, from its counts; None if these are missing."""
    length: int | None = _core().length_of_etherbone_record(data, address_bytes, port_bytes)
    return length


def encode_etherbone_header(address_bytes: int, port_bytes: int, *, has_no_reads: bool) -> bytes:
    """Encodes the header of an Etherbone message that is no probe."""
    return bytes(_core().encode_etherbone_header(address_bytes, port_bytes, has_no_reads))


def to_trace(result: Mapping[str, Any], max_records: int) -> PointTrace:
    """Converts a recording of the simulator."""
    return PointTrace(
        rows=result["rows"],
        cores=result["cores"],
        floor_plan=result["floor_plan"],
        data_faults=result["data_faults"],
        kernels=result["kernels"],
        transactions=result["transactions"],
        phase_kinds=result["phase_kinds"],
        num_transactions=result["num_transactions"],
        num_stretches=result["num_stretches"],
        frames=result["frames"],
        num_frames=result["num_frames"],
        frames_are_datagrams=result["frames_are_datagrams"],
        max_records=max_records,
    )
