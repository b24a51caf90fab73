// Programs: kernels on cores, their arguments, circular buffers and semaphores. Names follow tt-metal, release 0.66.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "nocbench/host/buffers.h"
#include "nocbench/host/cores.h"
#include "nocbench/host/data_formats.h"

#pragma GCC visibility push(default)

/// Values of semaphores, which programs share with their kernels.
inline constexpr std::uint32_t INVALID = 0;
inline constexpr std::uint32_t VALID = 1;

namespace tt::host {
struct ProgramState;
}  // namespace tt::host

namespace tt::tt_metal {

using KernelHandle = std::uint32_t;
using CBHandle = std::uintptr_t;
using ProgramId = std::uint64_t;

struct DataMovementConfig {
    DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
    NOC noc = NOC::RISCV_0_default;
    NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
    std::vector<std::uint32_t> compile_args{};
    std::map<std::string, std::string> defines{};
    std::unordered_map<std::string, std::uint32_t> named_compile_args{};
    KernelBuildOptLevel opt_level = KernelBuildOptLevel::O2;
};

/// Reader on RISCV_1 with NoC 0.
struct ReaderDataMovementConfig : DataMovementConfig {
    ReaderDataMovementConfig(std::vector<std::uint32_t> args = {}, std::map<std::string, std::string> macros = {},
                             std::unordered_map<std::string, std::uint32_t> named = {},
                             KernelBuildOptLevel level = KernelBuildOptLevel::O2);
};

/// Writer on RISCV_0 with NoC 1.
struct WriterDataMovementConfig : DataMovementConfig {
    WriterDataMovementConfig(std::vector<std::uint32_t> args = {}, std::map<std::string, std::string> macros = {},
                             std::unordered_map<std::string, std::uint32_t> named = {},
                             KernelBuildOptLevel level = KernelBuildOptLevel::O2);
};

struct ComputeConfig {
    MathFidelity math_fidelity = MathFidelity::HiFi4;
    bool fp32_dest_acc_en = false;
    bool dst_full_sync_en = false;
    std::vector<UnpackToDestMode> unpack_to_dest_mode{};
    bool bfp8_pack_precise = false;
    bool math_approx_mode = false;
    std::vector<std::uint32_t> compile_args{};
    std::map<std::string, std::string> defines{};
    std::unordered_map<std::string, std::uint32_t> named_compile_args{};
    KernelBuildOptLevel opt_level = KernelBuildOptLevel::O3;
};

/// Kernels of Ethernet cores: refused when they are created.
struct EthernetConfig {
    Eth eth_mode = Eth::SENDER;
    NOC noc = NOC::NOC_0;
    DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
    std::vector<std::uint32_t> compile_args{};
    std::map<std::string, std::string> defines{};
    std::unordered_map<std::string, std::uint32_t> named_compile_args{};
    KernelBuildOptLevel opt_level = KernelBuildOptLevel::Os;
};

using CoreSpec = std::variant<CoreCoord, CoreRange, CoreRangeSet>;
using KernelConfig = std::variant<DataMovementConfig, ComputeConfig, EthernetConfig>;

class CircularBufferConfig {
public:
    CircularBufferConfig(std::uint32_t total_size, const std::map<std::uint8_t, DataFormat>& data_formats = {});
    /// Places it on a buffer in L1.
    CircularBufferConfig(std::uint32_t total_size, const std::map<std::uint8_t, DataFormat>& data_formats,
                         const Buffer& buffer, host::Caller caller = host::Caller::current());
    CircularBufferConfig& set_page_size(std::uint8_t index, std::uint32_t page_size,
                                        host::Caller caller = host::Caller::current());
    CircularBufferConfig& set_total_size(std::uint32_t total_size);
    CircularBufferConfig& set_globally_allocated_address(const Buffer& buffer,
                                                         host::Caller caller = host::Caller::current());
    CircularBufferConfig& set_globally_allocated_address_and_total_size(const Buffer& buffer, std::uint32_t total_size,
                                                                        host::Caller caller = host::Caller::current());
    /// Sets the rows of tiles. Throws for tiles that are not 32 wide.
    CircularBufferConfig& set_tile_dims(std::uint8_t index, const Tile& tile,
                                        host::Caller caller = host::Caller::current());

    /// Setters of one index.
    class Builder {
    public:
        Builder(CircularBufferConfig& parent, std::uint8_t index) : parent_(parent), index_(index) {}
        const Builder& set_data_format(DataFormat format) const;
        const Builder& set_total_size(std::uint32_t total_size) const;
        const Builder& set_page_size(std::uint32_t page_size, host::Caller caller = host::Caller::current()) const;
        const Builder& set_tile_dims(const Tile& tile, host::Caller caller = host::Caller::current()) const;

    private:
        CircularBufferConfig& parent_;
        std::uint8_t index_;
    };
    Builder index(std::uint8_t index, host::Caller caller = host::Caller::current());
    /// Index of an end of a global circular buffer; see between_cores/global_circular_buffer.h.
    Builder remote_index(std::uint8_t index, host::Caller caller = host::Caller::current());

    [[nodiscard]] std::uint32_t total_size() const { return total_size_; }
    /// Returns the formats of all indices.
    [[nodiscard]] const std::map<std::uint8_t, std::optional<DataFormat>>& formats() const { return formats_; }
    [[nodiscard]] std::optional<std::uint8_t> remote_index() const { return remote_index_; }
    /// Returns the bytes of a page: the whole buffer if none were given.
    [[nodiscard]] std::uint32_t page_size(std::uint8_t index) const;
    [[nodiscard]] std::uint32_t tile_rows(std::uint8_t index) const;
    [[nodiscard]] std::optional<std::uint32_t> globally_allocated_address() const { return address_; }

private:
    std::uint32_t total_size_;
    std::map<std::uint8_t, std::optional<DataFormat>> formats_;
    std::map<std::uint8_t, std::uint32_t> page_sizes_;
    std::optional<std::uint8_t> remote_index_;
    std::map<std::uint8_t, std::uint32_t> tile_rows_;
    std::optional<std::uint32_t> address_;
};

struct ProgramDescriptor;

class Program {
public:
    Program();
    explicit Program(const ProgramDescriptor& descriptor, host::Caller caller = host::Caller::current());
    Program(Program&&) noexcept;
    Program& operator=(Program&&) noexcept;
    ~Program();

    /// Names the program in results.
    void set_runtime_id(ProgramId id);
    [[nodiscard]] ProgramId get_runtime_id() const;
    [[nodiscard]] ProgramId get_id() const;
    /// The same, under the name by which tests of tt-metal reach its inside.
    [[nodiscard]] Program& impl() { return *this; }
    /// Throws HostError for mistakes that are found before a program runs.
    void finalize_offsets(IDevice* device) const;

    /// For the implementation only.
    [[nodiscard]] host::ProgramState& state() const { return *state_; }

private:
    std::shared_ptr<host::ProgramState> state_;
};

/// Run-time arguments of a kernel on a core, which may be changed in place.
class RuntimeArgsData {
public:
    explicit RuntimeArgsData(std::vector<std::uint32_t>& words) : words_(&words) {}
    [[nodiscard]] std::uint32_t& operator[](std::size_t index) const { return words_->at(index); }
    [[nodiscard]] std::uint32_t& at(std::size_t index) const { return words_->at(index); }
    [[nodiscard]] std::uint32_t* data() const { return words_->data(); }
    [[nodiscard]] std::size_t size() const { return words_->size(); }

private:
    std::vector<std::uint32_t>* words_;
};

Program CreateProgram();

/// Looks for the file in the current folder, in $TT_METAL_HOME, and in the folder of the host program and those above.
KernelHandle CreateKernel(Program& program, const std::string& file_name, const CoreSpec& core_spec,
                          const KernelConfig& config, host::Caller caller = host::Caller::current());
KernelHandle CreateKernelFromString(Program& program, const std::string& kernel_src_code, const CoreSpec& core_spec,
                                    const KernelConfig& config, host::Caller caller = host::Caller::current());

namespace experimental::quasar {

/// Kernels of Quasar: refused when they are created.
struct QuasarDataMovementConfig {
    std::uint32_t num_threads_per_cluster = 0;
    std::vector<std::uint32_t> compile_args{};
    std::map<std::string, std::string> defines{};
    std::unordered_map<std::string, std::uint32_t> named_compile_args{};
    KernelBuildOptLevel opt_level = KernelBuildOptLevel::O2;
};
KernelHandle CreateKernel(Program& program, const std::string& file_name, const CoreSpec& core_spec,
                          const QuasarDataMovementConfig& config, host::Caller caller = host::Caller::current());

}  // namespace experimental::quasar

CBHandle CreateCircularBuffer(Program& program, const CoreSpec& core_spec, const CircularBufferConfig& config,
                              host::Caller caller = host::Caller::current());
const CircularBufferConfig& GetCircularBufferConfig(Program& program, CBHandle handle);
void UpdateCircularBufferTotalSize(Program& program, CBHandle handle, std::uint32_t total_size);
void UpdateCircularBufferPageSize(Program& program, CBHandle handle, std::uint8_t index, std::uint32_t page_size);
void UpdateDynamicCircularBufferAddress(Program& program, CBHandle handle, const Buffer& buffer);
void UpdateDynamicCircularBufferAddressAndTotalSize(Program& program, CBHandle handle, const Buffer& buffer,
                                                    std::uint32_t total_size);

std::uint32_t CreateSemaphore(Program& program, const std::variant<CoreRange, CoreRangeSet>& core_spec,
                              std::uint32_t initial_value, CoreType core_type = CoreType::WORKER,
                              host::Caller caller = host::Caller::current());

void SetRuntimeArgs(const Program& program, KernelHandle kernel, const CoreSpec& core_spec,
                    stl::Span<const std::uint32_t> runtime_args, host::Caller caller = host::Caller::current());
void SetRuntimeArgs(const Program& program, KernelHandle kernel, const CoreSpec& core_spec,
                    std::initializer_list<std::uint32_t> runtime_args, host::Caller caller = host::Caller::current());
void SetRuntimeArgs(const Program& program, KernelHandle kernel, const std::vector<CoreCoord>& cores,
                    const std::vector<std::vector<std::uint32_t>>& runtime_args,
                    host::Caller caller = host::Caller::current());
void SetCommonRuntimeArgs(const Program& program, KernelHandle kernel, stl::Span<const std::uint32_t> runtime_args,
                          host::Caller caller = host::Caller::current());
void SetCommonRuntimeArgs(const Program& program, KernelHandle kernel,
                          std::initializer_list<std::uint32_t> runtime_args,
                          host::Caller caller = host::Caller::current());
RuntimeArgsData& GetRuntimeArgs(const Program& program, KernelHandle kernel, const CoreCoord& core,
                                host::Caller caller = host::Caller::current());
/// Returns the arguments of all cores by column and row.
std::vector<std::vector<RuntimeArgsData>>& GetRuntimeArgs(const Program& program, KernelHandle kernel,
                                                          host::Caller caller = host::Caller::current());
RuntimeArgsData& GetCommonRuntimeArgs(const Program& program, KernelHandle kernel,
                                      host::Caller caller = host::Caller::current());
void AssignGlobalBufferToProgram(const std::shared_ptr<Buffer>& buffer, Program& program);

/// Word in L1 of cores at the same address, independent of programs.
class GlobalSemaphore {
public:
    GlobalSemaphore(IDevice* device, const CoreRangeSet& cores, std::uint32_t initial_value, host::Caller caller);
    [[nodiscard]] DeviceAddr address() const { return buffer_->address(); }
    [[nodiscard]] IDevice* device() const { return buffer_->device(); }
    void reset_semaphore_value(std::uint32_t value) const;

private:
    CoreRangeSet cores_;
    std::shared_ptr<Buffer> buffer_;
};
GlobalSemaphore CreateGlobalSemaphore(IDevice* device, const CoreRangeSet& cores, std::uint32_t initial_value,
                                      BufferType type = BufferType::L1, host::Caller caller = host::Caller::current());

}  // namespace tt::tt_metal

#pragma GCC visibility pop
