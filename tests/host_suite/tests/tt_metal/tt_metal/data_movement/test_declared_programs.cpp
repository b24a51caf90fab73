// Programs as declarations: kernels, buffers and semaphores by name, and arguments that differ from run to run.
#include <tt-metalium/experimental/metal2_host_api/program.hpp>
#include <tt-metalium/experimental/metal2_host_api/program_run_args.hpp>
#include <tt-metalium/experimental/metal2_host_api/program_spec.hpp>

#include "dm_common.hpp"

namespace tt::tt_metal {

using namespace experimental;

namespace {

constexpr uint32_t kTestId = 950, kSecondTestId = 951;
const std::string kKernels = "tests/tt_metal/tt_metal/data_movement/kernels/";
const KernelSpecName kReader{"reader"}, kWriter{"writer"}, kWait{"wait"};
const DFBSpecName kBlocks{"blocks"};
const SemaphoreSpecName kDone{"done"};
const NodeRange kCopying({0, 0}, {1, 0});
const NodeCoord kPeer{2, 2};

/// Cores that each copy blocks from another core to that core, through a buffer of two blocks.
ProgramSpec copy_blocks(uint32_t count, uint32_t bytes) {
    const KernelSpec::CompileTimeArgs sizes{{"count", count}, {"bytes", bytes}};
    KernelSpec reader{
        .unique_id = kReader,
        .source = kKernels + "named_reader.cpp",
        .dfb_bindings = {ProducerOf(kBlocks, "blocks")},
        .compile_time_args = sizes,
        .runtime_arg_schema = {.runtime_arg_names = {"source"}, .common_runtime_arg_names = {"x", "y", "test_id"}},
        .hw_config = CreateReaderGen1DataMovementConfig(),
    };
    KernelSpec writer{
        .unique_id = kWriter,
        .source = kKernels + "named_writer.cpp",
        .dfb_bindings = {{.dfb_spec_name = kBlocks,
                          .accessor_name = "ready",
                          .endpoint_type = DFBEndpointType::CONSUMER}},
        .semaphore_bindings = {{.semaphore_spec_name = kDone, .accessor_name = "done"}},
        .compile_time_args = sizes,
        .runtime_arg_schema = {.runtime_arg_names = {"target"}, .common_runtime_arg_names = {"test_id"}},
        .hw_config = DataMovementHardwareConfig{.config_1xx = {{DataMovementProcessor::RISCV_0, NOC::NOC_1}}},
        .advanced_options = {.num_runtime_varargs = 2},
    };
    KernelSpec wait{
        .unique_id = kWait,
        .source = kKernels + "named_wait.cpp",
        .semaphore_bindings = {{.semaphore_spec_name = kDone, .accessor_name = "all_done"}},
        .runtime_arg_schema = {.runtime_arg_names = {"writers"}, .common_runtime_arg_names = {"test_id"}},
        .hw_config = DataMovementGen1Config{},
    };
    return {
        .name = "copy_blocks",
        .kernels = {reader, writer, wait},
        .dataflow_buffers = {{.unique_id = kBlocks, .entry_size = bytes, .num_entries = 2}},
        .semaphores = {{.unique_id = kDone, .target_nodes = NodeRangeSet({kCopying, NodeRange(kPeer)})}},
        .work_units = {{.name = "copy", .kernels = {kReader, kWriter}, .target_nodes = kCopying},
                       {.name = "peer", .kernels = {kWait}, .target_nodes = kPeer}},
    };
}

}  // namespace

TEST_F(GenericMeshDeviceFixture, DeclaredProgramCopiesBlocks) {
    const dm::Mesh mesh = get_mesh_device();
    IDevice* const chip = mesh->get_device(0);
    const CoreCoord place = chip->worker_core_from_logical_core(kPeer);
    const auto x = static_cast<uint32_t>(place.x), y = static_cast<uint32_t>(place.y);
    constexpr uint32_t kCount = 8, kBytes = 1024, kHalf = kCount * kBytes;
    const auto base = static_cast<uint32_t>(chip->get_dev_addr(kPeer, HalL1MemAddrType::DEFAULT_UNRESERVED)) + 0x10000;

    const ProgramSpec spec = copy_blocks(kCount, kBytes);
    Program program = MakeProgramFromSpec(*mesh, spec);
    ProgramRunArgs args;
    KernelRunArgs reader{.kernel = kReader, .common_runtime_arg_values = {{"x", x}, {"y", y}, {"test_id", kTestId}}};
    KernelRunArgs writer{.kernel = kWriter, .common_runtime_arg_values = {{"test_id", kTestId}}};
    uint32_t offset = 0;
    for (const NodeCoord& node : kCopying) {
        AddRuntimeArgsForNode(reader.runtime_arg_values, node, {{"source", base + offset}});
        writer.runtime_arg_values.push_back({.node = node, .args = {{"target", base + 2 * kHalf + offset}}});
        writer.advanced_options.runtime_varargs[node] = {x, y};
        offset += kHalf;
    }
    KernelRunArgs wait{.kernel = kWait,
                       .runtime_arg_values = MakeRuntimeArgsForSingleNode(kPeer, {{"writers", 2}}),
                       .common_runtime_arg_values = {{"test_id", kTestId}}};
    args.kernel_run_args = {reader, writer, wait};
    SetProgramRunArgs(program, args);
    program.set_runtime_id(kTestId);

    dm::Words words(2 * kHalf / sizeof(uint32_t));
    std::iota(words.begin(), words.end(), 1);
    detail::WriteToDeviceL1(chip, kPeer, base, words);
    detail::LaunchProgram(chip, program);
    dm::Words copied;
    detail::ReadFromDeviceL1(chip, kPeer, base + 2 * kHalf, 2 * kHalf, copied);
    EXPECT_EQ(copied, words);

    // The same program in a second run with another target, and a buffer of one block.
    ProgramRunArgs changes;
    for (const KernelSpecName& kernel : {kReader, kWriter, kWait}) {
        changes.kernel_run_args.push_back(
            {.kernel = kernel, .common_runtime_arg_values = {{"test_id", kSecondTestId}}});
    }
    AddRuntimeArgsForNode(changes.kernel_run_args[1].runtime_arg_values, {1, 0}, {{"target", base + 4 * kHalf}});
    changes.dfb_run_overrides = {{.dfb = kBlocks, .num_entries = 1}};
    UpdateProgramRunArgs(program, changes);
    program.set_runtime_id(kSecondTestId);
    detail::LaunchProgram(chip, program);
    detail::ReadFromDeviceL1(chip, kPeer, base + 4 * kHalf, kHalf, copied);
    EXPECT_EQ(copied, dm::Words(words.begin() + words.size() / 2, words.end()));
}

}  // namespace tt::tt_metal
