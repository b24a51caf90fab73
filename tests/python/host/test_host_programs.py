"""`nocbench host`: programs of tt-metal, their results, and what they are told when they are wrong."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nocbench import Program
from nocbench.architectures.description import describe_architecture
from nocbench.results.result_files import read_rows

if TYPE_CHECKING:
    from conftest import CommandLine, Completed

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples" / "host"
CHIPS = ("wormhole_b0", "blackhole")

BEGIN = """
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/program_descriptors.hpp>
#include <tt-metalium/tt_metal.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
using namespace tt;
using namespace tt::tt_metal;
using namespace tt::tt_metal::distributed;
void run(MeshDevice& device, Program& program) {
    MeshWorkload workload;
    workload.add_program(MeshCoordinateRange(device.shape()), std::move(program));
    EnqueueMeshWorkload(device.mesh_command_queue(), workload, true);
}
int main() {
    auto device = MeshDevice::create_unit_mesh(0);
    Program program = CreateProgram();
    const CoreCoord core{0, 0};
    const DataMovementConfig on_riscv_0;
    const std::string nothing = "void kernel_main() {}";
    const auto l1 = [&](uint32_t bytes) {
        return CreateBuffer(InterleavedBufferConfig{device.get(), bytes, bytes, BufferType::L1});
    };
"""


@pytest.fixture
def host(run_program: CommandLine, tmp_path: Path) -> CommandLine:
    """Compiles and runs a program whose main() goes on with these lines."""

    def run(lines: str, *arguments: str | Path) -> Completed:
        program = tmp_path / "program.cpp"
        program.write_text(f"{BEGIN}{lines}\n}}\n")
        return run_program("host", program, "--arch", "wormhole_b0", *arguments)

    return run


def rows_of(done: Completed) -> list[dict[str, Any]]:
    return [row for program in json.loads(done.out)["programs"] for row in program["rows"]]


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(
    "name",
    [
        *("loopback", "sharded_copy", "multicast_pipeline"),
        *("../compute/add", "../compute/matmul", "../compute/reduce", "../compute/softmax", "../compute/tilize"),
    ],
)
def test_examples_are_right_and_free_of_races(run_program: CommandLine, name: str, chip: str) -> None:
    done = run_program("host", EXAMPLES / f"{name}.cpp", "--arch", chip, "--check", "all", "--json")
    assert done.status == 0
    assert all(line.startswith("info: ") for line in done.err.splitlines())
    assert all(row["latency_cycles"] > 0 for row in rows_of(done))


@pytest.mark.parametrize("chip", CHIPS)
def test_takes_the_cycles_of_the_same_program_from_a_file(run_program: CommandLine, tmp_path: Path, chip: str) -> None:
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    kernel = tmp_path / "kernels" / "copy_pages.cpp"
    kernel.write_text(kernel.read_text().replace("    for (", '    DeviceZoneScopedN("PAGES");\n    for ('))
    latencies = []
    for zone in ("", "PAGES"):
        program = Program(chip)
        program.tensor("source", pages=32, page_bytes=2048)
        program.tensor("target", pages=32, page_bytes=2048)
        program.region("room", 2048)
        program.kernel(
            kernel,
            compile_time_args=["layout source", "layout target"],
            runtime_args=["address room", "address source", "address target", 32],
            timed=zone,
        )
        timed = ("--timed", zone) if zone else ()
        done = run_program("host", tmp_path / "loopback.cpp", "--arch", chip, "--json", *timed)
        latencies.append(rows_of(done)[0]["latency_cycles"])
        assert program.run().frame["latency_cycles"].tolist() == [latencies[-1]]
    assert latencies[1] < latencies[0]


def test_runs_on_an_architecture_of_ones_own(run_program: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "slow.yaml").write_text(
        "architecture: slow\nbased_on: blackhole\nrouter:\n"
        "  hop_cycles: {value: 30, unit: cycles, status: documented, source: none}\n"
    )
    slow, usual = (
        rows_of(run_program("host", EXAMPLES / "loopback.cpp", "--arch", arch, "--json"))[0]
        for arch in (tmp_path / "slow.yaml", "blackhole")
    )
    assert slow["arch"] == "slow"
    assert slow["latency_cycles"] > usual["latency_cycles"]


def test_memory_stays_from_program_to_program(host: CommandLine) -> None:
    done = host(
        """
    auto buffer = l1(64);
    for (uint32_t round = 0; round < 3; ++round) {
        Program next = CreateProgram();
        auto kernel = CreateKernelFromString(next, "void kernel_main() { "
            "volatile tt_l1_ptr uint32_t* word = (volatile tt_l1_ptr uint32_t*)get_arg_val<uint32_t>(0); "
            "*word = *word + get_arg_val<uint32_t>(1); }", core, on_riscv_0);
        const CoreCoord bank = device->allocator()->get_logical_core_from_bank_id(0);
        if (bank != core) {
            next = CreateProgram();
            kernel = CreateKernelFromString(next, "void kernel_main() { "
                "volatile tt_l1_ptr uint32_t* word = (volatile tt_l1_ptr uint32_t*)get_arg_val<uint32_t>(0); "
                "*word = *word + get_arg_val<uint32_t>(1); }", bank, on_riscv_0);
        }
        SetRuntimeArgs(next, kernel, bank, {buffer->address(), round + 1});
        next.set_runtime_id(40 + round);
        run(*device, next);
    }
    std::vector<uint32_t> words;
    detail::ReadFromBuffer(buffer, words);
    return words[0];""",
        "--json",
    )
    whole = json.loads(done.out)
    assert whole["status"] == 1 + 2 + 3
    assert [program["runtime_id"] for program in whole["programs"]] == [40, 41, 42]
    assert len({row["latency_cycles"] for row in rows_of(done)}) == 1, "each begins on an idle machine"


def test_the_status_is_that_of_the_program_even_if_it_exits(
    host: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    done = host("    CreateKernelFromString(program, nothing, core, on_riscv_0); run(*device, program); std::exit(7);")
    assert done.status == 7
    assert done.out.startswith("program 1, ")
    assert not list(temporary.iterdir()), "it leaves nothing behind"


def test_a_kernel_that_does_not_wait_for_its_writes_is_warned_of_once_or_found(host: CommandLine) -> None:
    lines = """
    auto buffer = l1(8192);
    for (uint32_t round = 0; round < 3; ++round) {
        Program next = CreateProgram();
        auto kernel = CreateKernelFromString(next, "#include \\"dataflow_api.h\\"\\nvoid kernel_main() {\\n"
            "noc_async_write(get_arg_val<uint32_t>(0), get_noc_addr(my_x[0], my_y[0], get_arg_val<uint32_t>(0)), "
            "get_arg_val<uint32_t>(1));\\n}", core, on_riscv_0);
        SetRuntimeArgs(next, kernel, core, {buffer->address(), 8192 >> round});
        run(*device, next);
    }
    return 0;"""
    message = "it ends with writes that have not left on NoC 0"
    done = host(lines)
    assert (done.status, done.err.count("warning: "), done.err.count(message)) == (0, 1, 1)
    assert "on core (0, 0): " in done.err
    assert ":3 in kernel_main" in done.err
    done = host(lines, "--check", "synccheck", "--json")
    (finding,) = {finding["kind"] for finding in json.loads(done.out)["findings"]}
    assert (done.status, finding.startswith(message)) == (1, True)


def test_facts_of_the_chip(host: CommandLine) -> None:
    done = host(
        """
    const auto& queries = MetalContext::instance().get_dispatch_query_manager();
    return device->get_device(0)->get_clock_rate_mhz() == 1000 &&
           device->get_device(0)->get_programmable_core_type(core) == HalProgrammableCoreType::TENSIX &&
           queries.get_logical_dispatch_cores_on_user_chips().empty() ? 0 : 1;"""
    )
    assert (done.status, done.err) == (0, "")


def test_kernels_find_the_size_of_a_page_in_the_layout(host: CommandLine) -> None:
    done = host("""
    auto tensor = CreateBuffer(InterleavedBufferConfig{device.get(), 4000, 1000, BufferType::DRAM});
    auto found = l1(1024);
    std::vector<uint32_t> words(1000);
    std::iota(words.begin(), words.end(), 0);
    detail::WriteToBuffer(tensor, words);
    DataMovementConfig config;
    TensorAccessorArgs(*tensor).append_to(config.compile_args);
    auto kernel = CreateKernelFromString(program, "void kernel_main() { "
        "constexpr auto layout = TensorAccessorArgs<0>();"
        "static_assert(layout.AlignedPageSize == 1024 && layout.next_compile_time_args_offset() == 2);"
        "const auto tensor = TensorAccessor(layout, get_arg_val<uint32_t>(0));"
        "noc_async_read_page(3, tensor, get_arg_val<uint32_t>(1));"
        "noc_async_read_barrier(); }", core, config);
    SetRuntimeArgs(program, kernel, core, {tensor->address(), found->address()});
    run(*device, program);
    detail::ReadFromDeviceL1(device->get_devices()[0], core, found->address(), 1000, words);
    return words[0] == 750 && words[249] == 999 ? 0 : 1;
    """)
    assert done.status == 0, done.err


def test_programs_are_made_from_descriptors(host: CommandLine) -> None:
    done = host(
        """
    const CoreRangeSet cores(CoreRange({0, 0}, {1, 0}));
    ProgramDescriptor described;
    described.semaphores.push_back({.id = 3, .core_ranges = cores, .initial_value = 5});
    described.cbs.push_back({.total_size = 128, .core_ranges = cores, .format_descriptors = {
        {.buffer_index = 2, .data_format = DataFormat::UInt32, .page_size = 64,
         .tile = TileDescriptor{.height = 8}}}});
    described.kernels.push_back({
        .kernel_source = "void kernel_main() { "
            "auto* semaphore = (volatile tt_l1_ptr uint32_t*)get_semaphore(get_named_compile_time_arg_val(\\"id\\")); "
            "cb_reserve_back(2, 1); cb_push_back(2, 1); while (*semaphore != get_arg_val<uint32_t>(0)) {} }",
        .source_type = KernelDescriptor::SourceType::SOURCE_CODE, .core_ranges = cores,
        .named_compile_time_args = {{"id", 3}}, .runtime_args = {{{0, 0}, {5}}, {{1, 0}, {5}}},
        .config = ReaderConfigDescriptor{}});
    described.kernels.push_back({
        .kernel_source = "void kernel_main() { static_assert(get_tile_size(BUFFER) == 8 * 32 * 4); "
            "cb_wait_front(BUFFER, 1); cb_pop_front(BUFFER, 1); }",
        .source_type = KernelDescriptor::SourceType::SOURCE_CODE, .core_ranges = cores,
        .defines = {{"BUFFER", "2"}}, .config = WriterConfigDescriptor{}});
    Program made(described);
    run(*device, made);
    described.semaphores.push_back({.id = 0, .core_ranges = cores});
    return described.find_available_semaphore_id(core, CoreType::WORKER).value_or(99);""",
        "--json",
    )
    whole = json.loads(done.out)
    assert whole["status"] == 1, done.err
    assert [row["riscv"] for row in rows_of(done)] == [1, 0]


@pytest.mark.parametrize("chip", CHIPS)
def test_programs_of_releases_before_meshes_run(run_program: CommandLine, tmp_path: Path, chip: str) -> None:
    (tmp_path / "program.cpp").write_text("""
#include "tt_metal/host_api.hpp"
#include "tt_metal/impl/device/device.hpp"
#include "tt_metal/impl/dispatch/command_queue.hpp"
#include "tt_metal/detail/tt_metal.hpp"
#include "common/bfloat16.hpp"
#include "third_party/tracy/public/tracy/Tracy.hpp"
using namespace tt;
using namespace tt::tt_metal;
int main() {
    ZoneScoped;
    Device* device = CreateDevice(6);
    CommandQueue& queue = device->command_queue();
    Program program = CreateProgram();
    constexpr CoreCoord core = {0, 0};
    constexpr uint32_t bytes = 2048;
    auto source = CreateBuffer({.device = device, .size = bytes, .page_size = bytes, .buffer_type = BufferType::DRAM});
    auto target = CreateBuffer({.device = device, .size = bytes, .page_size = bytes, .buffer_type = BufferType::DRAM});
    // Pages of a byte count events; the buffer behind it still begins where DRAM can be copied to.
    CreateCircularBuffer(program, core, CircularBufferConfig(8, {{CB::c_in1, DataFormat::UInt8}})
        .set_page_size(CB::c_in1, 1));
    CreateCircularBuffer(program, core, CircularBufferConfig(bytes, {{CB::c_in0, DataFormat::Float16_b}})
        .set_page_size(CB::c_in0, bytes));
    auto kernel = CreateKernel(program, "kernel.cpp", core, DataMovementConfig{});
    SetRuntimeArgs(program, kernel, core,
        {source->address(), uint32_t(source->noc_coordinates().x), uint32_t(source->noc_coordinates().y),
         target->address(), uint32_t(target->noc_coordinates().x), uint32_t(target->noc_coordinates().y)});
    std::vector<uint32_t> given = create_constant_vector_of_bfloat16(bytes, 14.0f), found;
    EnqueueWriteBuffer(queue, source, given, false);
    EnqueueProgram(queue, program, false);
    EnqueueReadBuffer(queue, *target, found, true);
    std::vector<uint32_t> half(bytes / 8);
    EnqueueReadSubBuffer(queue, target, half.data(), BufferRegion{bytes / 2, bytes / 2}, true);
    Finish(queue);
    DumpDeviceProfileResults(device, program);
    CloseDevice(device);
    return found == given && half[0] == given[0] ? 0 : 3;
}
""")
    (tmp_path / "kernel.cpp").write_text("""
#include "dataflow_api.h"
void kernel_main() {
    const auto place = [](int first) { return get_noc_addr(
        get_arg_val<uint32_t>(first + 1), get_arg_val<uint32_t>(first + 2), get_arg_val<uint32_t>(first)); };
    cb_reserve_back(1, 1);
    cb_push_back(1, 1);
    const uint32_t page = get_write_ptr(0);
    noc_async_read(place(0), page, 2048);
    noc_async_read_barrier();
    noc_async_write(page, place(3), 2048);
    noc_async_write_barrier();
    cb_wait_front(1, 1);
    cb_pop_front(1, 1);
}
""")
    done = run_program("host", tmp_path / "program.cpp", "--arch", chip, "--check", "all")
    assert (done.status, done.err) == (0, "")


def test_the_fast_network_is_near_the_exact_one(run_program: CommandLine) -> None:
    program = (EXAMPLES / "multicast_pipeline.cpp", "--arch", "blackhole", "--json")
    exact, fast = (run_program("host", *program, "--accuracy", accuracy) for accuracy in ("exact", "fast"))
    assert "accuracy=fast" in rows_of(fast)[0]["params"]
    for row, other in zip(rows_of(exact), rows_of(fast), strict=True):
        assert other["latency_cycles"] == pytest.approx(row["latency_cycles"], rel=0.1)


SIGNALS = """
    const CoreRangeSet cores(std::set<CoreRange>{CoreRange({0, 0}, {1, 0}), CoreRange({0, 1}, {0, 1})});
    CreateSemaphore(program, cores, 0);
    CreateKernelFromString(program, "#include \\"dataflow_api.h\\"\\nvoid kernel_main() {"
        "noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0)), 1); }", core, on_riscv_0);
    auto signal = CreateKernelFromString(program, "#include \\"dataflow_api.h\\"\\nvoid kernel_main() {"
        "if (get_arg_val<uint32_t>(2)) noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(0), "
        "get_arg_val<uint32_t>(1), get_semaphore(0)), 1); noc_async_atomic_barrier(); }",
        CoreRangeSet(std::set<CoreRange>{CoreRange({1, 0}, {1, 0}), CoreRange({0, 1}, {0, 1})}), on_riscv_0);
    const CoreCoord waits = device->worker_core_from_logical_core(core);
    for (const CoreCoord& from : {CoreCoord{1, 0}, CoreCoord{0, 1}}) {
        const uint32_t signals = from == CoreCoord{SENDER};
        SetRuntimeArgs(program, signal, from, {uint32_t(waits.x), uint32_t(waits.y), signals});
    }
    START
"""
SLOWLY = "detail::LaunchProgram(device.get(), program);"


@pytest.mark.parametrize(("sender", "place"), [("0, 1", 1), ("1, 0", 2)])
@pytest.mark.parametrize("is_set", [False, True])
@pytest.mark.parametrize("start", ["run(*device, program);", SLOWLY])
def test_slow_dispatch_starts_cores_one_by_one_column_by_column(
    host: CommandLine, monkeypatch: pytest.MonkeyPatch, sender: str, place: int, is_set: bool, start: str
) -> None:
    if is_set:
        monkeypatch.setenv("TT_METAL_SLOW_DISPATCH_MODE", "1")
    done = host(SIGNALS.replace("SENDER", sender).replace("START", start), "--json")
    assert done.status == 0, done.err
    is_slow = is_set or start == SLOWLY
    skew = describe_architecture("wormhole_b0").launch_skew_cycles if is_slow else 0
    waiter = rows_of(done)[0]
    assert place * skew < waiter["latency_cycles"] < place * skew + 500
    assert ("start=skewed" in waiter["params"]) == is_slow


def test_kernels_of_one_source_are_summed_up(host: CommandLine) -> None:
    done = host("""
    for (uint32_t x = 0; x < 6; ++x) {
        CreateKernelFromString(program, "#include \\"dataflow_api.h\\"\\n"
            "void kernel_main() { noc_semaphore_inc(get_noc_addr(18, 18, get_semaphore(0)), 1); }", CoreCoord{x, 0},
            on_riscv_0);
    }
    CreateSemaphore(program, CoreRange({0, 0}, {5, 0}), 0);
    run(*device, program);
    return 0;""")
    assert done.status == 0, done.err
    assert done.out.count("riscv_0, NoC 0") == 1
    assert "the slowest of 6 kernels with this source" in done.out
    assert len(done.err.splitlines()) == 1
    assert "kernel 'kernel' on core (0, 0) and 5 more: " in done.err


def test_one_program_of_many_is_looked_at(run_program: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "program.cpp").write_text(f"""{BEGIN}
    for (uint32_t id : {{7, 9}}) {{
        program = CreateProgram();
        CreateKernelFromString(program, "void kernel_main() {{ for (volatile int i = 0; i < " + std::to_string(id) +
            "00; ++i) {{}} }}", core, on_riscv_0);
        program.set_runtime_id(id);
        run(*device, program);
    }}
}}
""")
    looked_at = ("explain", tmp_path / "program.cpp", "--arch", "blackhole")
    first = run_program(*looked_at)
    assert first.out == run_program(*looked_at, "-a", "program=7").out.replace(", program=7", "")
    second = run_program(*looked_at, "-a", "program=9")
    assert "on blackhole, program=9, kernel: " in second.out
    assert second.out != first.out
    wrong = run_program(*looked_at, "-a", "program=8")
    assert (wrong.status, "expected to enqueue program 8, found 7, 9" in wrong.err) == (2, True)
    both = run_program("explain", tmp_path / "program.cpp")
    assert "on wormhole_b0, kernel: " in both.out
    assert first.out.splitlines()[0] in both.out


def test_rows_name_program_and_arguments(run_program: CommandLine, tmp_path: Path) -> None:
    files = [tmp_path / "rows.csv", tmp_path / "other.csv"]
    named = []
    for file, arguments in zip(files, ((), ("--", "64;", "x")), strict=True):
        done = run_program("host", EXAMPLES / "loopback.cpp", "--arch", "blackhole", "-o", file, *arguments)
        assert done.status == 0, done.err
        named.append({row["params"].split(";")[0] for row in read_rows(file)})
    assert named == [{"program=loopback.cpp"}, {"program=loopback.cpp 64? x"}]
    assert run_program("merge", *files, "-o", tmp_path / "both.csv").status == 0


def test_a_library_of_another_build_runs(run_program: CommandLine, tmp_path: Path) -> None:
    flags = shlex.split(run_program("host", "--flags").out)
    library = tmp_path / "libloopback.so"
    subprocess.run(["c++", *flags, "-shared", "-o", library, EXAMPLES / "loopback.cpp"], check=True)
    (tmp_path / "kernels").symlink_to(EXAMPLES / "kernels")
    done = run_program("host", library, "--arch", "blackhole")
    assert (done.status, done.out) == (0, run_program("host", EXAMPLES / "loopback.cpp", "--arch", "blackhole").out)


WRONG = {
    "CreateKernelFromString(program, nothing, CoreCoord{20, 0}, on_riscv_0); run(*device, program);": (
        "expected a core from (0, 0) to (7, 7) of n150, found (20, 0)"
    ),
    "CreateKernelFromString(program, nothing, CoreRangeSet(), on_riscv_0);": "expected at least one core, found none",
    "CreateKernelFromString(program, nothing, core, on_riscv_0);"
    "CreateKernelFromString(program, nothing, core, on_riscv_0);": "RISCV_0 of core (0, 0) already has kernel 'kernel'",
    'CreateKernel(program, "missing.cpp", core, on_riscv_0); run(*device, program);': "missing.cpp: no such file",
    'CreateKernelFromString(program, "void kernel_main() { x; }", core, on_riscv_0); run(*device, program);': (
        "'x' was not declared"
    ),
    'CreateKernelFromString(program, "void kernel_main() { tile_regs_commit(); }", core,'
    " ComputeConfig{}); run(*device, program);": "math does not have Dst: expected tile_regs_acquire before",
    "CreateKernelFromString(program, nothing, core, EthernetConfig{});": "Ethernet cores are not modeled",
    'experimental::quasar::CreateKernel(program, "k.cpp", core, {.num_threads_per_cluster = 1});': (
        "kernel 'k.cpp': kernels of Quasar are not modeled"
    ),
    "SetRuntimeArgs(program, 3, core, {1});": "expected the handle of one of 0 kernels, found 3",
    "auto k = CreateKernelFromString(program, nothing, core, on_riscv_0);"
    "SetRuntimeArgs(program, k, CoreCoord{1, 1}, {1});": ("kernel 'kernel' does not run on core (1, 1)"),
    "auto k = CreateKernelFromString(program, nothing, core, on_riscv_0);"
    "SetRuntimeArgs(program, k, core, std::vector<uint32_t>(342));": "expected at most 341 arguments",
    "auto k = CreateKernelFromString(program, nothing, core, on_riscv_0); SetRuntimeArgs(program, k, core, {1});"
    "SetRuntimeArgs(program, k, core, {1, 2});": "at most 1 arguments, as it was given before, found 2",
    "auto k = CreateKernelFromString(program, nothing, core, on_riscv_0); GetRuntimeArgs(program, k, core);": (
        "has no arguments on core (0, 0)"
    ),
    "for (int i = 0; i < 17; ++i) CreateSemaphore(program, CoreRange(core), 0);": "at most 16 semaphores on a core",
    "CreateCircularBuffer(program, core, CircularBufferConfig(64, {{0, DataFormat::UInt32}}));"
    "CreateCircularBuffer(program, core, CircularBufferConfig(64, {{0, DataFormat::UInt32}}));": (
        "index 0 is already in use on {[(x=0,y=0) - (x=0,y=0)]}"
    ),
    "CreateCircularBuffer(program, core, CircularBufferConfig(64, {{40, DataFormat::UInt32}}));": (
        "expected an index from 0 to 31, found 40"
    ),
    "CreateCircularBuffer(program, core, CircularBufferConfig(2000000, {{0, DataFormat::UInt32}}));"
    "CreateKernelFromString(program, nothing, core, on_riscv_0); run(*device, program);": "pass the end of L1",
    "auto b = l1(1000000);"
    "CreateCircularBuffer(program, core, CircularBufferConfig(600000, {{0, DataFormat::UInt32}}));"
    "CreateKernelFromString(program, nothing, core, on_riscv_0); run(*device, program);": "overlap a buffer in L1",
    "CreateBuffer(InterleavedBufferConfig{device.get(), 100, 64, BufferType::DRAM});": (
        "expected whole pages, found 100 bytes in pages of 64"
    ),
    "CreateBuffer(InterleavedBufferConfig{nullptr, 64, 64, BufferType::DRAM});": "expected a device, found none",
    "CreateBuffer(InterleavedBufferConfig{device.get(), 64, 64, BufferType::TRACE});": "BufferType::DRAM or L1",
    "l1(2000000);": "in each bank of L1, found 2000000",
    "auto b = l1(64); DeallocateBuffer(*b); detail::WriteToBuffer(b, std::vector<uint32_t>(16));": "is deallocated",
    "auto b = l1(64); detail::WriteToBuffer(b, std::vector<uint32_t>(17));": "at most 64 bytes, the size of the buffer",
    "detail::WriteToDeviceL1(device.get(), CoreCoord{9, 9}, 0, std::vector<uint32_t>(1));": "found (9, 9)",
    "detail::WriteToDeviceL1(device.get(), core, 0x7FFFFFFF, std::vector<uint32_t>(1));": "L1 of core (0, 0)",
    "detail::WriteToDeviceDRAMChannel(device.get(), 99, 0, std::vector<uint32_t>(1));": "DRAM bank: expected 0 to 11",
    "device->close(); l1(64);": "the device is closed",
    "MeshDevice::create_unit_mesh(1);": "expected device 0, the first that was opened and the only one",
    "MeshDevice::create(MeshDeviceConfig(MeshShape(2, 2)));": "a mesh of one chip, found one of 4",
    "ProgramDescriptor d; d.semaphores.push_back({.id = 16}); Program made(d);": "an id from 0 to 15, found 16",
    "ProgramDescriptor d;"
    "d.cbs.push_back({.total_size = 64, .remote_format_descriptors = {{0, DataFormat::UInt32, 64}}});"
    "Program made(d);": (
        "remote circular buffer 0: expected experimental::CreateCircularBuffer with a global circular buffer"
    ),
    "CreateSemaphore(program, CoreRange(core), 0, CoreType::ETH);": "expected CoreType::WORKER",
    "CreateCircularBuffer(program, core, CircularBufferConfig(64));": "expected the index of a buffer, found none",
    "CircularBufferConfig(64, {{0, DataFormat::UInt32}}).set_page_size(1, 64);": "index 1, which has no data format",
    "CircularBufferConfig(64, {{0, DataFormat::UInt32}}).set_page_size(0, 48);": "64 bytes in pages of 48",
    "CircularBufferConfig(64, {{0, DataFormat::UInt32}}).set_tile_dims(0, Tile({32, 16}));": (
        "expected tiles of 32 columns and 1, 2, 4, 8, 16 or 32 rows, found 32 x 16"
    ),
    "select_from_corerangeset(CoreRangeSet(CoreRange(core)), 0, 4);": "indices of 1 cores, found 0 to 4",
    "MeshBuffer::create(ReplicatedBufferConfig{100}, {.page_size = 64}, device.get());": (
        "expected whole pages, found 100 bytes in pages of 64"
    ),
    'CreateKernelFromString(program, "void kernel_main() { *(volatile uint32_t*)2 = 1; }", core, on_riscv_0);'
    "run(*device, program);": "program_1: kernel 'kernel' on core (0, 0) riscv_0",
    'CreateKernelFromString(program, "void kernel_main() { while (true) {} }", core, on_riscv_0);'
    "run(*device, program);": "program_1",
    "CoreRange(CoreCoord(1, 1), CoreCoord(0, 0));": "the end (x=0,y=0) lies before the start (x=1,y=1)",
}


@pytest.mark.parametrize(("lines", "message"), WRONG.items(), ids=range(len(WRONG)))
def test_wrong_programs_are_told_where(host: CommandLine, lines: str, message: str) -> None:
    done = host(lines)
    assert done.status == 2
    assert message in done.err
    assert "Traceback" not in done.err
    place = re.search(r"program\.cpp:(\d+)", done.err)
    assert place is not None
    assert int(place[1]) <= len(BEGIN.splitlines()) + 1, "the host program, not a source of the library"


@pytest.mark.parametrize("chip", CHIPS)
def test_kernels_of_both_riscs_use_both_nocs_in_program_after_program(host: CommandLine, chip: str) -> None:
    done = host(
        """
    auto words = l1(256);
    const CoreCoord place = device->worker_core_from_logical_core({1, 1});
    const std::string reads = R"(
        #include "dataflow_api.h"
        void kernel_main() {
            for (uint8_t noc = 0; noc < 2; ++noc) {
                const uint32_t word = get_arg_val<uint32_t>(2) + 64 * noc;
                noc_async_read(get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), word, noc), word, 64,
                               noc);
                noc_async_read_barrier(noc);
            }
        })";
    for (uint32_t round = 0; round < 3; ++round) {
        Program next = CreateProgram();
        for (uint32_t risc = 0; risc < (round == 1 ? 2 : 1); ++risc) {
            DataMovementConfig config;
            config.processor = static_cast<DataMovementProcessor>(risc);
            config.noc = NOC::NOC_0;
            config.noc_mode = NOC_MODE::DM_DYNAMIC_NOC;
            auto kernel = CreateKernelFromString(next, reads, core, config);
            SetRuntimeArgs(next, kernel, core, {uint32_t(place.x), uint32_t(place.y), words->address() + 128 * risc});
        }
        run(*device, next);
    }
    return 0;""",
        *("--arch", chip, "--check", "racecheck,memcheck,synccheck", "--json"),
    )
    assert (done.status, done.err) == (0, "")
    assert [row["riscv"] for row in rows_of(done)] == [0, 0, 1, 0]


def test_declared_programs_name_their_mistakes(run_program: CommandLine) -> None:
    done = run_program("host", ROOT / "tests" / "host_suite" / "declared_mistakes.cpp", "--arch", "wormhole_b0")
    assert done.status == 0, done.out
    assert "[  PASSED  ] 1 test." in done.out
