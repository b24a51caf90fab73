"""nocbench.ttnn: programs of ttnn around generic_op, their data, cycles, and what they are told when they are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
import pytest

import nocbench.ttnn as ttnn
from nocbench import InputError, Program

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[3]
COPY_PAGES = ROOT / "examples" / "host" / "kernels" / "copy_pages.cpp"
CHIPS = ("wormhole_b0", "blackhole")
CORE = ttnn.CoreCoord(0, 0)

READER = """
#include "dataflow_api.h"
void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0);
    const uint32_t pages = get_arg_val<uint32_t>(1), first = get_arg_val<uint32_t>(2);
    constexpr uint32_t buffer = get_compile_time_arg_val(0);
    constexpr auto args = TensorAccessorArgs<1>();
    const auto source = TensorAccessor(args, address, get_tile_size(buffer));
    for (uint32_t page = first; page < first + pages; ++page) {
        cb_reserve_back(buffer, 1);
        noc_async_read_page(page, source, get_write_ptr(buffer));
        noc_async_read_barrier();
        cb_push_back(buffer, 1);
    }
}
"""
WRITER = """
#include "dataflow_api.h"
void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0);
    const uint32_t pages = get_arg_val<uint32_t>(1), first = get_arg_val<uint32_t>(2);
    constexpr uint32_t buffer = get_compile_time_arg_val(0);
    constexpr auto args = TensorAccessorArgs<1>();
    const auto target = TensorAccessor(args, address, get_tile_size(buffer));
    for (uint32_t page = first; page < first + pages; ++page) {
        cb_wait_front(buffer, 1);
        noc_async_write_page(page, target, get_read_ptr(buffer));
        noc_async_write_barrier();
        cb_pop_front(buffer, 1);
    }
}
"""
NOTHING = "void kernel_main() {}"


@pytest.fixture(params=CHIPS)
def device(request: pytest.FixtureRequest) -> Iterator[ttnn.Device]:
    with ttnn.manage_device(arch=request.param) as opened:
        yield opened


@pytest.fixture
def wormhole() -> Iterator[ttnn.Device]:
    device = ttnn.open_device(device_id=0, l1_small_size=0)
    yield device
    ttnn.close_device(device)


def on(*cores: ttnn.CoreCoord) -> ttnn.CoreRangeSet:
    return ttnn.CoreRangeSet([ttnn.CoreRange(core, core) for core in cores])


def kernel(source: str, **fields: Any) -> ttnn.KernelDescriptor:  # noqa: ANN401 - those of the class
    fields = {"core_ranges": on(CORE), "config": ttnn.ReaderConfigDescriptor(), **fields}
    return ttnn.KernelDescriptor(source, ttnn.KernelDescriptor.SourceType.SOURCE_CODE, **fields)


def copied(device: ttnn.Device, source: ttnn.Tensor, target: ttnn.Tensor) -> ttnn.Tensor:
    """Copies tiles by a reader and a writer on several cores, as unary operations of ttnn do."""
    tile_bytes = source.buffer_page_size()
    tiles = source.buffer_num_pages()
    _, cores, group_1, group_2, per_core_1, per_core_2 = ttnn.split_work_to_cores(
        device.compute_with_storage_grid_size(), tiles
    )
    arguments = {"reader": ttnn.RuntimeArgs(), "writer": ttnn.RuntimeArgs()}
    first = 0
    for group, per_core in ((group_1, per_core_1), (group_2, per_core_2)):
        for core_range in group.ranges():
            for x in range(core_range.start.x, core_range.end.x + 1):
                for y in range(core_range.start.y, core_range.end.y + 1):
                    arguments["reader"][x][y] = [source.buffer_address(), per_core, first]
                    arguments["writer"][x][y] = [target.buffer_address(), per_core, first]
                    first += per_core
    assert first == tiles
    buffer = ttnn.CBDescriptor(
        total_size=2 * tile_bytes,
        core_ranges=cores,
        format_descriptors=[ttnn.CBFormatDescriptor(buffer_index=0, data_format=source.dtype, page_size=tile_bytes)],
    )
    program = ttnn.ProgramDescriptor(
        kernels=[
            kernel(
                READER,
                core_ranges=cores,
                compile_time_args=[0, *ttnn.TensorAccessorArgs(source).get_compile_time_args()],
                runtime_args=arguments["reader"],
            ),
            kernel(
                WRITER,
                core_ranges=cores,
                compile_time_args=[0, *ttnn.TensorAccessorArgs(target).get_compile_time_args()],
                runtime_args=arguments["writer"],
                config=ttnn.WriterConfigDescriptor(),
            ),
        ],
        semaphores=[],
        cbs=[buffer],
    )
    return ttnn.generic_op([source, target], program)


@pytest.mark.parametrize("memory", [ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG])
def test_tiles_are_copied_by_a_reader_and_a_writer(device: ttnn.Device, memory: ttnn.MemoryConfig) -> None:
    values = numpy.random.default_rng(1).random((1, 5, 40, 64), dtype="float32")
    source = ttnn.from_torch(values, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory)
    target = ttnn.allocate_tensor_on_device(ttnn.Shape([1, 5, 40, 64]), ttnn.bfloat16, ttnn.TILE_LAYOUT, device, memory)
    assert list(source.padded_shape) == [1, 5, 64, 64]
    output = copied(device, source, target)
    assert output is target
    numpy.testing.assert_allclose(output.to_numpy(), values, rtol=1 / 256)
    assert numpy.array_equal(output.to_numpy(), source.to_numpy())
    run = ttnn.last_run()
    assert run is device.runs[-1]
    assert run.rows["num_cores"].tolist() == [20, 20]
    assert run.rows["limiter"].tolist().count(run.limiter) >= 1
    assert run.cycles >= run.rows["latency_cycles"].max() > 0
    assert run.findings == []
    assert "cb_wait_front(buffer, 1);" in str(run)


@pytest.mark.parametrize("chip", CHIPS)
def test_takes_the_cycles_of_the_same_program_from_a_file(chip: str) -> None:
    program = Program(chip)
    program.tensor("source", pages=32, page_bytes=2048)
    program.tensor("target", pages=32, page_bytes=2048)
    program.region("room", 2048)
    program.kernel(
        COPY_PAGES,
        compile_time_args=["layout source", "layout target"],
        runtime_args=["address room", "address source", "address target", 32],
    )
    with ttnn.manage_device(arch=chip) as device:
        source = ttnn.from_numpy(numpy.arange(32 * 512, dtype="uint32").reshape(32, 512), device=device)
        target, room = (
            ttnn.empty((rows, 512), ttnn.uint32, device=device, memory_config=memory)
            for rows, memory in ((32, None), (1, ttnn.L1_MEMORY_CONFIG))
        )
        arguments = [room.buffer_address(), source.buffer_address(), target.buffer_address(), 32]
        layouts = [
            word for tensor in (source, target) for word in ttnn.TensorAccessorArgs(tensor).get_compile_time_args()
        ]
        descriptor = ttnn.KernelDescriptor(
            kernel_source=str(COPY_PAGES),
            core_ranges=on(CORE),
            compile_time_args=layouts,
            runtime_args=ttnn.RuntimeArgs([(CORE, arguments)]),
            config=ttnn.DataMovementConfigDescriptor(),
        )
        output = ttnn.generic_op([source, target], ttnn.ProgramDescriptor([descriptor]))
        assert numpy.array_equal(output.to_numpy(), source.to_numpy())
    assert ttnn.last_run().rows["latency_cycles"].tolist() == program.run().frame["latency_cycles"].tolist()


@pytest.mark.parametrize(
    ("dtype", "stored"),
    [(ttnn.float32, "float32"), (ttnn.uint32, "uint32"), (ttnn.int32, "int32"), (ttnn.uint16, "uint16")],
)
@pytest.mark.parametrize("layout", [ttnn.ROW_MAJOR_LAYOUT, ttnn.TILE_LAYOUT])
def test_values_come_back(wormhole: ttnn.Device, dtype: ttnn.DataType, stored: str, layout: ttnn.Layout) -> None:
    values = numpy.arange(3 * 33 * 34).reshape(3, 33, 34).astype(stored)
    tensor = ttnn.as_tensor(values, layout=layout, device=wormhole)
    assert (tensor.dtype, tensor.layout, list(tensor.shape)) == (dtype, layout, [3, 33, 34])
    back = ttnn.to_numpy(tensor)
    assert back.dtype == stored
    assert numpy.array_equal(back, values)


def test_tiles_have_faces_and_bfloat16_is_rounded(wormhole: ttnn.Device) -> None:
    values = numpy.arange(32 * 64, dtype="uint32").reshape(32, 64)
    tensor = ttnn.from_numpy(values, layout=ttnn.TILE_LAYOUT, device=wormhole)
    words = numpy.frombuffer(tensor.buffer().read(), dtype="uint32")
    # the second face of the first tile is to the right of the first, and the second tile of the first
    assert (words[1], words[16], words[256], words[512], words[1024]) == (1, 64, 16, 16 * 64, 32)
    rounded = ttnn.from_numpy(numpy.array([1.0, 1.00390625, 1.01171875, -2.5]), ttnn.bfloat16)
    assert rounded.to_numpy().tolist() == [1.0, 1.0, 1.015625, -2.5]
    assert rounded.to_numpy().dtype == "float32"


def test_shards_are_on_their_cores_and_circular_buffers_on_them(wormhole: ttnn.Device) -> None:
    cores = ttnn.CoreRangeSet([ttnn.CoreRange((1, 0), (2, 1))])
    memory = ttnn.MemoryConfig(
        ttnn.TensorMemoryLayout.HEIGHT_SHARDED,
        ttnn.BufferType.L1,
        ttnn.ShardSpec(cores, [8, 16], ttnn.ShardOrientation.ROW_MAJOR),
    )
    values = numpy.arange(32 * 16, dtype="uint32").reshape(32, 16)
    tensor = ttnn.from_numpy(values, device=wormhole, memory_config=memory)
    target = ttnn.allocate_tensor_on_device(tensor.spec, wormhole)
    assert tensor.is_sharded()
    buffers = [ttnn.cb_descriptor_from_sharded_tensor(index, each) for index, each in enumerate((tensor, target))]
    assert buffers[0].total_size == 8 * 64
    source = """
    void kernel_main() {
        volatile tt_l1_ptr uint32_t* from = (volatile tt_l1_ptr uint32_t*)get_read_ptr(0);
        volatile tt_l1_ptr uint32_t* to = (volatile tt_l1_ptr uint32_t*)get_write_ptr(1);
        for (uint32_t word = 0; word < 128; ++word) {
            to[word] = from[word] + get_common_arg_val<uint32_t>(0);
        }
    }"""
    program = ttnn.ProgramDescriptor([kernel(source, core_ranges=cores, common_runtime_args=[7])], [], buffers)
    assert numpy.array_equal(ttnn.generic_op([tensor, target], program).to_numpy(), values + 7)


def test_semaphores_defines_and_arguments_in_all_forms(wormhole: ttnn.Device) -> None:
    sender, receiver = ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0)
    place = wormhole.worker_core_from_logical_core(receiver)
    counter = ttnn.create_global_semaphore(wormhole, on(sender), 40)
    send = """
    void kernel_main() {
        noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_semaphore(3)), STEP);
        noc_async_atomic_barrier();
        *(volatile tt_l1_ptr uint32_t*)get_arg_val<uint32_t>(2) += get_named_compile_time_arg_val("more");
    }"""
    receive = """
    void kernel_main() {
        noc_semaphore_wait((volatile tt_l1_ptr uint32_t*)get_semaphore(3), 7);
        constexpr auto args = TensorAccessorArgs<0>();
        const auto target = TensorAccessor(args, get_arg_val<uint32_t>(0), 64);
        noc_async_write_page(0, target, get_semaphore(3));
        noc_async_write_barrier();
    }"""
    target = ttnn.zeros((1, 16), ttnn.uint32, device=wormhole)
    program = ttnn.ProgramDescriptor(
        kernels=[
            kernel(
                send,
                defines=[("STEP", "5")],
                named_compile_time_args=[("more", 2)],
                # by column and row, as older programs give them
                runtime_args=[[[place.x, place.y, ttnn.get_global_semaphore_address(counter)]]],
            ),
            kernel(
                receive,
                core_ranges=on(receiver),
                compile_time_args=ttnn.TensorAccessorArgs(target).get_compile_time_args(),
                runtime_args=[((1, 0), [0])],
            ),
        ],
        semaphores=[ttnn.SemaphoreDescriptor(id=3, core_ranges=on(sender, receiver), initial_value=2)],
    )
    program.kernels[1].runtime_args[1][0][0] = target.buffer_address()
    assert ttnn.generic_op([target], program).to_numpy()[0, 0] == 7
    assert [len(one.runtime_args) for one in program.kernels] == [1, 1]


def test_names_are_those_of_ttnn() -> None:
    for name in ttnn.__all__:
        assert getattr(ttnn, name) is not None
    whole = ttnn.num_cores_to_corerangeset(10, ttnn.CoreCoord(8, 8), row_wise=True)
    assert whole.num_cores() == 10
    assert whole.subtract(on(CORE)).num_cores() == 9
    assert (whole.bounding_box().end.x, ttnn.CoreRangeSet({ttnn.CoreRange(CORE, CORE)})) == (7, on(CORE))
    assert repr(ttnn.CoreRange((0, 1), (2, 3))) == "CoreRange(CoreCoord(x=0, y=1), CoreCoord(x=2, y=3))"
    merged = ttnn.merge_program_descriptors([ttnn.ProgramDescriptor([kernel(NOTHING)]) for _ in range(2)])
    assert len(merged.kernels) == 2


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"compile_time_args": [-1]}, r"KernelDescriptor.compile_time_args: expected a list of numbers .*found \[-1\]"),
        ({"runtime_args": [(CORE, ["x"])]}, "RuntimeArgs.pairs: expected a list of numbers"),
        ({"config": None}, "KernelDescriptor.config: expected a ReaderConfigDescriptor.*found None"),
        ({"core_ranges": [CORE]}, "KernelDescriptor.core_ranges: expected a CoreRangeSet"),
        ({"runtime_args": [((1, 1), [1])]}, r"does not run on core \(1, 1\)"),
        ({"core_ranges": on(ttnn.CoreCoord(30, 0))}, r"expected a core from \(0, 0\).*found \(30, 0\)"),
        ({"defines": [("A", 1)]}, "KernelDescriptor.defines: expected a list of pairs of texts"),
    ],
)
def test_says_what_is_wrong_in_a_descriptor(wormhole: ttnn.Device, fields: dict[str, Any], message: str) -> None:
    target = ttnn.zeros((1, 16), ttnn.uint32, device=wormhole)
    with pytest.raises((InputError, RuntimeError), match=message):
        ttnn.generic_op([target], ttnn.ProgramDescriptor([kernel(NOTHING, **fields)]))
    assert wormhole.runs == []


def test_says_what_is_wrong_with_kernels(wormhole: ttnn.Device) -> None:
    target = ttnn.zeros((1, 16), ttnn.uint32, device=wormhole)
    missing = ttnn.KernelDescriptor("no.cpp", core_ranges=on(CORE), config=ttnn.ReaderConfigDescriptor())
    with pytest.raises(RuntimeError, match=r"no.cpp: no such file in .* folders of test_ttnn.py"):
        ttnn.generic_op([target], ttnn.ProgramDescriptor([missing]))
    with pytest.raises(RuntimeError, match="nonsense"):
        ttnn.generic_op([target], ttnn.ProgramDescriptor([kernel("void kernel_main() { nonsense(); }")]))
    with pytest.raises(RuntimeError, match=r"RISCV_1 of core .* already has kernel"):
        ttnn.generic_op([target], ttnn.ProgramDescriptor([kernel(NOTHING), kernel(NOTHING)]))
    ttnn.generic_op([target], ttnn.ProgramDescriptor([kernel(NOTHING)]))  # the device is still of use


def test_says_what_is_wrong_with_tensors(wormhole: ttnn.Device) -> None:
    values = numpy.zeros((32, 32), dtype="float32")
    with pytest.raises(RuntimeError, match="found bfloat8_b, in which several share an exponent"):
        ttnn.from_numpy(values, ttnn.bfloat8_b, device=wormhole)
    with pytest.raises(InputError, match="dtype: expected one for values of float64"):
        ttnn.from_numpy(values.astype("float64"))
    with pytest.raises(InputError, match="expected numbers of uint16, found 70000"):
        ttnn.from_numpy(numpy.array([1, 70000]), ttnn.uint16)
    on_host = ttnn.from_numpy(values)
    with pytest.raises(InputError, match="expected a tensor on a device, found one on the host"):
        on_host.buffer_address()
    with pytest.raises(InputError, match="generic_op: expected tensors on one device"):
        ttnn.generic_op([on_host], ttnn.ProgramDescriptor())
    with pytest.raises(InputError, match="generic_op: expected at least one tensor"):
        ttnn.generic_op([], ttnn.ProgramDescriptor())
    with pytest.raises(InputError, match="expected a shard_spec for HEIGHT_SHARDED, found none"):
        ttnn.empty((32, 32), device=wormhole, memory_config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG)
    with pytest.raises(RuntimeError, match=r"expected at most .* bytes in each bank of L1"):
        ttnn.empty((64 * 1024, 1024), ttnn.float32, device=wormhole, memory_config=ttnn.L1_MEMORY_CONFIG)


def test_there_is_one_device_at_a_time_and_none_after_it_is_closed() -> None:
    device = ttnn.open_device(device_id=0)
    with pytest.raises(InputError, match="expected no other device or host program in this process"):
        ttnn.open_device(device_id=0)
    tensor = ttnn.zeros((1, 16), ttnn.uint32, device=device)
    ttnn.close_device(device)
    ttnn.close_device(device)
    with pytest.raises(RuntimeError, match="closed"):
        tensor.to_numpy()
    with pytest.raises(RuntimeError, match="closed"):
        ttnn.generic_op([tensor], ttnn.ProgramDescriptor())
    ttnn.close_device(ttnn.open_device(device_id=1))
    with pytest.raises(InputError, match="architecture"):
        ttnn.open_device(arch="wormhole")
    with pytest.raises(InputError, match=r"it has no argument 'check'; did you mean 'checks'"):
        ttnn.open_device(check=["racecheck"])


def test_chips_are_chosen_by_name_board_and_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ttnn.get_arch_name() == "wormhole_b0"
    with ttnn.manage_device(board="p100a") as device:
        assert device.arch() == ttnn.Arch.BLACKHOLE
        size = device.compute_with_storage_grid_size()
        assert (device.core_grid.x, device.core_grid.y, device.core_grid.num_cores) == (size.x, size.y, size.x * size.y)
    monkeypatch.setenv("ARCH_NAME", "blackhole")
    with ttnn.manage_device() as device:
        assert device.arch() == ttnn.Arch.BLACKHOLE


def test_checks_find_a_race() -> None:
    with ttnn.manage_device(checks=["racecheck"]) as device:
        target = ttnn.zeros((1, 16), ttnn.uint32, device=device, memory_config=ttnn.L1_MEMORY_CONFIG)
        source = """
        void kernel_main() {
            constexpr auto args = TensorAccessorArgs<0>();
            const auto target = TensorAccessor(args, get_arg_val<uint32_t>(0), 64);
            noc_async_read_page(0, target, get_arg_val<uint32_t>(1));
            *(volatile tt_l1_ptr uint32_t*)get_arg_val<uint32_t>(1) = 1;
            noc_async_read_barrier();
        }"""
        room = ttnn.zeros((64, 16), ttnn.uint32, device=device, memory_config=ttnn.L1_MEMORY_CONFIG)
        arguments = [(CORE, [target.buffer_address(), room.buffer_address()])]
        layout = ttnn.TensorAccessorArgs(target).get_compile_time_args()
        ttnn.generic_op(
            [target], ttnn.ProgramDescriptor([kernel(source, compile_time_args=layout, runtime_args=arguments)])
        )
        assert [finding.check for finding in ttnn.last_run().findings] == ["racecheck"]


def test_torch_is_needed_only_for_its_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    tensor = ttnn.ones((2, 2))
    monkeypatch.setattr("nocbench.ttnn.tensors.find_spec", lambda _: None)
    with pytest.raises(RuntimeError, match="to_torch: expected torch, found none"):
        ttnn.to_torch(tensor)


def test_takes_tensors_of_torch() -> None:
    torch = pytest.importorskip("torch")
    values = torch.rand(32, 32).to(torch.bfloat16)
    tensor = ttnn.from_torch(values)
    assert tensor.dtype == ttnn.bfloat16
    assert torch.equal(ttnn.to_torch(tensor), values)
