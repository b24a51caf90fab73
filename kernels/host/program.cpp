#include "nocbench/host/program.h"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <set>
#include <utility>

#include "kernels/host/chip.h"
#include "kernels/host/pages_on_cores.h"
#include "kernels/host/program_state.h"
#include "kernels/host/session.h"
#include "kernels/tensix/program.h"
#include "nocbench/host/mesh.h"
#include "nocbench/host/slow_dispatch.h"

namespace tt::tt_metal {

namespace {

CoreRangeSet core_set(const CoreSpec& spec) {
    return std::visit([](const auto& cores) { return CoreRangeSet(cores); }, spec);
}

const char* optimization_of(KernelBuildOptLevel level) {
    switch (level) {
        case KernelBuildOptLevel::O0:
            return "-O0";
        case KernelBuildOptLevel::O1:
            return "-O1";
        case KernelBuildOptLevel::O3:
        case KernelBuildOptLevel::Ofast:
            return "-O3";
        case KernelBuildOptLevel::Os:
        case KernelBuildOptLevel::Oz:
            return "-Os";
        default:
            return "-O2";
    }
}

/// Returns a source with what all configurations have.
template <typename Config>
nocbench::host::KernelSource source_with(const Config& config, int riscv) {
    nocbench::host::KernelSource source;
    source.riscv = riscv;
    source.compile_time_args = config.compile_args;
    source.named_compile_time_args = {config.named_compile_args.begin(), config.named_compile_args.end()};
    source.defines = config.defines;
    source.optimization = optimization_of(config.opt_level);
    return source;
}

nocbench::host::KernelSource source_of(const ComputeConfig& config) {
    nocbench::host::KernelSource source = source_with(config, host::kUnpackRiscv);
    auto& compute = source.compute.emplace();
    compute.fidelity_phases = config.math_fidelity == MathFidelity::LoFi    ? 1
                              : config.math_fidelity == MathFidelity::HiFi2 ? 2
                              : config.math_fidelity == MathFidelity::HiFi3 ? 3
                                                                            : 4;
    compute.has_wide_dst = config.fp32_dest_acc_en;
    compute.has_whole_dst = config.dst_full_sync_en;
    compute.approximates = config.math_approx_mode;
    for (std::size_t id = 0; id < std::min<std::size_t>(config.unpack_to_dest_mode.size(), NUM_CIRCULAR_BUFFERS);
         ++id) {
        if (config.unpack_to_dest_mode[id] == UnpackToDestMode::UnpackToDestFp32) {
            compute.exact_buffers |= 1U << id;
        }
    }
    return source;
}

/// Returns what is to be compiled. Throws HostError for kernels of RISCs that are not modeled.
nocbench::host::KernelSource source_of(const std::string& name, const KernelConfig& config,
                                       const host::Caller& caller) {
    if (std::holds_alternative<EthernetConfig>(config)) {
        host::fail(caller, fmt::format("kernel '{}': kernels of Ethernet cores are not modeled", name));
    }
    if (const auto* const its = std::get_if<ComputeConfig>(&config); its != nullptr) {
        return source_of(*its);
    }
    const auto& its = std::get<DataMovementConfig>(config);
    nocbench::host::KernelSource source = source_with(its, static_cast<int>(its.processor));
    source.noc = static_cast<int>(its.noc);
    source.noc_mode = static_cast<int>(its.noc_mode);
    return source;
}

std::string unused_name(const host::ProgramState& program, const std::string& name) {
    const auto is_taken = [&](const std::string& candidate) {
        return std::ranges::find(program.kernels, candidate, &host::KernelState::name) != program.kernels.end();
    };
    std::string unused = name;
    for (int number = 2; is_taken(unused); ++number) {
        unused = fmt::format("{}_{}", name, number);
    }
    return unused;
}

/// Returns the file that takes the place of a kernel; the kernel itself if none does.
std::string in_place_of(const std::string& file_name) {
    const std::string path = "/" + file_name;
    for (const auto& [ending, replacement] : nocbench::host::session().replacements) {
        if (path.ends_with("/" + ending)) {
            return replacement;
        }
    }
    return file_name;
}

KernelHandle add_kernel(Program& program, const std::string& name, nocbench::host::KernelSource source,
                        const CoreSpec& core_spec, const host::Caller& caller) {
    host::ProgramState& state = program.state();
    std::vector<CoreCoord> cores = corerange_to_cores(core_set(core_spec));
    if (cores.empty()) {
        host::fail(caller, fmt::format("kernel '{}': expected at least one core, found none", name));
    }
    for (const host::KernelState& other : state.kernels) {
        if (other.source.riscv != source.riscv) {
            continue;
        }
        for (const CoreCoord& core : cores) {
            if (std::ranges::find(other.cores, core) != other.cores.end()) {
                host::fail(caller, fmt::format("kernel '{}': RISCV_{} of core ({}, {}) already has kernel '{}'", name,
                                               source.riscv, core.x, core.y, other.name));
            }
        }
    }
    state.kernels.push_back({.name = unused_name(state, name),
                             .source = std::move(source),
                             .cores = std::move(cores),
                             .runtime_args = {},
                             .common_runtime_args = {},
                             .caller = caller});
    return static_cast<KernelHandle>(state.kernels.size() - 1);
}

host::KernelState& kernel_of(const Program& program, KernelHandle handle, const host::Caller& caller) {
    host::ProgramState& state = program.state();
    if (handle >= state.kernels.size()) {
        host::fail(caller,
                   fmt::format("expected the handle of one of {} kernels, found {}", state.kernels.size(), handle));
    }
    return state.kernels[handle];
}

void set_args(const Program& program, KernelHandle handle, const std::vector<CoreCoord>& cores,
              std::vector<std::uint32_t> args, const host::Caller& caller) {
    host::KernelState& kernel = kernel_of(program, handle, caller);
    if (args.size() + kernel.common_runtime_args.size() > max_runtime_args) {
        host::fail(caller, fmt::format("SetRuntimeArgs: kernel '{}': expected at most {} arguments, common ones "
                                       "included, found {}",
                                       kernel.name, max_runtime_args, args.size() + kernel.common_runtime_args.size()));
    }
    for (const CoreCoord& core : cores) {
        if (std::ranges::find(kernel.cores, core) == kernel.cores.end()) {
            host::fail(caller, fmt::format("SetRuntimeArgs: kernel '{}' does not run on core ({}, {})", kernel.name,
                                           core.x, core.y));
        }
        const auto [place, is_new] = kernel.runtime_args.try_emplace(core, args);
        if (!is_new) {
            if (place->second.size() < args.size()) {
                host::fail(caller, fmt::format("SetRuntimeArgs: kernel '{}' on core ({}, {}): expected at most {} "
                                               "arguments, as it was given before, found {}",
                                               kernel.name, core.x, core.y, place->second.size(), args.size()));
            }
            std::ranges::copy(args, place->second.begin());
        }
    }
}

host::CircularBufferState& buffer_of(CBHandle handle) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the API's handle
    return *reinterpret_cast<host::CircularBufferState*>(handle);
}

/// Returns the RISC, NoC and the rest of the configuration of a reader or writer.
DataMovementConfig preset(DataMovementProcessor processor, NOC noc) {
    DataMovementConfig config;
    config.processor = processor;
    config.noc = noc;
    return config;
}

}  // namespace

ReaderDataMovementConfig::ReaderDataMovementConfig(std::vector<std::uint32_t> args,
                                                   std::map<std::string, std::string> macros,
                                                   std::unordered_map<std::string, std::uint32_t> named,
                                                   KernelBuildOptLevel level)
    : DataMovementConfig(preset(DataMovementProcessor::RISCV_1, NOC::NOC_0)) {
    compile_args = std::move(args);
    defines = std::move(macros);
    named_compile_args = std::move(named);
    opt_level = level;
}

WriterDataMovementConfig::WriterDataMovementConfig(std::vector<std::uint32_t> args,
                                                   std::map<std::string, std::string> macros,
                                                   std::unordered_map<std::string, std::uint32_t> named,
                                                   KernelBuildOptLevel level)
    : DataMovementConfig(preset(DataMovementProcessor::RISCV_0, NOC::NOC_1)) {
    compile_args = std::move(args);
    defines = std::move(macros);
    named_compile_args = std::move(named);
    opt_level = level;
}

CircularBufferConfig::CircularBufferConfig(std::uint32_t total_size,
                                           const std::map<std::uint8_t, DataFormat>& data_formats)
    : total_size_(total_size), formats_(data_formats.begin(), data_formats.end()) {}

CircularBufferConfig::CircularBufferConfig(std::uint32_t total_size,
                                           const std::map<std::uint8_t, DataFormat>& data_formats, const Buffer& buffer,
                                           host::Caller caller)
    : CircularBufferConfig(total_size, data_formats) {
    set_globally_allocated_address(buffer, caller);
}

CircularBufferConfig& CircularBufferConfig::set_page_size(std::uint8_t index, std::uint32_t page_size,
                                                          host::Caller caller) {
    host::require(formats_.contains(index), caller,
                  "circular buffer: a page of {} bytes is given for index {}, which has no data format", page_size,
                  index);
    host::require(page_size != 0 && total_size_ % page_size == 0, caller,
                  "circular buffer {}: expected whole pages, found {} bytes in pages of {}", index, total_size_,
                  page_size);
    page_sizes_[index] = page_size;
    return *this;
}

CircularBufferConfig& CircularBufferConfig::set_total_size(std::uint32_t total_size) {
    total_size_ = total_size;
    return *this;
}

CircularBufferConfig& CircularBufferConfig::set_globally_allocated_address(const Buffer& buffer, host::Caller caller) {
    host::require(buffer.is_l1(), caller, "circular buffer: expected a buffer in L1, found one in DRAM");
    address_ = buffer.address();
    return *this;
}

CircularBufferConfig& CircularBufferConfig::set_globally_allocated_address_and_total_size(const Buffer& buffer,
                                                                                          std::uint32_t total_size,
                                                                                          host::Caller caller) {
    return set_globally_allocated_address(buffer, caller).set_total_size(total_size);
}

CircularBufferConfig::Builder CircularBufferConfig::index(std::uint8_t index, host::Caller caller) {
    host::require(index != remote_index_, caller, "circular buffer {}: its index is that of a remote one", index);
    formats_.try_emplace(index);
    return {*this, index};
}

CircularBufferConfig::Builder CircularBufferConfig::remote_index(std::uint8_t index, host::Caller caller) {
    host::require(index == remote_index_.value_or(index), caller,
                  "remote circular buffer {}: expected one remote index, found {} as well", index,
                  remote_index_.value_or(index));
    host::require(remote_index_.has_value() || !formats_.contains(index), caller,
                  "remote circular buffer {}: its index is that of one within the core", index);
    remote_index_ = index;
    formats_.try_emplace(index);
    return {*this, index};
}

std::uint32_t CircularBufferConfig::page_size(std::uint8_t index) const {
    const auto found = page_sizes_.find(index);
    return found == page_sizes_.end() ? total_size_ : found->second;
}

CircularBufferConfig& CircularBufferConfig::set_tile_dims(std::uint8_t index, const Tile& tile, host::Caller caller) {
    const std::uint32_t rows = tile.get_height();
    host::require(
        tile.get_width() == constants::TILE_WIDTH && std::has_single_bit(rows) && rows <= constants::TILE_HEIGHT,
        caller, "circular buffer {}: expected tiles of {} columns and 1, 2, 4, 8, 16 or 32 rows, found {} x {}", index,
        constants::TILE_WIDTH, rows, tile.get_width());
    tile_rows_[index] = rows;
    return *this;
}

std::uint32_t CircularBufferConfig::tile_rows(std::uint8_t index) const {
    const auto found = tile_rows_.find(index);
    return found == tile_rows_.end() ? constants::TILE_HEIGHT : found->second;
}

const CircularBufferConfig::Builder& CircularBufferConfig::Builder::set_data_format(DataFormat format) const {
    parent_.formats_[index_] = format;
    return *this;
}

const CircularBufferConfig::Builder& CircularBufferConfig::Builder::set_total_size(std::uint32_t total_size) const {
    parent_.set_total_size(total_size);
    return *this;
}

const CircularBufferConfig::Builder& CircularBufferConfig::Builder::set_page_size(std::uint32_t page_size,
                                                                                  host::Caller caller) const {
    parent_.set_page_size(index_, page_size, caller);
    return *this;
}

const CircularBufferConfig::Builder& CircularBufferConfig::Builder::set_tile_dims(const Tile& tile,
                                                                                  host::Caller caller) const {
    parent_.set_tile_dims(index_, tile, caller);
    return *this;
}

namespace {

struct ProgramCount {
    std::uint64_t number = 0;
};

}  // namespace

Program::Program() : state_(std::make_shared<host::ProgramState>()) {
    state_->id = ++nocbench::host::in_session<ProgramCount>().number;
    state_->runtime_id = state_->id;
}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

void Program::set_runtime_id(ProgramId id) { state_->runtime_id = id; }
ProgramId Program::get_runtime_id() const { return state_->runtime_id; }
ProgramId Program::get_id() const { return state_->id; }
void Program::finalize_offsets(IDevice* /*device*/) const { host::require_remote_buffers_last(*state_); }

Program CreateProgram() { return {}; }

KernelHandle CreateKernel(Program& program, const std::string& file_name, const CoreSpec& core_spec,
                          const KernelConfig& config, host::Caller caller) {
    nocbench::host::KernelSource source = source_of(file_name, config, caller);
    source.file = in_place_of(file_name);
    const std::string name = std::filesystem::path(source.file).stem().string();
    return add_kernel(program, name, std::move(source), core_spec, caller);
}

KernelHandle CreateKernelFromString(Program& program, const std::string& kernel_src_code, const CoreSpec& core_spec,
                                    const KernelConfig& config, host::Caller caller) {
    nocbench::host::KernelSource source = source_of("kernel", config, caller);
    source.text = kernel_src_code;
    return add_kernel(program, "kernel", std::move(source), core_spec, caller);
}

KernelHandle experimental::quasar::CreateKernel(Program& /*program*/, const std::string& file_name,
                                                const CoreSpec& /*core_spec*/,
                                                const QuasarDataMovementConfig& /*config*/, host::Caller caller) {
    host::fail(caller, fmt::format("kernel '{}': kernels of Quasar are not modeled", file_name));
}

namespace {

CBHandle add_buffer(Program& program, host::CircularBufferState buffer) {
    host::ProgramState& state = program.state();
    if (buffer.config.formats().empty()) {
        host::fail(buffer.caller, "CreateCircularBuffer: expected the index of a buffer, found none");
    }
    for (const auto& [index, format] : buffer.config.formats()) {
        if (index >= NUM_CIRCULAR_BUFFERS) {
            host::fail(buffer.caller, fmt::format("CreateCircularBuffer: expected an index from 0 to {}, found {}",
                                                  NUM_CIRCULAR_BUFFERS - 1, index));
        }
        for (const auto& other : state.circular_buffers) {
            if (other->config.formats().contains(index) && other->cores.intersects(buffer.cores)) {
                host::fail(buffer.caller, fmt::format("CreateCircularBuffer: index {} is already in use on {}", index,
                                                      other->cores.intersection(buffer.cores)));
            }
        }
    }
    state.circular_buffers.push_back(std::make_unique<host::CircularBufferState>(std::move(buffer)));
    return reinterpret_cast<CBHandle>(state.circular_buffers.back().get());
}

/// Places a remote circular buffer on the parts of its cores.
void place(host::CircularBufferState& buffer, const experimental::GlobalCircularBuffer& global,
           const host::Caller& caller) {
    host::require(global.all_cores().contains(buffer.cores), caller,
                  "remote circular buffer: expected some of the cores {} of its global circular buffer, found {}",
                  global.all_cores().str(), buffer.cores.str());
    host::require(buffer.config.total_size() <= global.size(), caller,
                  "remote circular buffer: expected at most the {} bytes of its global circular buffer, found {}",
                  global.size(), buffer.config.total_size());
    buffer.config.set_globally_allocated_address(global.cb_buffer(), caller);
    buffer.global = global;
}

}  // namespace

CBHandle CreateCircularBuffer(Program& program, const CoreSpec& core_spec, const CircularBufferConfig& config,
                              host::Caller caller) {
    host::require(
        !config.remote_index().has_value(), caller,
        "remote circular buffer {}: expected experimental::CreateCircularBuffer with a global circular buffer",
        config.remote_index().value_or(0));
    return add_buffer(program, {core_set(core_spec), config, caller});
}

CBHandle experimental::CreateCircularBuffer(Program& program, const CoreSpec& core_spec,
                                            const CircularBufferConfig& config, const GlobalCircularBuffer& buffer,
                                            host::Caller caller) {
    const std::optional<std::uint8_t> remote_index = config.remote_index();
    if (!remote_index.has_value()) {
        host::fail(caller,
                   "CreateCircularBuffer: expected remote_index() for the end of a global circular buffer, found none");
    }
    const std::uint8_t index = *remote_index;
    host::require(!config.globally_allocated_address().has_value(), caller,
                  "remote circular buffer {}: it lies on its global circular buffer, but also on another buffer",
                  index);
    host::require(config.page_size(index) % nocbench::kRemoteUnitBytes == 0, caller,
                  "remote circular buffer {}: expected a page of a multiple of {} bytes, found {}", index,
                  nocbench::kRemoteUnitBytes, config.page_size(index));
    host::CircularBufferState state{core_set(core_spec), config, caller};
    place(state, buffer, caller);
    return add_buffer(program, std::move(state));
}

const CircularBufferConfig& GetCircularBufferConfig(Program&, CBHandle handle) { return buffer_of(handle).config; }

void UpdateCircularBufferTotalSize(Program&, CBHandle handle, std::uint32_t total_size) {
    buffer_of(handle).config.set_total_size(total_size);
}

void UpdateCircularBufferPageSize(Program&, CBHandle handle, std::uint8_t index, std::uint32_t page_size) {
    buffer_of(handle).config.set_page_size(index, page_size);
}

void UpdateDynamicCircularBufferAddress(Program&, CBHandle handle, const Buffer& buffer) {
    buffer_of(handle).config.set_globally_allocated_address(buffer);
}

void UpdateDynamicCircularBufferAddressAndTotalSize(Program&, CBHandle handle, const Buffer& buffer,
                                                    std::uint32_t total_size) {
    buffer_of(handle).config.set_globally_allocated_address_and_total_size(buffer, total_size);
}

void experimental::UpdateDynamicCircularBufferAddress(Program& /*program*/, CBHandle handle,
                                                      const GlobalCircularBuffer& buffer, host::Caller caller) {
    place(buffer_of(handle), buffer, caller);
}

std::uint32_t CreateSemaphore(Program& program, const std::variant<CoreRange, CoreRangeSet>& core_spec,
                              std::uint32_t initial_value, CoreType core_type, host::Caller caller) {
    if (core_type != CoreType::WORKER) {
        host::fail(caller, "CreateSemaphore: expected CoreType::WORKER: other cores are not modeled");
    }
    host::ProgramState& state = program.state();
    const CoreRangeSet cores = std::visit([](const auto& its) { return CoreRangeSet(its); }, core_spec);
    std::set<std::uint32_t> taken;
    for (const host::SemaphoreState& semaphore : state.semaphores) {
        if (semaphore.cores.intersects(cores)) {
            taken.insert(semaphore.id);
        }
    }
    std::uint32_t id = 0;
    while (taken.contains(id)) {
        ++id;
    }
    if (id >= nocbench::kNumSemaphores) {
        host::fail(caller, fmt::format("CreateSemaphore: expected at most {} semaphores on a core, found one more",
                                       nocbench::kNumSemaphores));
    }
    state.semaphores.push_back({id, initial_value, cores});
    return id;
}

void SetRuntimeArgs(const Program& program, KernelHandle kernel, const CoreSpec& core_spec,
                    stl::Span<const std::uint32_t> runtime_args, host::Caller caller) {
    set_args(program, kernel, corerange_to_cores(core_set(core_spec)), {runtime_args.begin(), runtime_args.end()},
             caller);
}

void SetRuntimeArgs(const Program& program, KernelHandle kernel, const CoreSpec& core_spec,
                    std::initializer_list<std::uint32_t> runtime_args, host::Caller caller) {
    set_args(program, kernel, corerange_to_cores(core_set(core_spec)), runtime_args, caller);
}

void SetRuntimeArgs(const Program& program, KernelHandle kernel, const std::vector<CoreCoord>& cores,
                    const std::vector<std::vector<std::uint32_t>>& runtime_args, host::Caller caller) {
    if (cores.size() != runtime_args.size()) {
        host::fail(caller, fmt::format("SetRuntimeArgs: expected a list for each of {} cores, found {}", cores.size(),
                                       runtime_args.size()));
    }
    for (std::size_t index = 0; index < cores.size(); ++index) {
        set_args(program, kernel, {cores[index]}, runtime_args[index], caller);
    }
}

void SetCommonRuntimeArgs(const Program& program, KernelHandle kernel, stl::Span<const std::uint32_t> runtime_args,
                          host::Caller caller) {
    host::KernelState& its = kernel_of(program, kernel, caller);
    if (runtime_args.size() > max_runtime_args) {
        host::fail(caller, fmt::format("SetCommonRuntimeArgs: kernel '{}': expected at most {} arguments, found {}",
                                       its.name, max_runtime_args, runtime_args.size()));
    }
    its.common_runtime_args = {runtime_args.begin(), runtime_args.end()};
}

void SetCommonRuntimeArgs(const Program& program, KernelHandle kernel,
                          std::initializer_list<std::uint32_t> runtime_args, host::Caller caller) {
    SetCommonRuntimeArgs(program, kernel, stl::Span<const std::uint32_t>(runtime_args), caller);
}

RuntimeArgsData& GetRuntimeArgs(const Program& program, KernelHandle kernel, const CoreCoord& core,
                                host::Caller caller) {
    host::KernelState& its = kernel_of(program, kernel, caller);
    const auto found = its.runtime_args.find(core);
    if (found == its.runtime_args.end()) {
        host::fail(caller, fmt::format("GetRuntimeArgs: kernel '{}' has no arguments on core ({}, {})", its.name,
                                       core.x, core.y));
    }
    return its.argument_handles.insert_or_assign(core, RuntimeArgsData(found->second)).first->second;
}

std::vector<std::vector<RuntimeArgsData>>& GetRuntimeArgs(const Program& program, KernelHandle kernel,
                                                          host::Caller caller) {
    host::KernelState& its = kernel_of(program, kernel, caller);
    CoreCoord size(0, 0);
    for (const CoreCoord& core : its.cores) {
        size = {std::max(size.x, core.x + 1), std::max(size.y, core.y + 1)};
    }
    static std::vector<std::uint32_t> none;
    its.all_handles.assign(size.x, std::vector<RuntimeArgsData>(size.y, RuntimeArgsData(none)));
    for (auto& [core, args] : its.runtime_args) {
        its.all_handles[core.x][core.y] = RuntimeArgsData(args);
    }
    return its.all_handles;
}

RuntimeArgsData& GetCommonRuntimeArgs(const Program& program, KernelHandle kernel, host::Caller caller) {
    host::KernelState& its = kernel_of(program, kernel, caller);
    its.common_handle = std::make_unique<RuntimeArgsData>(its.common_runtime_args);
    return *its.common_handle;
}

void AssignGlobalBufferToProgram(const std::shared_ptr<Buffer>& buffer, Program& program) {
    program.state().buffers.push_back(buffer);
}

GlobalSemaphore::GlobalSemaphore(IDevice* device, const CoreRangeSet& cores, std::uint32_t initial_value,
                                 host::Caller caller)
    : cores_(cores),
      buffer_(Buffer::create(device, sizeof(std::uint32_t) * cores.num_cores(), sizeof(std::uint32_t), BufferType::L1,
                             host::one_page_on_each(cores), {}, {}, caller)) {
    reset_semaphore_value(initial_value);
}

void GlobalSemaphore::reset_semaphore_value(std::uint32_t value) const {
    detail::WriteToBuffer(*buffer_, std::vector<std::uint32_t>(cores_.num_cores(), value));
}

GlobalSemaphore CreateGlobalSemaphore(IDevice* device, const CoreRangeSet& cores, std::uint32_t initial_value,
                                      BufferType, host::Caller caller) {
    return {device, cores, initial_value, caller};
}

}  // namespace tt::tt_metal
