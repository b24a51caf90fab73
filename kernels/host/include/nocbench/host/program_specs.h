// Programs as declarations with names: ProgramSpec and what it is made of, and the arguments of a run, ProgramRunArgs.
// Names follow tt-metal's second host API, of 2026.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "nocbench/host/mesh.h"
#include "nocbench/host/program.h"

#pragma GCC visibility push(default)

namespace tt::stl {

/// A value that cannot be mistaken for one with another tag.
template <typename T, typename Tag>
class StrongType {
public:
    StrongType() = default;
    explicit StrongType(T value) : value_(std::move(value)) {}
    [[nodiscard]] const T& operator*() const { return value_; }
    [[nodiscard]] const T& get() const { return value_; }
    auto operator<=>(const StrongType&) const = default;

private:
    T value_{};
};

}  // namespace tt::stl

namespace tt::tt_metal {

enum class Precision : std::uint8_t { Approximate, Precise };
enum class UnpackMode : std::uint8_t { UnpackToSrc, UnpackToDest };

namespace experimental {

template <typename T>
using Group = std::vector<T>;

/// Values by key. Throws if a list has a key twice.
template <typename K, typename V>
class Table : public std::map<K, V> {
public:
    Table() = default;
    Table(std::initializer_list<std::pair<const K, V>> entries) { add(entries); }
    template <std::ranges::input_range Range>
        requires std::convertible_to<std::ranges::range_reference_t<Range>, std::pair<const K, V>>
    explicit Table(const Range& entries) {
        add(entries);
    }
    /// Returns the value of a key; null without one.
    [[nodiscard]] const V* get(const K& key) const {
        const auto found = this->find(key);
        return found == this->end() ? nullptr : &found->second;
    }

private:
    void add(const auto& entries) {
        for (const auto& entry : entries) {
            TT_FATAL(this->insert(entry).second, "table: expected each key once, found one again");
        }
    }
};

using NodeCoord = CoreCoord;
using NodeRange = CoreRange;
using NodeRangeSet = CoreRangeSet;
using Nodes = std::variant<NodeCoord, NodeRange, NodeRangeSet>;

using KernelSpecName = stl::StrongType<std::string, struct KernelSpecNameTag>;
using DFBSpecName = stl::StrongType<std::string, struct DFBSpecNameTag>;
using SemaphoreSpecName = stl::StrongType<std::string, struct SemaphoreSpecNameTag>;

/// RISC and NoC of a kernel. The member for other generations of chips, config_2xx, is ignored.
struct DataMovementHardwareConfig {
    struct DataMovement1XXConfig {
        DataMovementProcessor processor;
        NOC noc;
        NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
    };
    struct DataMovement2XXConfig {
        Group<DFBSpecName> disable_dfb_implicit_sync_for{};
        bool disable_dfb_implicit_sync_for_all = false;
    };
    std::optional<DataMovement1XXConfig> config_1xx{};
    std::optional<DataMovement2XXConfig> config_2xx{};
};

/// The same under the names that releases of the middle of 2026 have.
struct DataMovementGen1Config {
    DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
    NOC noc = NOC::RISCV_0_default;
    NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;

    operator DataMovementHardwareConfig() const { return {.config_1xx = {{processor, noc, noc_mode}}}; }
};
struct DataMovementGen2Config {
    Group<DFBSpecName> disable_implicit_sync_for{};

    operator DataMovementHardwareConfig() const { return {.config_2xx = {{disable_implicit_sync_for}}}; }
};

inline DataMovementGen1Config CreateReaderGen1DataMovementConfig() {
    return {DataMovementProcessor::RISCV_1, NOC::NOC_0};
}
inline DataMovementGen1Config CreateWriterGen1DataMovementConfig() {
    return {DataMovementProcessor::RISCV_0, NOC::NOC_1};
}
inline DataMovementGen1Config create_reader_gen1_datamovement_config() { return CreateReaderGen1DataMovementConfig(); }
inline DataMovementGen1Config create_writer_gen1_datamovement_config() { return CreateWriterGen1DataMovementConfig(); }

struct ComputeHardwareConfig {
    using ComputeUnpackModes = Table<DFBSpecName, UnpackMode>;
    struct Compute1XXConfig {
        Precision bfp_pack_precision_mode = Precision::Approximate;
    };

    MathFidelity fpu_math_fidelity = MathFidelity::HiFi4;
    Precision sfpu_precision_mode = Precision::Precise;
    bool enable_32_bit_dest = false;
    bool double_buffer_dest = true;
    ComputeUnpackModes unpack_modes{};
    std::optional<Compute1XXConfig> config_1xx{};
};

struct DFBAdvancedOptions {
    Group<DFBSpecName> alias_with{};
};

/// A circular buffer between two kernels, on the nodes where these run.
struct DataflowBufferSpec {
    DFBSpecName unique_id{};
    std::uint32_t entry_size = 0;
    std::uint32_t num_entries = 0;
    std::optional<DataFormat> data_format_metadata{};
    std::optional<Tile> tile_format_metadata{};
    DFBAdvancedOptions advanced_options{};
};

struct SemaphoreAdvancedOptions {
    std::uint32_t initial_value = 0;
};

struct SemaphoreSpec {
    SemaphoreSpecName unique_id{};
    Nodes target_nodes{};
    SemaphoreAdvancedOptions advanced_options{};
};

struct KernelAdvancedOptions {
    std::uint32_t num_runtime_varargs = 0;
    std::uint32_t num_common_runtime_varargs = 0;
};

struct KernelSpec {
    struct SourceCode {
        std::string code;
    };
    struct CompilerOptions {
        using IncludePaths = std::vector<std::filesystem::path>;
        using Defines = Table<std::string, std::string>;
        using OptLevel = KernelBuildOptLevel;
        IncludePaths include_paths{};
        Defines defines{};
        OptLevel opt_level = OptLevel::O2;
    };
    /// Name by which a kernel finds a buffer, dfb::accessor_name, and what it does with it.
    struct DFBBinding {
        enum class EndpointType : std::uint8_t { PRODUCER, CONSUMER };
        enum class AccessPattern : std::uint8_t { STRIDED, ALL, BLOCKED };
        DFBSpecName dfb_spec_name{};
        std::string accessor_name{};
        EndpointType endpoint_type = EndpointType::PRODUCER;
        AccessPattern access_pattern = AccessPattern::STRIDED;
    };
    /// Name by which a kernel finds a semaphore, sem::accessor_name.
    struct SemaphoreBinding {
        SemaphoreSpecName semaphore_spec_name{};
        std::string accessor_name{};
    };
    using CompileTimeArgs = Table<std::string, std::uint32_t>;
    /// Names of arguments, args::name.
    struct RuntimeArgSchema {
        Group<std::string> runtime_arg_names{};
        Group<std::string> common_runtime_arg_names{};
    };

    KernelSpecName unique_id{};
    std::variant<std::filesystem::path, SourceCode> source{};
    std::uint32_t num_threads = 1;
    CompilerOptions compiler_options{};
    Group<DFBBinding> dfb_bindings{};
    Group<SemaphoreBinding> semaphore_bindings{};
    CompileTimeArgs compile_time_args{};
    RuntimeArgSchema runtime_arg_schema{};
    std::variant<DataMovementHardwareConfig, ComputeHardwareConfig> hw_config{};
    KernelAdvancedOptions advanced_options{};

    [[nodiscard]] bool is_data_movement_kernel() const {
        return std::holds_alternative<DataMovementHardwareConfig>(hw_config);
    }
    [[nodiscard]] bool is_compute_kernel() const { return !is_data_movement_kernel(); }
};

using DFBBinding = KernelSpec::DFBBinding;
using DFBEndpointType = DFBBinding::EndpointType;
using DFBAccessPattern = DFBBinding::AccessPattern;
using SemaphoreBinding = KernelSpec::SemaphoreBinding;

inline DFBBinding ProducerOf(DFBSpecName buffer, std::string accessor_name) {
    return {std::move(buffer), std::move(accessor_name), DFBEndpointType::PRODUCER, DFBAccessPattern::STRIDED};
}
inline DFBBinding ConsumerOf(DFBSpecName buffer, std::string accessor_name) {
    return {std::move(buffer), std::move(accessor_name), DFBEndpointType::CONSUMER, DFBAccessPattern::STRIDED};
}

/// Kernels that run together on each of these nodes.
struct WorkUnitSpec {
    std::string name{};
    Group<KernelSpecName> kernels{};
    Nodes target_nodes{};
};

struct ProgramSpec {
    std::string name{};
    Group<KernelSpec> kernels{};
    Group<DataflowBufferSpec> dataflow_buffers{};
    Group<SemaphoreSpec> semaphores{};
    Group<WorkUnitSpec> work_units{};
};

struct AdvancedKernelRunArgs {
    using Varargs = std::vector<std::uint32_t>;
    Table<NodeCoord, Varargs> runtime_varargs{};
    Varargs common_runtime_varargs{};
};

/// Arguments and sizes that may differ from run to run.
struct ProgramRunArgs {
    struct KernelRunArgs {
        /// Arguments of a node by name.
        struct NodeRuntimeArgs {
            NodeCoord node{};
            Table<std::string, std::uint32_t> args{};
        };
        /// Arguments by name and node. Releases of the middle of 2026 append those of a node.
        class RuntimeArgValues : public Table<std::string, Table<NodeCoord, std::uint32_t>> {
        public:
            using Table::Table;
            void push_back(const NodeRuntimeArgs& of_node) {
                for (const auto& [name, value] : of_node.args) {
                    (*this)[name][of_node.node] = value;
                }
            }
        };
        using CommonRuntimeArgValues = Table<std::string, std::uint32_t>;

        KernelSpecName kernel{};
        RuntimeArgValues runtime_arg_values{};
        CommonRuntimeArgValues common_runtime_arg_values{};
        AdvancedKernelRunArgs advanced_options{};
    };
    struct DFBRunOverrides {
        DFBSpecName dfb{};
        std::optional<std::uint32_t> entry_size{};
        std::optional<std::uint32_t> num_entries{};
    };

    Group<KernelRunArgs> kernel_run_args{};
    Group<DFBRunOverrides> dfb_run_overrides{};
};

using KernelRunArgs = ProgramRunArgs::KernelRunArgs;
using DFBRunOverrides = ProgramRunArgs::DFBRunOverrides;

using NamedValues = std::initializer_list<std::pair<std::string, std::uint32_t>>;
inline void AddRuntimeArgsForNode(KernelRunArgs::RuntimeArgValues& values, const NodeCoord& node, NamedValues named) {
    for (const auto& [name, value] : named) {
        values[name][node] = value;
    }
}
inline KernelRunArgs::RuntimeArgValues MakeRuntimeArgsForSingleNode(const NodeCoord& node, NamedValues named) {
    KernelRunArgs::RuntimeArgValues values;
    AddRuntimeArgsForNode(values, node, named);
    return values;
}

/// Throws HostError for a spec that contradicts itself; each name is resolved here.
Program MakeProgramFromSpec(distributed::MeshDevice& device, const ProgramSpec& spec, bool skip_validation = false,
                            host::Caller caller = host::Caller::current());
distributed::MeshWorkload MakeMeshWorkloadFromSpec(distributed::MeshDevice& device, const ProgramSpec& spec,
                                                   bool skip_validation = false,
                                                   host::Caller caller = host::Caller::current());
/// Sets all arguments. Throws HostError if one is missing, or not declared.
void SetProgramRunArgs(Program& program, const ProgramRunArgs& args, bool skip_validation = false,
                       host::Caller caller = host::Caller::current());
/// Sets these arguments; all others stay.
void UpdateProgramRunArgs(Program& program, const ProgramRunArgs& args, bool skip_validation = false,
                          host::Caller caller = host::Caller::current());

}  // namespace experimental

}  // namespace tt::tt_metal

#pragma GCC visibility pop
