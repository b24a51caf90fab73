# The extension module over the C++ simulator. Python code reaches it through nocbench.extension.

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, overload

class InputError(ValueError): ...
class KernelError(InputError): ...

source_fingerprint: str

def architecture_names() -> list[str]: ...
def architecture_file(arch: str) -> str: ...
def architecture_files(arch: str) -> list[str]: ...
def add_architecture(path: str) -> str: ...
def set_architecture_directory(path: str) -> None: ...
def architecture_json_schema() -> str: ...
def read_yaml(path: str, what: str) -> dict[str, Any]: ...
def describe_architecture(arch: str, board: str = "", settings: list[tuple[str, str]] = ...) -> dict[str, Any]: ...
def describe_floor_plan(arch: str, board: str = "", settings: list[tuple[str, str]] = ...) -> dict[str, Any]: ...
def list_tests(arch: str) -> list[dict[str, Any]]: ...
def tests_not_offered(arch: str) -> dict[str, str]: ...
def theoretical_bytes_per_cycle(arch: str, board: str, settings: list[tuple[str, str]]) -> dict[str, float]: ...
def can_be_shortened(test: str) -> bool: ...
def has_compiled_kernels(test: str) -> bool: ...

class SharedRuns: ...

def run_point(
    test: str,
    arch: str,
    board: str,
    parameters: dict[str, str],
    settings: list[tuple[str, str]] = ...,
    shorten_from_flit_hops: float = ...,
    shared_runs: SharedRuns | None = ...,
    counts_packets: bool = ...,
) -> dict[str, Any]: ...

# Findings of checks in a point whose kernels are all compiled. Each has
#     check: racecheck, initcheck, memcheck or synccheck. text: of a finding about one access only; empty otherwise.
#     first, second: each None, or access (load, cached_load, store, source_of_write, source_of_read,
#         destination_of_write, destination_of_read or atomic), kernel, x, y, physical_x, physical_y, riscv, address and
#         return_address (of the instruction), where (its source line), cycle; of transactions also noc,
#         virtual_channel, transaction_id, posted, multicast, inline, dynamic.
#     core, bank: of the memory; both None for memory of the host. begin: address; bytes: number of bytes.
#     is_signal, happened: flags. count: number of such pairs.
def findings_of_point(
    test: str,
    arch: str,
    board: str,
    parameters: dict[str, str],
    settings: list[tuple[str, str]],
    checks: list[str],
) -> list[dict[str, Any]]: ...
def run_point_compiled(
    test: str,
    arch: str,
    board: str,
    parameters: dict[str, str],
    settings: list[tuple[str, str]],
) -> dict[str, Any]: ...
def check_point(
    test: str,
    arch: str,
    board: str,
    parameters: dict[str, str],
    settings: list[tuple[str, str]],
) -> None: ...
def set_kernel_compiler(
    compiler: Callable[[str, int, int, tuple[int, int] | None, str, str, int, int, list[int]], tuple[bytes, Any]],
) -> None: ...
def trace_point(
    test: str,
    arch: str,
    board: str,
    parameters: dict[str, str],
    settings: list[tuple[str, str]],
    max_records: int,
) -> dict[str, Any]: ...

# Returns the result of run_point and "calls": see bindings/trace.h.
def record_point(
    test: str, arch: str, board: str, parameters: dict[str, str], settings: list[tuple[str, str]]
) -> dict[str, Any]: ...

# Returns the addresses of OpenSHMEM routines, in order, as negative numbers.
def describe_shmem_routines() -> dict[str, int]: ...

# Runs an OpenSHMEM program. `program` has name, elf, source_map, num_pes, arguments (its name first),
# charges_routines, cycles_max and options: algorithms ("paper" or "later"), wand_barrier, ipi_get,
# ipi_get_turnover_bytes, bump_heap, warns_of_overruns and heap_start (0: behind the program), and may have print, which
# is called with each piece of output while the program runs. The result is that of a point and: printed
# (cycle, PE, "stdout" or "stderr", bytes), pes (exit_status or None, instructions, rewinds, cycles_by_address, and
# waits within these cycles: address, that of the last call or None, cycles by cause without "issue"), exit_status,
# error (empty: it has ended), was_interrupted (by Ctrl-C), warnings and memory (bytes by use).
def run_shmem_program(
    program: dict[str, Any], arch: str, board: str = "", settings: list[tuple[str, str]] = ...
) -> dict[str, Any]: ...

# Runs an OpenSHMEM program and records events, as trace_point does.
def trace_shmem_program(
    program: dict[str, Any], arch: str, board: str, settings: list[tuple[str, str]], max_records: int
) -> dict[str, Any]: ...
def describe_memories(arch: str, board: str = "", settings: list[tuple[str, str]] = ...) -> dict[str, Any]: ...
def riscv_of_image(elf: bytes, name: str) -> int | None: ...

# Returns the needs of a kernel for the card: l1_ranges ((begin, end), ...), l1_banks (0: unknown), go_byte
# (address in L1, or None), noc (number, or None). `firmware` is a name and a file, empty if there is none.
def describe_card_kernel(
    elf: bytes,
    name: str,
    firmware: tuple[str, bytes],
    arch: str,
    board: str = "",
    settings: list[tuple[str, str]] = ...,
) -> dict[str, Any]: ...

# Runs compiled kernels on a fresh device. `program` has
#     name: text.
#     kernels: each with name, elf (bytes), source_map ((address, ((function, file, line), ...)), ...), cores
#         ((x, y), ...), riscv, noc, runtime_args (core to words), common_runtime_args (words), zone (text), firmware
#         (None; for the card, a name and a file, which may be empty).
#     semaphores: by id: cores, initial_value.
#     circular_buffers: each with cores, id, address, page_bytes, num_pages.
#     initial_data: ((core or None, bank, address, size), bytes).
#     read_back: (core or None, bank, address, size).
#     cycles_max: number.
#     checks: names of checks.
#     named_ranges: (name, first address, end) of parts of L1 of every core, for memcheck.
#     kept_words: the same, of words that synccheck expects to end as they began.
#     seed: None, or a number: delays kernels, commands and responses. only_delays: None, or places of delays.
#     takes_fingerprints: whether to return pages.
# The result is that of run_point and
#     kernels: for each kernel on each core: name, x, y, physical_x, physical_y, riscv, zones (name, begin, end, parent:
#         number of the zone around it or -1, waits: cycles by cause), recorded (name, value, cycle), instructions,
#         commands, bytes_moved, operations (arithmetic), cycles_by_address ((address, cycles), ...), printed,
#         warnings (texts that begin with the source line).
#     rows: those of a program with compute kernels also have the PROGRAM_COLUMNS of nocbench.support.columns.
#     read_back: bytes of each requested range.
#     findings: as of findings_of_point.
#     pages: core or None, bank or None, address, bytes and fingerprint of each page of memory that was written.
#     delays: place, kind (start, command, arrival, response), core or None, bank or None, NoC (of a start, RISC) and
#         cycles of each delay.
# A run that fails and has findings or a seed returns only findings, delays, and failure: the text of its error.
def run_compiled_program(
    program: Mapping[str, Any], arch: str, board: str = "", settings: list[tuple[str, str]] = ...
) -> dict[str, Any]: ...

# Runs compiled kernels and records events, as trace_point does; "runs" has the kernels' results.
def trace_compiled_program(
    program: Mapping[str, Any], arch: str, board: str, settings: list[tuple[str, str]], max_records: int
) -> dict[str, Any]: ...

# Places of a tensor's pages, which are divided among banks by `shard`, or page by page if it is empty.
class TensorLayout:
    def __init__(self, tensor: list[int], shard: list[int], num_banks: int) -> None: ...
    @property
    def places(self) -> list[tuple[int, int]]: ...  # bank, and pages before it in the bank, of each page
    @property
    def rows_per_bank(self) -> int: ...
    # Returns the compile-time arguments of TensorAccessorArgs; `banks` are coordinates of banks that have shards.
    def accessor_words(self, is_dram: bool, banks: list[tuple[int, int]]) -> list[int]: ...

# Runs main() of a host program, a shared library, with `arguments`, the first of which is its name. `options` has
#     compile: called with the description of each kernel, a dictionary; returns its number, image and source map.
#     on_end: called with the number of each enqueued program and the result of its run, as of run_compiled_program,
#         with images (numbers of kernels by name), l1_ranges (name, begin, end) and starts_skewed (True if the host
#         has started the cores one by one).
#     on_exit: called with the status if the program ends the process; returns the status of the process.
#     checks, cycles_max, timed_zones: as of run_compiled_program.
#     slow_dispatch: True if command queues start cores one by one, too.
#     replacements: files that take the place of kernels, by the end of the path that the program names.
#     max_records, recorded_program: if the first is not 0, the first program, or the first with this number, is
#         recorded, and its result is that of trace_compiled_program.
# Returns the exit status, and the message of the exception that has ended the program, or "".
def run_host_program(
    library: str,
    arguments: list[str],
    arch: str,
    board: str,
    settings: list[tuple[str, str]],
    options: Mapping[str, Any],
) -> tuple[int, str]: ...

# Tiles of 32 x 32 values of a matrix of values of 32 bits, and the matrix; formats have the numbers of tt-metal.
def tilize(values: bytes, columns: int, data_format: int) -> bytes: ...
def untilize(tiles: bytes, columns: int, data_format: int) -> bytes: ...

# Classes of tt-metal's host API under its names, for nocbench.ttnn.

class HostError(RuntimeError): ...

class _Enumeration:
    __members__: ClassVar[dict[str, Any]]
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

class Arch(_Enumeration):
    WORMHOLE_B0: ClassVar[Arch]
    BLACKHOLE: ClassVar[Arch]

class BufferType(_Enumeration):
    DRAM: ClassVar[BufferType]
    L1: ClassVar[BufferType]

class TensorMemoryLayout(_Enumeration):
    INTERLEAVED: ClassVar[TensorMemoryLayout]
    HEIGHT_SHARDED: ClassVar[TensorMemoryLayout]
    WIDTH_SHARDED: ClassVar[TensorMemoryLayout]
    BLOCK_SHARDED: ClassVar[TensorMemoryLayout]

class ShardOrientation(_Enumeration):
    ROW_MAJOR: ClassVar[ShardOrientation]
    COL_MAJOR: ClassVar[ShardOrientation]

class DataMovementProcessor(_Enumeration):
    RISCV_0: ClassVar[DataMovementProcessor]
    RISCV_1: ClassVar[DataMovementProcessor]

class NOC(_Enumeration):
    NOC_0: ClassVar[NOC]
    NOC_1: ClassVar[NOC]
    RISCV_0_default: ClassVar[NOC]
    RISCV_1_default: ClassVar[NOC]

class NOC_MODE(_Enumeration):  # noqa: N801 - as in tt-metal
    DM_DEDICATED_NOC: ClassVar[NOC_MODE]
    DM_DYNAMIC_NOC: ClassVar[NOC_MODE]

class MathFidelity(_Enumeration):
    LoFi: ClassVar[MathFidelity]
    HiFi2: ClassVar[MathFidelity]
    HiFi3: ClassVar[MathFidelity]
    HiFi4: ClassVar[MathFidelity]

class UnpackToDestMode(_Enumeration):
    Default: ClassVar[UnpackToDestMode]
    UnpackToDestFp32: ClassVar[UnpackToDestMode]

class CoreType(_Enumeration):
    WORKER: ClassVar[CoreType]
    ETH: ClassVar[CoreType]

class KernelBuildOptLevel(_Enumeration): ...

class SourceType(_Enumeration):
    FILE_PATH: ClassVar[SourceType]
    SOURCE_CODE: ClassVar[SourceType]

class DataFormat(_Enumeration): ...

class CoreCoord:
    @overload
    def __init__(self, x: int, y: int) -> None: ...
    @overload
    def __init__(self, core: tuple[int, int]) -> None: ...
    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    def __lt__(self, other: CoreCoord) -> bool: ...

class CoreRange:
    @overload
    def __init__(self, start: CoreCoord | tuple[int, int], end: CoreCoord | tuple[int, int]) -> None: ...
    @overload
    def __init__(self, core: CoreCoord | tuple[int, int]) -> None: ...
    @property
    def start(self) -> CoreCoord: ...
    @property
    def end(self) -> CoreCoord: ...
    def grid_size(self) -> CoreCoord: ...
    def size(self) -> int: ...
    def contains(self, other: CoreCoord | CoreRange) -> bool: ...

class CoreRangeSet:
    def __init__(self, ranges: Collection[CoreRange] | CoreRange = ...) -> None: ...
    def ranges(self) -> list[CoreRange]: ...
    def num_cores(self) -> int: ...
    def size(self) -> int: ...
    def empty(self) -> bool: ...
    def bounding_box(self) -> CoreRange: ...
    def contains(self, other: CoreCoord | CoreRange | CoreRangeSet) -> bool: ...
    def merge(self, other: CoreRangeSet) -> CoreRangeSet: ...
    def subtract(self, other: CoreRangeSet) -> CoreRangeSet: ...
    def intersection(self, other: CoreRangeSet) -> CoreRangeSet: ...

def corerange_to_cores(
    cores: CoreRangeSet, max_cores: int | None = None, row_wise: bool = False
) -> list[CoreCoord]: ...
def grid_to_cores(num_cores: int, grid_size_x: int, grid_size_y: int, row_wise: bool = False) -> list[CoreCoord]: ...
def num_cores_to_corerangeset(
    target_num_cores: int, grid_size: CoreCoord | tuple[int, int], row_wise: bool = False
) -> CoreRangeSet: ...

# Returns the number of cores, all of them, those of two groups, and the units of a core of each.
def split_work_to_cores(
    grid: CoreCoord | tuple[int, int] | CoreRangeSet, units_to_divide: int, row_wise: bool = False
) -> tuple[int, CoreRangeSet, CoreRangeSet, CoreRangeSet, int, int]: ...

class ShardSpec:
    def __init__(
        self, grid: CoreRangeSet, shard_shape: Sequence[int], shard_orientation: ShardOrientation = ...
    ) -> None: ...
    @property
    def grid(self) -> CoreRangeSet: ...
    @property
    def shape(self) -> list[int]: ...
    @property
    def orientation(self) -> ShardOrientation: ...
    def num_cores(self) -> int: ...

class HostBuffer:
    @property
    def address(self) -> int: ...
    @property
    def page_size(self) -> int: ...
    @property
    def aligned_page_size(self) -> int: ...
    @property
    def aligned_size_per_bank(self) -> int: ...
    @property
    def num_pages(self) -> int: ...
    @property
    def is_allocated(self) -> bool: ...
    def deallocate(self) -> None: ...
    # Content in order of pages.
    def write(self, content: bytes) -> None: ...
    def read(self) -> bytes: ...
    # Compile-time arguments of TensorAccessorArgs.
    def accessor_args(self) -> list[int]: ...

class HostSemaphore:
    @property
    def address(self) -> int: ...
    def reset(self, value: int) -> None: ...

# A chip, open until close(). `options` are those of run_host_program, without on_exit. run() takes an object with the
# fields of nocbench.ttnn.ProgramDescriptor; allocate() takes the shape of a page in values, and the rows and columns of
# pages.
class HostDevice:
    def __init__(
        self, number: int, arch: str, board: str, settings: list[tuple[str, str]], options: Mapping[str, Any]
    ) -> None: ...
    def close(self) -> None: ...
    def run(self, program: object) -> None: ...
    def allocate(
        self,
        size: int,
        page_size: int,
        memory: BufferType,
        layout: TensorMemoryLayout,
        shards: ShardSpec | None,
        page_shape: tuple[int, int],
        pages: tuple[int, int],
    ) -> HostBuffer: ...
    def semaphore(self, cores: CoreRangeSet, value: int) -> HostSemaphore: ...
    def arch(self) -> Arch: ...
    def compute_with_storage_grid_size(self) -> CoreCoord: ...
    def dram_grid_size(self) -> CoreCoord: ...
    def worker_core_from_logical_core(self, core: CoreCoord | tuple[int, int]) -> CoreCoord: ...
    def alignment(self, memory: BufferType) -> int: ...

# Bytes of a tile.
def tile_size(data_format: DataFormat) -> int: ...

# Rounds floats to the nearest values of bfloat16.
def bfloat16_of(floats: bytes) -> bytes: ...

# Runs a table of flows on a fresh device. `table` has
#     name: text.
#     groups: names of flows.
#     flows: tuples of the attributes of nocbench.flow_tables.flow_table.Flow.
#     cycles_max: number.
#     checks: names of checks; of these, synccheck can find something.
# The result is that of run_point and
#     flow_times: cycles of start and end of each flow.
#     findings: as of findings_of_point; "address" is the index of the flow, plus 1.
def run_flow_table(
    table: Mapping[str, Any], arch: str, board: str = "", settings: list[tuple[str, str]] = ...
) -> dict[str, Any]: ...

# Runs a table of flows and records events, as trace_point does.
def trace_flow_table(
    table: Mapping[str, Any], arch: str, board: str, settings: list[tuple[str, str]], max_records: int
) -> dict[str, Any]: ...

# Decodes the header of a message: version, has_no_reads, is_probe, is_probe_response, address_bits and port_bits
# (lists), probe_identifier (None: there is none) and num_bytes. None: `data` begins with no header.
def decode_etherbone_header(data: bytes) -> dict[str, Any] | None: ...

# Decodes the records in `data`; returns them and their bytes. Each has at, num_bytes and num_zero_slots. If the
# latter is 0: returns_to_configuration, reads_configuration, returns_to_one_address, ends_cycle, writes_configuration,
# writes_to_one_address, select, is_select_valid, write_address, writes, return_address and read_addresses.
def decode_etherbone_records(
    data: bytes, address_bytes: int, port_bytes: int, is_answer: bool
) -> tuple[list[dict[str, Any]], int]: ...
def length_of_etherbone_record(data: bytes, address_bytes: int, port_bytes: int) -> int | None: ...
def encode_etherbone_header(address_bytes: int, port_bytes: int, has_no_reads: bool) -> bytes: ...

# Returns the devices on the bus of a board's FPGA: name, first_address, last_address, is_listed.
def describe_bus_devices(board: str = "", settings: list[tuple[str, str]] = ...) -> list[dict[str, Any]]: ...

class EtherboneServer:
    # `devices`: each with kind ("memory", "reads counter", "clock counter", "file"), name, address, bytes, vendor,
    #     device, contents (bytes), path (text).
    # `options`: address (text), udp_port, tcp_port (None: none; 0: a free one), has_pty, pty_link (text, empty
    #     for none), is_modeled, is_paced.
    def __init__(
        self, board: str, settings: list[tuple[str, str]], devices: list[dict[str, Any]], options: dict[str, Any]
    ) -> None: ...
    @property
    def doors(self) -> list[str]: ...
    def serve(self) -> bool: ...
