// Descriptions of programs as values. Names follow tt-metal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "nocbench/host/program.h"

#pragma GCC visibility push(default)

namespace tt::stl {

template <typename T, std::size_t = 8>
using SmallVector = std::vector<T>;

}  // namespace tt::stl

namespace tt::tt_metal {

namespace experimental {
class GlobalCircularBuffer;
}

struct TileDescriptor {
    std::uint32_t height = constants::TILE_HEIGHT;
    std::uint32_t width = constants::TILE_WIDTH;
    bool transpose = false;
};

struct CBFormatDescriptor {
    std::uint8_t buffer_index = 0;
    DataFormat data_format = DataFormat::Float32;
    std::uint32_t page_size = 0;
    std::optional<TileDescriptor> tile{};
};

struct CBDescriptor {
    using FormatDescriptors = ttsl::SmallVector<CBFormatDescriptor, 1>;

    std::uint32_t total_size = 0;
    CoreRangeSet core_ranges{};
    FormatDescriptors format_descriptors{};
    FormatDescriptors remote_format_descriptors{};
    Buffer* buffer = nullptr;
    const experimental::GlobalCircularBuffer* global_circular_buffer = nullptr;
};

struct SemaphoreDescriptor {
    std::uint32_t id = 0;
    CoreType core_type = CoreType::WORKER;
    CoreRangeSet core_ranges{};
    std::uint32_t initial_value = 0;
};

struct ReaderConfigDescriptor {};
struct WriterConfigDescriptor {};
struct DataMovementConfigDescriptor {
    DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
    NOC noc = NOC::RISCV_0_default;
    NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
};
struct ComputeConfigDescriptor {
    MathFidelity math_fidelity = MathFidelity::HiFi4;
    bool fp32_dest_acc_en = false;
    bool dst_full_sync_en = false;
    std::vector<UnpackToDestMode> unpack_to_dest_mode{};
    bool bfp8_pack_precise = false;
    bool math_approx_mode = false;
};
struct EthernetConfigDescriptor {
    Eth eth_mode = Eth::SENDER;
    NOC noc = NOC::NOC_0;
    DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
};

struct KernelDescriptor {
    using CompileTimeArgs = std::vector<std::uint32_t>;
    using NamedCompileTimeArgs = std::vector<std::pair<std::string, std::uint32_t>>;
    using Defines = std::vector<std::pair<std::string, std::string>>;
    using CoreRuntimeArgs = std::vector<std::uint32_t>;
    using RuntimeArgs = std::vector<std::pair<CoreCoord, CoreRuntimeArgs>>;
    using CommonRuntimeArgs = CoreRuntimeArgs;
    using ConfigDescriptor = std::variant<ReaderConfigDescriptor, WriterConfigDescriptor, DataMovementConfigDescriptor,
                                          ComputeConfigDescriptor, EthernetConfigDescriptor>;
    enum class SourceType : std::uint8_t { FILE_PATH, SOURCE_CODE };

    std::string kernel_source{};
    SourceType source_type = SourceType::FILE_PATH;
    CoreRangeSet core_ranges{};
    CompileTimeArgs compile_time_args{};
    NamedCompileTimeArgs named_compile_time_args{};
    Defines defines{};
    RuntimeArgs runtime_args{};
    CommonRuntimeArgs common_runtime_args{};
    std::optional<KernelBuildOptLevel> opt_level{};
    ConfigDescriptor config{};
};

struct ProgramDescriptor {
    using KernelDescriptors = ttsl::SmallVector<KernelDescriptor, 3>;
    using SemaphoreDescriptors = ttsl::SmallVector<SemaphoreDescriptor, 3>;
    using CBDescriptors = ttsl::SmallVector<CBDescriptor, 5>;

    KernelDescriptors kernels{};
    SemaphoreDescriptors semaphores{};
    CBDescriptors cbs{};
    std::optional<std::uint64_t> custom_program_hash{};

    /// Returns the lowest id that no semaphore on a core has; none if all are taken.
    [[nodiscard]] std::optional<std::uint32_t> find_available_semaphore_id(const CoreCoord& core, CoreType) const;
};

}  // namespace tt::tt_metal

#pragma GCC visibility pop
