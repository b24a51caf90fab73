"""Programs composed in Python."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from nocbench.architectures.files import name_of
from nocbench.compiling.request import COMPUTE_RISCS, NOC_MODES, TILE_ROWS, ComputeOptions
from nocbench.compiling.toolchain import compiler_path
from nocbench.programs.card_kernels import OF_SOURCES, riscv_of
from nocbench.programs.execution import CYCLES_MAX, Machine, run_program
from nocbench.programs.kernel_entries import COMPUTE, own_name
from nocbench.programs.layout import DRAM, L1, pages_in_bank
from nocbench.programs.program import (
    WORD_BYTES,
    Buffer,
    CardImage,
    CompilerOptions,
    Contents,
    CoreContents,
    Expectation,
    Kernel,
    Place,
    ProgramDescription,
    Region,
    Resemblance,
    Semaphore,
    Tensor,
    Word,
    buffers_by_name,
    format_of_tiles,
    least_correlation,
    rectangle,
)
from nocbench.programs.program_file import machine_parameters, optimization
from nocbench.programs.program_result import ProgramResult
from nocbench.support.errors import InputError, WrongDataWarning
from nocbench.support.names import require_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.programs.program import Core

_NUM_COORDINATES = 2


class Program:
    """Kernels on cores of a modeled chip, with their data.

    >>> program = nocbench.Program("wormhole_b0")
    >>> program.region("source", 4096, initial=range(1024))
    >>> program.region("target", 4096)
    >>> program.kernel("copy.cpp", cores=[(0, 0)], runtime_args=["address source", "address target", "x 1 1", "y 1 1"])
    >>> program.expect("target", range(1024), core=(1, 1))
    >>> result = program.run()

    Arguments are numbers, or texts as in program files (docs/kernels.md). Contents are bytes, a numpy array, or 32-bit
    words, which are like arguments; the rest of a tensor, region or buffer is zero. Initial contents of regions and
    buffers may also be a mapping of cores to contents: ``{(0, 0): range(1024)}``. All other cores then have zeros.
    """

    def __init__(
        self,
        arch: str | Path,
        *,
        board: str = "",
        settings: Mapping[str, object] | None = None,
        name: str = "program",
        include_directories: Iterable[str | Path] = (),
        defines: Mapping[str, object] | None = None,
        optimization_level: str = "-O2",
        compiler: str | Path | None = None,
        tt_metal: str | Path | None = None,
        page_bytes_in_layouts: bool | None = None,
    ) -> None:
        """Creates a program without kernels.

        Args:
            arch: architecture, or the path of its file, as for :func:`nocbench.run`.
            board: board of the architecture; empty: the default board.
            settings: fields of the board or architecture to change, by path: ``{"router.hop_cycles": 10}``.
            name: name of the test in result rows.
            include_directories: folders of headers.
            defines: macros of all kernels; None defines a macro without a value.
            optimization_level: "-O2" as for the device, or "-O0", "-O1", "-O3", "-Os".
            compiler: compiler for 32-bit RISC-V: a program in PATH, a path, or "system"; None: the pinned compiler.
            tt_metal: a checkout of tt-metal or an unpacked `ttnn` wheel: its headers instead of those of nocbench.
            page_bytes_in_layouts: True if layouts of tensors contain the page size; None: as in the headers.

        Raises:
            InputError: no such architecture, board or field.
        """
        fields = tuple((key, str(value)) for key, value in (settings or {}).items())
        self._machine = Machine(name_of(arch), board, fields)
        self._memories = self._machine.memories()
        require_name(name, "program: name")
        self._name = name
        self._options = CompilerOptions(
            include_directories=tuple(Path(directory) for directory in include_directories),
            defines=_macros(defines),
            optimization=optimization(optimization_level),
            compiler=compiler_path(None if compiler is None else str(compiler)),
            tt_metal=None if tt_metal is None else Path(tt_metal),
            page_bytes_in_layouts=page_bytes_in_layouts,
        )
        self._kernels: list[Kernel] = []
        self._buffers: list[Buffer] = []
        self._semaphores: list[Semaphore] = []
        self._things: dict[str, Tensor | Region] = {}
        self._expect: list[Expectation] = []

    def kernel(
        self,
        source: str | Path = "",
        *,
        elf: str | Path = "",
        firmware: str | Path = "",
        cores: Core | Iterable[Core] = (0, 0),
        riscv: int | Literal["compute"] | None = None,
        noc: int | None = None,
        compute: ComputeOptions | None = None,
        noc_mode: str = NOC_MODES[0],
        name: str = "",
        compile_time_args: Iterable[int | str] = (),
        named_compile_time_args: Mapping[str, int | str] | None = None,
        runtime_args: Iterable[int | str] = (),
        each_core: Sequence[Iterable[int | str]] = (),
        runtime_arg_names: Iterable[str] = (),
        common_args: Iterable[int | str] = (),
        common_arg_names: Iterable[str] = (),
        tensors: Iterable[str] = (),
        scratchpads: Iterable[str] = (),
        defines: Mapping[str, object] | None = None,
        timed: str = "",
    ) -> None:
        """Puts a kernel on cores.

        Args:
            source: path of the file with `kernel_main`, or the text of the file.
            elf: instead of a source, the ELF file of a kernel that was compiled for the card.
            firmware: with `elf`, an ELF file with the symbols of the firmware, unless `elf` contains them.
            cores: logical coordinates of the cores.
            riscv: RISC of the tile that runs the kernel; by default 0, or the RISC that `elf` was linked for.
                "compute": the three of a compute kernel, each with a result row.
            compute: options of a compute kernel.
            noc: NoC of the kernel; by default the number of the RISC, or the NoC that `elf` was compiled for.
            noc_mode: "dynamic" for kernels that may use both NoCs, as all kernels of their cores then may.
            name: name of the result row; by default, the name of the file.
            compile_time_args: values by index.
            named_compile_time_args: values by name.
            runtime_args: values by index; "$core_x", "$core_y" and "$core_index" stand for the values of each core.
            each_core: further run-time arguments, after `runtime_args`, for each of `cores`.
            runtime_arg_names: names of the first run-time arguments.
            common_args: values by index.
            common_arg_names: names of the first common arguments.
            tensors: tensors that the kernel accesses by name.
            scratchpads: regions that the kernel accesses by name, as its own memory.
            defines: macros of this kernel.
            timed: the zone to time; empty: the whole kernel.

        Raises:
            InputError: a RISC already has a kernel, lists have wrong lengths, `elf` is no program, or `elf` is combined
                with a source or with arguments that only sources can have.
        """
        path = _file_of_kernel(source, elf, firmware)
        require_name(name or path.stem, "kernel: name")
        own = name or own_name(path.stem, [kernel.name for kernel in self._kernels])
        where = f"kernel '{own}'"
        if compute is not None and riscv != COMPUTE:
            raise InputError(f"{where}: compute: expected it beside riscv='compute', found riscv={riscv}")
        asked = None if riscv == COMPUTE else riscv
        if elf:
            of_sources = (compile_time_args, named_compile_time_args, defines, noc_mode != NOC_MODES[0])
            _require_none(where, dict(zip(OF_SOURCES, of_sources, strict=True)))
            asked = riscv_of(path, asked)  # errors name the file
        processor = asked or 0
        if riscv == COMPUTE:
            processor, noc, compute = COMPUTE_RISCS[0], 0, compute or ComputeOptions()
        places: tuple[Core, ...] = tuple(_core_list(cores))
        if any(kernel.name == own for kernel in self._kernels):
            raise InputError(f"{where}: expected a name of its own, found one that another kernel has")
        for other in self._kernels:
            if other.riscv == processor and (both := [core for core in places if core in other.cores]):
                raise InputError(
                    f"{where}: expected one kernel on riscv_{processor} of core {both[0]}, found another one"
                )
        if each_core and len(each_core) != len(places):
            raise InputError(f"{where}: each_core: expected {len(places)} lists, one per core, found {len(each_core)}")
        self._kernels.extend(
            Kernel(
                name=own,
                source=path,
                riscv=processor,
                noc=processor if noc is None else noc,
                noc_mode=noc_mode,
                cores=places,
                compile_time_args=_words(compile_time_args, f"{where}: compile_time_args"),
                named_compile_time_args={
                    key: Word(str(value), f"{where}: named_compile_time_args.{key}")
                    for key, value in (named_compile_time_args or {}).items()
                },
                runtime_args=_words(runtime_args, f"{where}: runtime_args"),
                each_core=tuple(_words(words, f"{where}: each_core") for words in each_core),
                common_args=_words(common_args, f"{where}: common_args"),
                runtime_arg_names=tuple(runtime_arg_names),
                common_arg_names=tuple(common_arg_names),
                tensors=tuple(tensors),
                scratchpads=tuple(scratchpads),
                defines=_macros(defines),
                zone=timed,
                image=CardImage(Path(firmware) if firmware else None, noc is not None) if elf else None,
                compute=compute,
                where=where,
            ).threads
        )

    def buffer(
        self,
        id_: int,
        *,
        pages: int | None = None,
        page_bytes: int | None = None,
        data_format: str | None = None,
        tile_rows: int = TILE_ROWS[-1],
        name: str = "",
        initial: object = None,
        tensor: str = "",
    ) -> None:
        """Adds a circular buffer on every core.

        Args:
            id_: number of the buffer.
            pages: number of pages; for a buffer on a tensor, by default the number of pages on a core.
            page_bytes: size of a page; for a buffer on a tensor, by default that of the tensor in L1.
            data_format: format of the data; None: a tile is a page.
            tile_rows: rows of a tile.
            name: name of the buffer.
            initial: contents before the run.
            tensor: tensor in L1, added before, whose shards the buffer lies on; empty: memory of its own.

        Raises:
            InputError: an id that is taken, no size, or no such tensor in L1.
        """
        where = f"buffer {id_}"
        if any(buffer.id == id_ for buffer in self._buffers):
            raise InputError(f"{where}: expected each id once, found it again")
        if tensor:
            thing = self._things.get(tensor)
            if not isinstance(thing, Tensor) or thing.memory != L1:
                raise InputError(f"{where}: tensor: expected the name of a tensor in {L1}, found '{tensor}'")
            if initial is not None:
                raise InputError(f"{where}: initial: expected none beside tensor, which has its own, found it")
            of_tensor = pages_in_bank(thing, self._memories)
            pages, page_bytes = pages or of_tensor[0], page_bytes or of_tensor[1]
        if pages is None or page_bytes is None:
            raise InputError(f"{where}: expected pages and page_bytes, or a tensor, found neither")
        contents = _core_contents(initial, f"{where}: initial")
        self._buffers.append(Buffer(id_, pages, page_bytes, data_format, name, contents, tensor, where, tile_rows))

    def cores_next_to_banks(self, banks: Iterable[int] | None = None, *, noc: int = 0) -> list[Core]:
        """Returns the logical coordinate of the core next to each DRAM bank, for kernels on a NoC.

        Args:
            banks: numbers of banks; None: all banks.
            noc: NoC by which the cores reach the banks.

        Raises:
            InputError: no such bank or NoC.
        """
        if noc not in (0, 1):
            raise InputError(f"cores_next_to_banks: noc: expected 0 or 1, found {noc}")
        places = self._memories.next_to_banks[noc]
        wanted = range(len(places)) if banks is None else list(banks)
        for bank in wanted:
            if not 0 <= bank < len(places):
                raise InputError(f"cores_next_to_banks: expected banks from 0 to {len(places) - 1}, found {bank}")
        return [places[bank] for bank in wanted]

    def rectangle(self, first: Core, last: Core) -> list[Core]:
        """Returns the logical coordinates of the cores from `first` to `last`, row by row, for kernels.

        Raises:
            InputError: no such core, or `last` is not to the right of and below `first`.
        """
        cores = rectangle(first, last)
        if not cores:
            raise InputError(f"rectangle: expected from a core to one on its right and below, found {first} to {last}")
        self._require_cores(cores, "rectangle")
        return list(cores)

    def semaphore(self, *, initial: int | Mapping[Core, int] = 0, name: str = "") -> int:
        """Adds a semaphore on every core. Returns the id, the argument of `get_semaphore`.

        Args:
            initial: value before the run; or values by core, which are 0 on all other cores.
            name: name, or empty.

        Raises:
            InputError: no such core.
        """
        id_ = len(self._semaphores)
        where = f"semaphore {id_}"
        if isinstance(initial, int):
            self._semaphores.append(Semaphore(id_, initial, name, where))
            return id_
        self._require_cores(initial, f"{where}: initial")
        self._semaphores.append(Semaphore(id_, 0, name, where, tuple(initial.items())))
        return id_

    def tensor(
        self,
        name: str,
        *,
        pages: int | Sequence[int],
        page_bytes: int,
        memory: str = DRAM,
        initial: object = None,
        shards: int | Sequence[int] | None = None,
        shard_cores: Sequence[Core | int] = (),
    ) -> None:
        """Adds a tensor of pages in DRAM ("dram") or L1 ("l1"), interleaved over banks or in shards of `shards` pages.

        `shard_cores` are the cores, or the numbers of the DRAM banks, of the shards.

        Raises:
            InputError: a name that is taken, or an unknown memory.
        """
        if memory not in (DRAM, L1):
            raise InputError(f"tensor '{name}': memory: expected {DRAM} or {L1}, found '{memory}'")
        shape = (pages,) if isinstance(pages, int) else tuple(pages)
        shard = () if shards is None else (shards,) if isinstance(shards, int) else tuple(shards)
        if bool(shard) != bool(shard_cores) or (shard and len(shard) != len(shape)):
            raise InputError(f"tensor '{name}': expected shards of as many dimensions as pages, and on what they are")
        where = f"tensor '{name}'"
        contents = _contents(initial, f"{where}: initial")
        self._add(name, Tensor(name, memory, shape, page_bytes, contents, shard, tuple(shard_cores), where))

    def region(self, name: str, size: int, *, initial: object = None) -> None:
        """Adds a region of L1, at one address on all cores. Raises InputError if the name is taken."""
        where = f"region '{name}'"
        self._add(name, Region(name, size, _core_contents(initial, f"{where}: initial"), where))

    def _add(self, name: str, thing: Tensor | Region) -> None:
        if not name.isidentifier():
            raise InputError(f"expected a name as in C++, found '{name}'")
        if name in self._things:
            raise InputError(f"'{name}': expected a name of its own, found that of another tensor or region")
        self._things[name] = thing

    def expect(
        self,
        name: str | int,
        equals: object,
        *,
        core: Core | None = None,
        offset_bytes: int = 0,
        size: int | None = None,
        correlation: float | None = None,
        data_format: str | None = None,
    ) -> None:
        """Adds an expectation of the content after the run, of a tensor, of a region or buffer on a core, or of a part.

        `name` is the name of the tensor or region, or the id or name of the buffer. With `correlation`, the content
        need not equal the expected one: both are tiles of `data_format` (by default that of the buffer), and Pearson's
        coefficient of their values (PCC) must be at least as high.

        Raises:
            InputError: no such tensor, region, buffer or part.
        """
        thing = self._things.get(str(name)) or buffers_by_name(self._buffers).get(str(name))
        if thing is None:
            raise InputError(f"expect: expected the name of a tensor, region or buffer, found '{name}'")
        if isinstance(thing, Tensor) == (core is not None):
            kind = "region" if isinstance(thing, Region) else "buffer"
            expected = f"the core of a {kind}" if core is None else "no core of a tensor"
            raise InputError(f"expect: '{name}': expected {expected}, found {core}")
        rest = thing.size - offset_bytes
        if offset_bytes < 0 or not 0 < (rest if size is None else size) <= rest:
            raise InputError(f"expect: '{name}': expected a part of its {thing.size:,} bytes, found another one")
        where = f"expect '{name}'"
        key = thing.key if isinstance(thing, Buffer) else thing.name
        place = Place(key, core, offset_bytes, rest if size is None else size, where)
        resemblance = None
        if correlation is not None:
            of_buffer = thing.format if isinstance(thing, Buffer) else None
            try:
                format_ = format_of_tiles(data_format or of_buffer, place.size or 0)
                resemblance = Resemblance(least_correlation(correlation), format_)
            except InputError as error:
                raise InputError(f"{where}: {error}") from None
        elif data_format is not None:
            raise InputError(f"{where}: data_format: expected it beside a correlation, found none")
        self._expect.append(Expectation(place, _contents(equals, where), resemblance))

    def run(self, *, cycles_max: int = CYCLES_MAX) -> ProgramResult:
        """Compiles all kernels that are not cached, and runs the program on a new device.

        Warns:
            WrongDataWarning: data differ from an expectation; the message has the first wrong byte.

        Raises:
            KernelCompileError: a kernel does not compile.
            InputError: the program makes no sense or does not fit, or a kernel does something illegal.
        """
        description = self.description()
        cores = dict.fromkeys(core for kernel in self._kernels for core in kernel.cores)
        wanted: list[tuple[str, Core | None]] = []
        for thing in self._things.values():
            places: Iterable[Core | None] = cores if isinstance(thing, Region) else (None,)
            wanted += [(thing.name, core) for core in places]
        wanted += [(buffer.key, core) for buffer in self._buffers for core in cores]
        run = run_program(description, self._machine, cycles_max=cycles_max, read=wanted)
        if run.fault:
            warnings.warn(run.fault, WrongDataWarning, stacklevel=2)
        return ProgramResult(run)

    def _require_cores(self, cores: Iterable[Core], where: str) -> None:
        known = set(self._memories.cores)
        if missing := next((core for core in cores if core not in known), None):
            raise InputError(f"{where}: expected cores of the machine, found {missing}")

    def description(self) -> ProgramDescription:
        """Returns the description of the program. Raises InputError without kernels."""
        if not self._kernels:
            raise InputError(f"program '{self._name}': expected at least one kernel, found none")
        things = self._things.values()
        return ProgramDescription(
            name=self._name,
            kernels=tuple(self._kernels),
            buffers=tuple(self._buffers),
            semaphores=tuple(self._semaphores),
            tensors=tuple(thing for thing in things if isinstance(thing, Tensor)),
            regions=tuple(thing for thing in things if isinstance(thing, Region)),
            expect=tuple(self._expect),
            parameters=machine_parameters(self._memories),
            options=self._options,
        )


def _words(values: Iterable[int | str], where: str) -> tuple[Word, ...]:
    return tuple(Word(str(value), f"{where}[{index}]") for index, value in enumerate(values))


def _macros(defines: Mapping[str, object] | None) -> dict[str, str | None]:
    return {name: None if value is None else str(value) for name, value in (defines or {}).items()}


def _core_list(cores: Core | Iterable[Core]) -> list[Core]:
    items: list[Any] = list(cores)
    if len(items) == _NUM_COORDINATES and all(isinstance(item, int) for item in items):
        return [(items[0], items[1])]
    return [(int(x), int(y)) for x, y in items]


def _contents(value: object, where: str) -> Contents:
    if value is None:
        return Contents()
    if isinstance(value, Contents):
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return Contents(data=bytes(value), where=where)
    if hasattr(value, "tobytes"):  # an array of numpy
        return Contents(data=value.tobytes(), where=where)
    if isinstance(value, Iterable):
        words = list(value)
        if any(isinstance(word, str) for word in words):
            return Contents(words=_words(words, where), where=where)
        data = b"".join((int(word) & 0xFFFF_FFFF).to_bytes(WORD_BYTES, "little") for word in words)
        return Contents(data=data, where=where)
    raise InputError(f"{where}: expected bytes, an array or numbers, found {type(value).__name__}")


def _core_contents(value: object, where: str) -> tuple[CoreContents, ...]:
    if value is None:
        return ()
    if isinstance(value, Mapping):
        try:
            cores = [tuple(_core_list(core)) for core in value]
        except (TypeError, ValueError):
            raise InputError(f"{where}: expected cores as keys, found {list(value)}") from None
        return tuple(
            CoreContents(_contents(content, f"{where}: {core}"), some)
            for some, (core, content) in zip(cores, value.items(), strict=True)
        )
    return (CoreContents(_contents(value, where)),)


def _file_of_kernel(source: str | Path, elf: str | Path, firmware: str | Path) -> Path:
    if bool(source) == bool(elf):
        raise InputError(f"kernel: expected a source or elf, found {'both' if source else 'neither'}")
    if firmware and not elf:
        raise InputError("kernel: firmware: expected it beside elf, found it beside a source")
    return Path(elf) if elf else _source_file(source)


def _require_none(where: str, arguments: Mapping[str, object]) -> None:
    for name, value in arguments.items():
        if value:
            raise InputError(f"{where}: {name}: expected none, since it was compiled before, found some")


def _source_file(source: str | Path) -> Path:
    """Returns the file of a kernel. Writes a text to a file, which messages and tables can name."""
    if isinstance(source, Path) or "\n" not in source:
        return Path(source)
    from nocbench.compiling.cache import kept_kernels
    from nocbench.support.atomic_files import make_directory, write_text
    from nocbench.support.kept_files import digest

    path = kept_kernels().directory.parent / "sources" / f"kernel_{digest(source.encode())[:12]}.cpp"
    if not path.is_file():
        make_directory(path.parent)
        write_text(path, source)
    return path
