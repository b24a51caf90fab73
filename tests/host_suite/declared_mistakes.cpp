// Mistakes in programs as declarations, each with its message.
#include <tt-metalium/experimental/metal2_host_api/program.hpp>

#include "multi_device_fixture.hpp"

namespace tt::tt_metal {

using namespace experimental;

namespace {

const KernelSpecName kReader{"reader"}, kWriter{"writer"}, kWait{"wait"};
const DFBSpecName kBlocks{"blocks"};
const SemaphoreSpecName kDone{"done"};
const NodeRange kCopying({0, 0}, {1, 0});
const NodeCoord kPeer{2, 2};
const KernelSpec::SourceCode kNothing{"void kernel_main() {}"};

ProgramSpec copy_blocks() {
    KernelSpec reader{
        .unique_id = kReader,
        .source = kNothing,
        .dfb_bindings = {ProducerOf(kBlocks, "blocks")},
        .runtime_arg_schema = {.runtime_arg_names = {"source"}},
        .hw_config = CreateReaderGen1DataMovementConfig(),
    };
    KernelSpec writer{
        .unique_id = kWriter,
        .source = kNothing,
        .dfb_bindings = {ConsumerOf(kBlocks, "ready")},
        .semaphore_bindings = {{.semaphore_spec_name = kDone, .accessor_name = "done"}},
        .hw_config = CreateWriterGen1DataMovementConfig(),
    };
    KernelSpec wait{
        .unique_id = kWait,
        .source = kNothing,
        .runtime_arg_schema = {.runtime_arg_names = {"writers"}},
        .hw_config = DataMovementGen1Config{},
    };
    return {
        .name = "copy_blocks",
        .kernels = {reader, writer, wait},
        .dataflow_buffers = {{.unique_id = kBlocks, .entry_size = 64, .num_entries = 2}},
        .semaphores = {{.unique_id = kDone, .target_nodes = kPeer}},
        .work_units = {{.name = "copy", .kernels = {kReader, kWriter}, .target_nodes = kCopying},
                       {.name = "peer", .kernels = {kWait}, .target_nodes = kPeer}},
    };
}

}  // namespace

TEST_F(GenericMeshDeviceFixture, DeclaredProgramsNameTheirMistakes) {
    const auto mesh = get_mesh_device();
    const auto message_of = [](const auto& act) -> std::string {
        try {
            act();
        } catch (const std::exception& error) {
            return error.what();
        }
        return "";
    };
    const auto made = [&](const auto& change) {
        ProgramSpec spec = copy_blocks();
        change(spec);
        return message_of([&] { MakeProgramFromSpec(*mesh, spec); });
    };
    const auto set = [&](const auto& change) {
        Program program = MakeProgramFromSpec(*mesh, copy_blocks());
        ProgramRunArgs args;
        args.kernel_run_args = {
            {.kernel = kWait, .runtime_arg_values = MakeRuntimeArgsForSingleNode(kPeer, {{"writers", 2}})}};
        change(args);
        return message_of([&] { SetProgramRunArgs(program, args); });
    };
    const std::vector<std::pair<std::string, std::string>> messages{
        {made([](ProgramSpec& spec) { spec.kernels[1].unique_id = kReader; }),
         "expected one kernel 'reader', found two"},
        {made([](ProgramSpec& spec) { spec.work_units.pop_back(); }),
         "kernel 'wait': expected a work unit that has it, found none"},
        {made([](ProgramSpec& spec) { spec.work_units[1].kernels = {KernelSpecName("other")}; }),
         "work unit 'peer': the program has no kernel 'other'"},
        {made([](ProgramSpec& spec) { spec.work_units[1].target_nodes = NodeCoord{1, 0}; }),
         "work unit 'peer': expected nodes of its own"},
        {made([](ProgramSpec& spec) { spec.kernels[1].dfb_bindings.clear(); }),
         "dataflow buffer 'blocks': expected one producer and one consumer, found 1 and 0"},
        {made([](ProgramSpec& spec) { spec.dataflow_buffers[0].unique_id = DFBSpecName("other"); }),
         "dataflow buffer 'other': expected a kernel that has it, found none"},
        {made([](ProgramSpec& spec) { spec.semaphores.clear(); }), "the program has no semaphore 'done'"},
        {made([](ProgramSpec& spec) { spec.kernels[0].num_threads = 2; }), "num_threads: expected 1"},
        {made([](ProgramSpec& spec) { spec.kernels[0].hw_config = DataMovementGen2Config{}; }),
         "expected the RISC and the NoC of this chip, found none"},
        {set([](ProgramRunArgs&) {}), "kernel 'reader': expected a value of argument 'source'"},
        {set([](ProgramRunArgs& args) { args.kernel_run_args[0].kernel = KernelSpecName("other"); }),
         "the program has no kernel 'other'"},
        {set([](ProgramRunArgs& args) {
             AddRuntimeArgsForNode(args.kernel_run_args[0].runtime_arg_values, kPeer, {{"readers", 1}});
         }),
         "kernel 'wait': it declares no argument 'readers'"},
        {set([](ProgramRunArgs& args) { args.kernel_run_args[0].advanced_options.runtime_varargs[kPeer] = {1}; }),
         "kernel 'wait': expected 0 arguments without a name, found 1"},
        {message_of([] { return KernelSpec::CompileTimeArgs({{"a", 1}, {"a", 2}}); }), "expected each key once"},
    };
    for (const auto& [found, expected] : messages) {
        EXPECT_NE(found.find(expected), std::string::npos) << "expected: " << expected << "\nfound: " << found;
    }
}

}  // namespace tt::tt_metal
