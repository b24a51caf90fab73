#include "nocbench/host/program_specs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "kernels/host/program_state.h"

namespace tt::tt_metal::experimental {

namespace {

CoreRangeSet set_of(const Nodes& nodes) {
    return std::visit([](const auto& its) { return CoreRangeSet(its); }, nodes);
}

/// Reads a spec by its names.
class Reader {
public:
    Reader(const ProgramSpec& spec, const host::Caller& caller) : spec_(spec), caller_(caller) {
        require_unique(spec.kernels, "kernel");
        require_unique(spec.dataflow_buffers, "dataflow buffer");
        require_unique(spec.semaphores, "semaphore");
        for (const WorkUnitSpec& unit : spec.work_units) {
            read(unit);
        }
        for (const KernelSpec& kernel : spec.kernels) {
            if (!nodes_.contains(*kernel.unique_id)) {
                fail(fmt::format("kernel '{}': expected a work unit that has it, found none", *kernel.unique_id));
            }
        }
    }

    [[noreturn]] void fail(std::string_view message) const {
        host::fail(caller_, fmt::format("program '{}': {}", spec_.name, message));
    }

    /// Returns the nodes of the kernels that have a buffer.
    [[nodiscard]] CoreRangeSet nodes_of(const DataflowBufferSpec& buffer) const {
        CoreRangeSet nodes;
        for (const KernelSpec& kernel : spec_.kernels) {
            for (const DFBBinding& binding : kernel.dfb_bindings) {
                if (binding.dfb_spec_name == buffer.unique_id) {
                    nodes = nodes.merge(nodes_of(kernel));
                }
            }
        }
        if (nodes.empty()) {
            fail(fmt::format("dataflow buffer '{}': expected a kernel that has it, found none", *buffer.unique_id));
        }
        return nodes;
    }
    [[nodiscard]] const CoreRangeSet& nodes_of(const KernelSpec& kernel) const { return nodes_.at(*kernel.unique_id); }

    /// Returns what a kernel names.
    template <typename T>
    [[nodiscard]] const T& named(const std::map<std::string, T>& known, const std::string& name,
                                 const KernelSpec& kernel, std::string_view what) const {
        const auto found = known.find(name);
        if (found == known.end()) {
            fail(fmt::format("kernel '{}': the program has no {} '{}'", *kernel.unique_id, what, name));
        }
        return found->second;
    }

private:
    template <typename T>
    void require_unique(const Group<T>& all, std::string_view what) const {
        std::set<std::string> names;
        for (const T& one : all) {
            if (!names.insert(*one.unique_id).second) {
                fail(fmt::format("expected one {} '{}', found two", what, *one.unique_id));
            }
        }
    }

    void read(const WorkUnitSpec& unit) {
        const CoreRangeSet nodes = set_of(unit.target_nodes);
        if (taken_.intersects(nodes)) {
            fail(fmt::format("work unit '{}': expected nodes of its own, found {}, which another one has", unit.name,
                             taken_.intersection(nodes)));
        }
        taken_ = taken_.merge(nodes);
        std::map<std::string, std::pair<int, int>> ends;  // producers and consumers of each buffer
        for (const KernelSpecName& name : unit.kernels) {
            const auto kernel = std::ranges::find(spec_.kernels, name, &KernelSpec::unique_id);
            if (kernel == spec_.kernels.end()) {
                fail(fmt::format("work unit '{}': the program has no kernel '{}'", unit.name, *name));
            }
            nodes_[*name] = nodes_[*name].merge(nodes);
            for (const DFBBinding& binding : kernel->dfb_bindings) {
                auto& [producers, consumers] = ends[*binding.dfb_spec_name];
                ++(binding.endpoint_type == DFBEndpointType::PRODUCER ? producers : consumers);
            }
        }
        for (const auto& [buffer, its] : ends) {
            if (its != std::pair(1, 1)) {
                fail(
                    fmt::format("work unit '{}': dataflow buffer '{}': expected one producer and one consumer, found "
                                "{} and {}",
                                unit.name, buffer, its.first, its.second));
            }
        }
    }

    const ProgramSpec& spec_;
    const host::Caller& caller_;
    std::map<std::string, CoreRangeSet> nodes_;  // of each kernel
    CoreRangeSet taken_;
};

KernelConfig config_of(const Reader& reader, const KernelSpec& kernel) {
    const auto completed = [&](auto config) -> KernelConfig {
        config.named_compile_args = {kernel.compile_time_args.begin(), kernel.compile_time_args.end()};
        config.defines = kernel.compiler_options.defines;
        config.opt_level = kernel.compiler_options.opt_level;
        return config;
    };
    if (const auto* compute = std::get_if<ComputeHardwareConfig>(&kernel.hw_config)) {
        return completed(ComputeConfig{.math_fidelity = compute->fpu_math_fidelity,
                                       .fp32_dest_acc_en = compute->enable_32_bit_dest,
                                       .dst_full_sync_en = !compute->double_buffer_dest,
                                       .math_approx_mode = compute->sfpu_precision_mode == Precision::Approximate});
    }
    const auto& its = std::get<DataMovementHardwareConfig>(kernel.hw_config).config_1xx;
    if (!its.has_value()) {
        reader.fail(fmt::format("kernel '{}': hw_config: expected the RISC and the NoC of this chip, found none",
                                *kernel.unique_id));
    }
    return completed(DataMovementConfig{.processor = its->processor, .noc = its->noc, .noc_mode = its->noc_mode});
}

KernelHandle add(Program& program, const Reader& reader, const KernelSpec& kernel, const host::Caller& caller) {
    const std::string& name = *kernel.unique_id;
    if (kernel.num_threads != 1) {
        reader.fail(
            fmt::format("kernel '{}': num_threads: expected 1 on this chip, found {}", name, kernel.num_threads));
    }
    if (!kernel.compiler_options.include_paths.empty()) {
        reader.fail(
            fmt::format("kernel '{}': include_paths: expected none: the option -I of nocbench host adds them", name));
    }
    const KernelConfig config = config_of(reader, kernel);
    const auto* const file = std::get_if<std::filesystem::path>(&kernel.source);
    return file != nullptr ? CreateKernel(program, file->string(), reader.nodes_of(kernel), config, caller)
                           : CreateKernelFromString(program, std::get<KernelSpec::SourceCode>(kernel.source).code,
                                                    reader.nodes_of(kernel), config, caller);
}

/// Sets the arguments of a kernel on a node, of which some may have been set before.
class ArgumentSetter {
public:
    ArgumentSetter(Program& program, const host::Caller& caller) : program_(program), caller_(caller) {}

    void set(const KernelRunArgs& given, bool all) const {
        const auto found = program_.state().declared_kernels.find(*given.kernel);
        if (found == program_.state().declared_kernels.end()) {
            host::fail(caller_, fmt::format("the program has no kernel '{}'", *given.kernel));
        }
        const auto& [handle, options] = found->second;
        host::KernelState& kernel = program_.state().kernels[handle];
        std::map<CoreCoord, std::vector<std::optional<std::uint32_t>>> of_nodes;
        const auto on_node = [&](const CoreCoord& node) -> auto& {
            return of_nodes
                .try_emplace(node, before(kernel.runtime_args, node,
                                          kernel.source.runtime_arg_names.size() + options.num_runtime_varargs))
                .first->second;
        };
        for (const CoreCoord& node : all ? kernel.cores : std::vector<CoreCoord>{}) {
            on_node(node);
        }
        for (const auto& [name, values] : given.runtime_arg_values) {
            const std::size_t index = place_of(name, kernel.source.runtime_arg_names, *given.kernel);
            for (const auto& [node, value] : values) {
                on_node(node)[index] = value;
            }
        }
        for (const auto& [node, values] : given.advanced_options.runtime_varargs) {
            put(values, on_node(node), kernel.source.runtime_arg_names.size(), *given.kernel);
        }
        for (const auto& [node, values] : of_nodes) {
            SetRuntimeArgs(program_, handle, node, words_of(values, kernel.source.runtime_arg_names, *given.kernel),
                           caller_);
        }
        std::vector<std::optional<std::uint32_t>> common(kernel.common_runtime_args.begin(),
                                                         kernel.common_runtime_args.end());
        const Group<std::string>& names = kernel.source.common_arg_names;
        common.resize(names.size() + options.num_common_runtime_varargs);
        for (const auto& [name, value] : given.common_runtime_arg_values) {
            common[place_of(name, names, *given.kernel)] = value;
        }
        if (!given.advanced_options.common_runtime_varargs.empty()) {
            put(given.advanced_options.common_runtime_varargs, common, names.size(), *given.kernel);
        }
        SetCommonRuntimeArgs(program_, handle, words_of(common, names, *given.kernel), caller_);
    }

private:
    using Values = std::vector<std::optional<std::uint32_t>>;

    static Values before(const std::map<CoreCoord, std::vector<std::uint32_t>>& args, const CoreCoord& node,
                         std::size_t size) {
        const auto found = args.find(node);
        Values values;
        if (found != args.end()) {
            values.assign(found->second.begin(), found->second.end());
        }
        values.resize(size);
        return values;
    }

    [[nodiscard]] std::size_t place_of(const std::string& name, const Group<std::string>& names,
                                       const std::string& kernel) const {
        const auto found = std::ranges::find(names, name);
        if (found == names.end()) {
            host::fail(caller_, fmt::format("kernel '{}': it declares no argument '{}'", kernel, name));
        }
        return static_cast<std::size_t>(found - names.begin());
    }

    void put(const std::vector<std::uint32_t>& varargs, Values& values, std::size_t first,
             const std::string& kernel) const {
        if (varargs.size() != values.size() - first) {
            host::fail(caller_, fmt::format("kernel '{}': expected {} arguments without a name, found {}", kernel,
                                            values.size() - first, varargs.size()));
        }
        std::ranges::copy(varargs, values.begin() + static_cast<std::ptrdiff_t>(first));
    }

    [[nodiscard]] std::vector<std::uint32_t> words_of(const Values& values, const Group<std::string>& names,
                                                      const std::string& kernel) const {
        std::vector<std::uint32_t> words;
        for (std::size_t index = 0; index < values.size(); ++index) {
            const std::optional<std::uint32_t> value = values[index];
            if (!value.has_value()) {
                host::fail(caller_, index < names.size()
                                        ? fmt::format("kernel '{}': expected a value of argument '{}' on each of its "
                                                      "nodes, found none",
                                                      kernel, names[index])
                                        : fmt::format("kernel '{}': expected {} arguments without a name, found none",
                                                      kernel, values.size() - names.size()));
            }
            words.push_back(*value);
        }
        return words;
    }

    Program& program_;
    const host::Caller& caller_;
};

void set_sizes(Program& program, const Group<DFBRunOverrides>& sizes, const host::Caller& caller) {
    for (const DFBRunOverrides& given : sizes) {
        const auto found = program.state().declared_buffers.find(*given.dfb);
        if (found == program.state().declared_buffers.end()) {
            host::fail(caller, fmt::format("the program has no dataflow buffer '{}'", *given.dfb));
        }
        auto& [handle, id] = found->second;
        const CircularBufferConfig& config = GetCircularBufferConfig(program, handle);
        const std::uint32_t old_entry = config.page_size(id);
        const std::uint32_t entry = given.entry_size.value_or(old_entry);
        UpdateCircularBufferTotalSize(program, handle,
                                      entry * given.num_entries.value_or(config.total_size() / old_entry));
        UpdateCircularBufferPageSize(program, handle, id, entry);
    }
}

}  // namespace

Program MakeProgramFromSpec(distributed::MeshDevice&, const ProgramSpec& spec, bool, host::Caller caller) {
    const Reader reader(spec, caller);
    Program program = CreateProgram();
    std::map<std::string, std::uint32_t> buffers;
    for (const DataflowBufferSpec& buffer : spec.dataflow_buffers) {
        if (!buffer.advanced_options.alias_with.empty()) {
            reader.fail(fmt::format("dataflow buffer '{}': alias_with is not modeled", *buffer.unique_id));
        }
        const auto id = static_cast<std::uint8_t>(std::min<std::size_t>(buffers.size(), NUM_CIRCULAR_BUFFERS));
        CircularBufferConfig config(buffer.entry_size * buffer.num_entries);
        const auto of_index = config.index(id);
        if (buffer.data_format_metadata.has_value()) {
            of_index.set_data_format(*buffer.data_format_metadata);
        }
        of_index.set_page_size(buffer.entry_size);
        if (buffer.tile_format_metadata.has_value()) {
            of_index.set_tile_dims(*buffer.tile_format_metadata, caller);
        }
        program.state().declared_buffers[*buffer.unique_id] = {
            CreateCircularBuffer(program, reader.nodes_of(buffer), config, caller), id};
        buffers[*buffer.unique_id] = id;
    }
    std::map<std::string, std::uint32_t> semaphores;
    for (const SemaphoreSpec& semaphore : spec.semaphores) {
        semaphores[*semaphore.unique_id] =
            CreateSemaphore(program, set_of(semaphore.target_nodes), semaphore.advanced_options.initial_value,
                            CoreType::WORKER, caller);
    }
    for (const KernelSpec& kernel : spec.kernels) {
        const KernelHandle handle = add(program, reader, kernel, caller);
        host::KernelState& state = program.state().kernels[handle];
        state.name = *kernel.unique_id;
        state.source.runtime_arg_names = kernel.runtime_arg_schema.runtime_arg_names;
        state.source.common_arg_names = kernel.runtime_arg_schema.common_runtime_arg_names;
        for (const DFBBinding& binding : kernel.dfb_bindings) {
            state.source.buffer_names[binding.accessor_name] =
                reader.named(buffers, *binding.dfb_spec_name, kernel, "dataflow buffer");
        }
        for (const SemaphoreBinding& binding : kernel.semaphore_bindings) {
            state.source.semaphore_names[binding.accessor_name] =
                reader.named(semaphores, *binding.semaphore_spec_name, kernel, "semaphore");
        }
        program.state().declared_kernels[*kernel.unique_id] = {handle, kernel.advanced_options};
    }
    return program;
}

distributed::MeshWorkload MakeMeshWorkloadFromSpec(distributed::MeshDevice& device, const ProgramSpec& spec,
                                                   bool skip_validation, host::Caller caller) {
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(device.shape()),
                         MakeProgramFromSpec(device, spec, skip_validation, caller));
    return workload;
}

void SetProgramRunArgs(Program& program, const ProgramRunArgs& args, bool, host::Caller caller) {
    std::set<std::string> missing;
    for (const auto& [name, kernel] : program.state().declared_kernels) {
        missing.insert(name);
        program.state().kernels[kernel.first].runtime_args.clear();
        program.state().kernels[kernel.first].common_runtime_args.clear();
    }
    const ArgumentSetter setter(program, caller);
    for (const KernelRunArgs& kernel : args.kernel_run_args) {
        setter.set(kernel, true);
        missing.erase(*kernel.kernel);
    }
    for (const std::string& name : missing) {  // without an entry: right if it declares none
        setter.set({.kernel = KernelSpecName(name)}, true);
    }
    set_sizes(program, args.dfb_run_overrides, caller);
}

void UpdateProgramRunArgs(Program& program, const ProgramRunArgs& args, bool, host::Caller caller) {
    const ArgumentSetter setter(program, caller);
    for (const KernelRunArgs& kernel : args.kernel_run_args) {
        setter.set(kernel, false);
    }
    set_sizes(program, args.dfb_run_overrides, caller);
}

}  // namespace tt::tt_metal::experimental
