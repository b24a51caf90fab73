"""Runs of programs: compiling kernels, placing data, simulating, and checking the resulting data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from nocbench.architectures.files import root_of
from nocbench.architectures.memories import memories_of
from nocbench.extension import input_errors
from nocbench.points.accuracy import AUTO, decide, with_fast
from nocbench.points.kernel_compilers import name_compiler
from nocbench.points.own_run import KernelsRun
from nocbench.points.point_results import PointTrace
from nocbench.points.tiles import correlation, untilize
from nocbench.programs import card_kernels
from nocbench.programs.layout import lay_out
from nocbench.programs.preparation import make_contents, names_on_core, placed_arguments, simulator_program
from nocbench.programs.program import Buffer, Place, Region, Tensor
from nocbench.programs.requests import compile_kernels, compiler_of
from nocbench.support.errors import InputError, Mistakes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from nocbench.architectures.memories import Memories
    from nocbench.compiling.compiler import CompiledKernel
    from nocbench.compiling.source_map import SourceMap
    from nocbench.points.accuracy import Accuracy, Work
    from nocbench.programs.expressions import Names
    from nocbench.programs.layout import Layout, Range
    from nocbench.programs.program import Contents, Core, ProgramDescription

_CACHE = "riscv.cache_is_on"
_INITCHECK = "initcheck"

CYCLES_MAX = 2_000_000_000
"""Default limit of a program's modeled run time, in cycles."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Machine for a program.

    Attributes:
        arch: architecture.
        board: board; empty: the default board.
        settings: changed fields of architecture and board, as (path, value).
    """

    arch: str
    board: str = ""
    settings: tuple[tuple[str, str], ...] = ()

    def memories(self) -> Memories:
        """Returns its memory layout. Raises InputError if there is no such machine."""
        return memories_of(self.arch, self.board, self.settings)

    def at_accuracy(self, accuracy: Accuracy, work: Callable[[], Work | None]) -> Machine:
        """Returns the machine with the chosen accuracy for the given work.

        Raises InputError if only exact simulation exists for the architecture.
        """
        decision = decide(accuracy.choice, self.arch, work)
        if accuracy.choice == AUTO:
            accuracy.say(decision.sentence(self.describe()))
        return replace(self, settings=with_fast(self.settings)) if decision.is_fast else self

    def for_program(self, program: ProgramDescription) -> Machine:
        """Returns the machine in the state that a program asks for. Settings of the machine take precedence."""
        if program.l1_data_cache is None or any(name == _CACHE for name, _ in self.settings):
            return self
        return replace(self, settings=(*self.settings, (_CACHE, str(int(program.l1_data_cache)))))

    def describe(self) -> str:
        """Returns the machine in words: "blackhole (p100a)"."""
        return f"{self.arch} ({self.board})" if self.board else self.arch


Delay = tuple[int, str, "Core | None", int | None, int, int]
"""A delay of a run: see run_compiled_program in nocbench/_core.pyi."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Checks and delays of a run. Without delays, the timing is the same.

    Attributes:
        checks: names of checks; see :mod:`nocbench.checks`.
        seed: seed of delays, or None for none.
        only_delays: places of the delays to take; None: all.
        takes_fingerprints: True to fingerprint memory at the end.
    """

    checks: Collection[str] = ()
    seed: int | None = None
    only_delays: Collection[int] | None = None
    takes_fingerprints: bool = False


NO_WATCH = Watch()


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """Findings of checks, and what is needed to put them in words.

    Attributes:
        source_maps: source line of each instruction of its kernels, by name.
        l1_ranges: names of parts of L1 of every core, with first address and address after the last.
        findings: see findings_of_point in nocbench/_core.pyi.
        delays: see run_compiled_program there.
    """

    source_maps: Mapping[str, SourceMap]
    l1_ranges: Sequence[tuple[str, int, int]]
    findings: list[dict[str, Any]]
    delays: list[Delay]


class WatchedRunError(InputError):
    """A fault of a kernel in a program in which checks have found something, or that was delayed."""

    def __init__(self, text: str, checked: CheckedProgram) -> None:
        """Stores the message and the findings."""
        super().__init__(text)
        self.checked = checked


@dataclass(frozen=True, slots=True)
class ProgramRun(KernelsRun):
    """Run of a program.

    Attributes:
        program: the program.
        machine: the machine.
        compiled: each of the program's kernels, by name.
        contents: contents of the requested tensors and regions.
        layout: addresses of the program's data.
    """

    program: ProgramDescription
    machine: Machine
    compiled: Mapping[str, CompiledKernel]
    contents: Mapping[tuple[str, Core | None], bytes]
    layout: Layout

    @property
    def checked(self) -> CheckedProgram:
        """The findings of checks."""
        return _checked(self.program, self.compiled, self.layout, self.result)

    @property
    def data_ok(self) -> bool:
        """True if all data are as expected."""
        return not self.fault

    def source_of(self, name: str) -> Path:
        """Returns the source of a kernel."""
        return next(kernel.source for kernel in self.program.kernels if kernel.name == name)

    def source_map_of(self, name: str) -> SourceMap:
        """Returns the source line of each instruction of a kernel."""
        return self.compiled[name].source_map


def run_program(
    program: ProgramDescription,
    machine: Machine,
    *,
    cycles_max: int = CYCLES_MAX,
    read: Iterable[tuple[str, Core | None]] = (),
    trace_records: int = 0,
    watch: Watch = NO_WATCH,
) -> ProgramRun:
    """Runs a program on a new device.

    Args:
        program: the program to run.
        machine: machine for the run.
        cycles_max: limit of the modeled run time.
        read: further tensors, and regions on cores, to read after the run; those with expectations are always read.
        trace_records: maximum number of recorded events of each kind; 0: no recording.
        watch: checks and delays.

    Raises:
        KernelCompileError: a kernel does not compile.
        WatchedRunError: a kernel does something illegal, and checks have found something or there were delays.
        InputError: the program makes no sense or does not fit, or a kernel does something illegal.
    """
    machine = machine.for_program(program)
    memories = machine.memories()
    card_kernels.require_no_compiling(program)
    layout = lay_out(program, memories)
    _check_places(program, memories)
    arguments = placed_arguments(program, layout)
    compiled = compile_kernels(program, layout, arguments, root_of(machine.arch))
    where = (machine.arch, machine.board, machine.settings)
    placed = card_kernels.placed(program, layout, compiled, where)
    if placed != program:  # kernels for the card are on other NoCs
        program, arguments = placed, placed_arguments(placed, layout)
    wanted = list(dict.fromkeys([*_expected_things(program), *read]))
    ranges = [_ranges(program, layout, name, core) for name, core in wanted]
    asked = simulator_program(program, layout, arguments, compiled, with_zeros=_INITCHECK in watch.checks)
    asked["read_back"] = [(r.core, r.bank, r.address, r.size) for some in ranges for r in some]
    asked["cycles_max"] = cycles_max
    asked["checks"] = sorted(watch.checks)
    asked["seed"] = watch.seed
    asked["only_delays"] = None if watch.only_delays is None else set(watch.only_delays)
    asked["takes_fingerprints"] = watch.takes_fingerprints
    with input_errors() as core:
        if trace_records:
            result = core.trace_compiled_program(asked, *where, trace_records)
        else:
            result = core.run_compiled_program(asked, *where)
    if "failure" in result:
        raise WatchedRunError(result["failure"], _checked(program, compiled, layout, result))
    contents = _contents(program, layout, wanted, ranges, result["read_back"])
    fault = next((wrong for wrong in _wrong_data(program, layout, contents) if wrong), "")
    rows = result["rows"]
    changed = [f"{name}={value}" for name, value in program.changed.items()]
    kernels = result["runs"] if trace_records else result["kernels"]
    for row in rows:
        row["num_transactions"] = _num_transactions(kernels, row["kernel"])
        row["call_size_bytes"] = row["transaction_size_bytes"]
        row["data_ok"] = row["data_ok"] and not fault
        row["params"] = ";".join([*changed, *([row["params"]] if row["params"] else [])])
    name_compiler(rows, compiler_of(program))
    result["data_faults"] = [fault] * len(rows)
    trace = PointTrace.of(result, trace_records) if trace_records else None
    return ProgramRun(program, machine, compiled, contents, layout, kernels=kernels, result=result, trace=trace)


def _checked(
    program: ProgramDescription, compiled: Mapping[str, CompiledKernel], layout: Layout, result: Mapping[str, Any]
) -> CheckedProgram:
    source_maps = {name: kernel.source_map for name, kernel in compiled.items()}
    return CheckedProgram(source_maps, [*layout.named_l1_ranges(program)], result["findings"], result["delays"])


def _num_transactions(kernels: Sequence[Mapping[str, Any]], name: str) -> int:
    """Returns a kernel's number of transactions: as recorded for the device-side profiler, else that of commands."""
    last = [kernel for kernel in kernels if kernel["name"] == name][-1]
    recorded = [value for what, value, _ in last["recorded"] if what == "Number of transactions"]
    return int(recorded[0] if recorded else last["commands"])


def _check_places(program: ProgramDescription, memories: Memories) -> None:
    """Raises InputError with all missing cores and banks.

    The simulator would report only one, without its place in the file.
    """
    mistakes = Mistakes()
    last = max(memories.cores)
    used = [(f"{kernel.where}: cores", core) for kernel in program.kernels for core in kernel.cores]
    used += [(tensor.where, core) for tensor in program.tensors for core in tensor.on if isinstance(core, tuple)]
    places = [place for e in program.expect for place in (e.place, e.equals.same_as) if place is not None]
    used += [(place.where, place.core) for place in places if place.core is not None]
    parts = [part for thing in program.in_l1 for part in thing.initial]
    used += [(f"{part.contents.where}: cores", core) for part in parts for core in part.cores or ()]
    for where, core in used:
        if core not in memories.translated:
            mistakes.note(f"{where}: expected a core from (0, 0) to {last} of {memories.board}, found {core}")
    for tensor in program.tensors:
        for bank in tensor.on:
            if isinstance(bank, int) and not 0 <= bank < memories.dram_banks:
                mistakes.note(
                    f"{tensor.where}: on: expected a DRAM bank from 0 to {memories.dram_banks - 1}, found {bank}"
                )
    mistakes.complain()


def _expected_things(program: ProgramDescription) -> list[tuple[str, Core | None]]:
    places = [place for e in program.expect for place in (e.place, e.equals.same_as) if place is not None]
    return [(place.name, place.core) for place in places]


def _ranges(program: ProgramDescription, layout: Layout, name: str, core: Core | None) -> tuple[Range, ...]:
    from nocbench.programs.layout import Range

    thing = program.thing(name)
    if thing is None:
        raise InputError(f"expected the name of a tensor or region, found '{name}'")
    if isinstance(thing, Tensor):
        return layout.banks_of(thing)
    return (Range(core, 0, layout.address_in_l1(thing), thing.size),)


def _contents(
    program: ProgramDescription,
    layout: Layout,
    wanted: Sequence[tuple[str, Core | None]],
    ranges: Sequence[tuple[Range, ...]],
    read_back: Sequence[bytes],
) -> dict[tuple[str, Core | None], bytes]:
    contents = {}
    rest = iter(read_back)
    for (name, core), some in zip(wanted, ranges, strict=True):
        banks = [next(rest) for _ in some]
        thing = program.thing(name)
        contents[name, core] = layout.join(thing, banks) if isinstance(thing, Tensor) else banks[0]
    return contents


def _wrong_data(
    program: ProgramDescription, layout: Layout, contents: Mapping[tuple[str, Core | None], bytes]
) -> Iterable[str]:
    names = layout.names(program)
    for expectation in program.expect:
        place = expectation.place
        found = _part(contents, place)
        own = names if place.core is None else names_on_core(names, place.core)
        expected = _expected(expectation.equals, len(found), contents, own)
        if expectation.resemblance is not None:
            wanted = expectation.resemblance
            coefficient = _correlation(found, expected, wanted.data_format)
            if not coefficient >= wanted.correlation:  # also if it is no number
                yield (
                    f"{place.where}: correlation with the expected tiles: expected at least {wanted.correlation}, "
                    f"found {coefficient:.6f}"
                )
        elif found != expected:
            index = next(i for i, (a, b) in enumerate(zip(found, expected, strict=True)) if a != b)
            offset = place.offset_bytes + index
            yield (
                f"{place.where}: {_where(program, layout, place, offset)}: expected {_word(expected, index)}, "
                f"found {_word(found, index)}"
            )


def _correlation(found: bytes, expected: bytes, data_format: str) -> float:
    side = 32
    return correlation(untilize(found, side, data_format), untilize(expected, side, data_format))


def _part(contents: Mapping[tuple[str, Core | None], bytes], place: Place) -> bytes:
    content = contents[place.name, place.core]
    return content[place.offset_bytes :] if place.size is None else content[place.offset_bytes :][: place.size]


def _expected(equals: Contents, size: int, contents: Mapping[tuple[str, Core | None], bytes], names: Names) -> bytes:
    if equals.same_as is None:
        return make_contents(equals, size, names)
    other = _part(contents, equals.same_as)
    if len(other) != size:
        raise InputError(f"{equals.where}: expected {size:,} bytes of '{equals.same_as.name}', found {len(other):,}")
    return other


def _word(data: bytes, index: int) -> str:
    """Returns a wrong byte and the 32-bit word that contains it, in words."""
    begin = index // 4 * 4
    word = int.from_bytes(data[begin : begin + 4], "little")
    return f"{data[index]:#04x} (of the word {word:#010x})"


def _where(program: ProgramDescription, layout: Layout, place: Place, offset: int) -> str:
    thing = program.thing(place.name)
    if isinstance(thing, Tensor):
        return f"tensor {place.name}, byte {offset:,}, {layout.place_of_byte(thing, offset)}"
    if not isinstance(thing, (Region, Buffer)):
        raise KeyError(place.name)
    name = f"region {thing.name}" if isinstance(thing, Region) else f"buffer {thing.name or thing.id}"
    return f"{name}, byte {offset:,} (core {place.core}, address {layout.address_in_l1(thing) + offset:#x})"
