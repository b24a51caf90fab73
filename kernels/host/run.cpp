#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/compute/compute_command.h"
#include "kernels/frame/compiled_program.h"
#include "kernels/host/chip.h"
#include "kernels/host/program_state.h"
#include "kernels/host/session.h"
#include "kernels/tensix/program.h"
#include "nocbench/host/mesh.h"
#include "nocbench/host/slow_dispatch.h"

namespace tt::host {

namespace {

using nocbench::CompiledProgram;
using nocbench::LogicalCoordinate;

std::vector<LogicalCoordinate> cores_of(const Chip& chip, const std::vector<CoreCoord>& cores, const Caller& caller) {
    std::vector<LogicalCoordinate> its;
    its.reserve(cores.size());
    for (const CoreCoord& core : cores) {
        its.push_back(chip.core(core, caller));
    }
    return its;
}

/// Adds the circular buffers: those without an address one after the other from the bottom of L1, each at one address
/// on all of its cores, to and from which DRAM can be copied. Source: tt-metal,
/// ProgramImpl::allocate_circular_buffers().
void add_circular_buffers(Chip& chip, const ProgramState& program, CompiledProgram& asked) {
    const std::uint64_t begin = chip.ranges_of(BufferType::L1).begin();
    const std::optional<std::uint64_t> lowest_buffer = chip.ranges_of(BufferType::L1).lowest();
    const std::uint64_t end = chip.ranges_of(BufferType::L1).end();
    std::map<CoreCoord, std::uint64_t> next;
    for (const auto& buffer : program.circular_buffers) {
        const std::vector<CoreCoord> cores = corerange_to_cores(buffer->cores);
        std::uint64_t address = buffer->config.globally_allocated_address().value_or(0);
        if (!buffer->config.globally_allocated_address().has_value()) {
            address = begin;
            for (const CoreCoord& core : cores) {
                address = std::max(address, next[core]);
            }
            address = tt::align(address, chip.alignment(BufferType::DRAM));
            const std::uint64_t its_end = address + buffer->config.total_size();
            if (its_end > lowest_buffer.value_or(end)) {
                host::fail(
                    buffer->caller,
                    fmt::format("circular buffer {}: its 0x{:x} to 0x{:x} of L1 {} 0x{:x}",
                                buffer->config.formats().begin()->first, address, its_end,
                                lowest_buffer.has_value() && its_end <= end ? "overlap a buffer in L1 that begins at"
                                                                            : "pass the end of L1,",
                                lowest_buffer.has_value() && its_end <= end ? *lowest_buffer : end));
            }
            for (const CoreCoord& core : cores) {
                next[core] = its_end;
            }
        }
        for (const auto& [index, format] : buffer->config.formats()) {
            if (index == buffer->config.remote_index()) {
                continue;
            }
            const std::uint32_t page_bytes = buffer->config.page_size(index);
            asked.circular_buffers.push_back(
                {cores_of(chip, cores, buffer->caller), index, static_cast<std::uint32_t>(address), page_bytes,
                 buffer->config.total_size() / page_bytes, buffer->config.globally_allocated_address().has_value()});
        }
    }
}

/// Adds the ends of global circular buffers: senders first, as CompiledProgram needs them.
void add_remote_buffers(Chip& chip, const ProgramState& program, CompiledProgram& asked) {
    for (const bool are_senders : {true, false}) {
        for (const auto& buffer : program.circular_buffers) {
            if (!buffer->global.has_value()) {
                continue;
            }
            const experimental::GlobalCircularBuffer& global = *buffer->global;
            const std::uint8_t index = buffer->config.remote_index().value_or(0);
            CompiledProgram::RemoteBuffer& its = asked.remote_buffers.emplace_back();
            its.cores = cores_of(chip,
                                 corerange_to_cores(buffer->cores.intersection(are_senders ? global.sender_cores()
                                                                                           : global.receiver_cores())),
                                 buffer->caller);
            its.buffer = {.id = index,
                          .config_address = static_cast<std::uint32_t>(global.config_address()),
                          .page_bytes = buffer->config.page_size(index),
                          .local_ids = {}};
            for (const auto& [local_index, format] : buffer->config.formats()) {
                if (local_index != index) {
                    its.buffer.local_ids.push_back(local_index);
                }
            }
        }
    }
}

/// Returns the source of a kernel with the circular buffers of its cores.
nocbench::host::KernelSource with_buffers(const ProgramState& program, const KernelState& kernel) {
    nocbench::host::KernelSource source = kernel.source;
    for (const auto& buffer : program.circular_buffers) {
        if (std::ranges::none_of(kernel.cores, [&](const CoreCoord& core) { return buffer->cores.contains(core); })) {
            continue;
        }
        for (const auto& [index, format] : buffer->config.formats()) {
            source.buffers[index] = {
                .page_bytes = buffer->config.page_size(index),
                .format = format.has_value() ? std::optional(static_cast<int>(*format)) : std::nullopt,
                .tile_rows = buffer->config.tile_rows(index)};
        }
    }
    return source;
}

/// Returns the numbers of a kernel's threads: those of a compute kernel, or 0.
std::span<const std::size_t> threads_of(const KernelState& kernel) {
    static constexpr std::array<std::size_t, nocbench::kNumComputeThreads> kThreads{0, 1, 2};
    return std::span(kThreads).first(kernel.source.compute.has_value() ? kThreads.size() : 1);
}

/// Returns the image of a thread of a kernel; each is compiled once in a session.
const nocbench::host::KernelImage& image_of(Chip& chip, const ProgramState& program, const KernelState& kernel,
                                            std::size_t thread) {
    auto& images = nocbench::host::in_session<std::map<nocbench::host::KernelSource, nocbench::host::KernelImage>>();
    nocbench::host::KernelSource source = with_buffers(program, kernel);
    source.riscv += static_cast<int>(thread);
    const auto found = images.find(source);
    if (found != images.end()) {
        return found->second;
    }
    nocbench::host::KernelImage image = at(kernel.caller, fmt::format("kernel '{}'", kernel.name),
                                           [&] { return nocbench::host::session().compile(source, chip.device()); });
    return images.emplace(std::move(source), std::move(image)).first->second;
}

std::vector<nocbench::NamedRange> l1_ranges(const Chip& chip, const CompiledProgram& asked) {
    std::vector<nocbench::NamedRange> ranges;
    for (const CompiledProgram::Semaphore& semaphore : asked.semaphores) {
        const std::uint32_t id = semaphore.id.value_or(0);  // host programs number all of them
        const std::uint64_t begin = nocbench::semaphore_address(chip.architecture(), id);
        ranges.push_back({fmt::format("semaphore {}", id), begin, begin + sizeof(std::uint32_t)});
    }
    for (const CompiledProgram::CircularBuffer& buffer : asked.circular_buffers) {
        const std::uint64_t end = buffer.address + std::uint64_t{buffer.page_bytes} * buffer.num_pages;
        ranges.push_back({fmt::format("circular buffer {}", buffer.id), buffer.address, end});
    }
    return ranges;
}

}  // namespace

void require_remote_buffers_last(const ProgramState& program) {
    for (const auto& remote : program.circular_buffers) {
        if (!remote->global.has_value()) {
            continue;
        }
        const std::uint8_t remote_index = remote->config.remote_index().value_or(0);
        for (const auto& other : program.circular_buffers) {
            for (const auto& [index, format] : other->config.formats()) {
                host::require(
                    index <= remote_index || index == other->config.remote_index() ||
                        !other->cores.intersects(remote->cores),
                    remote->caller,
                    "remote circular buffer {}: expected an index above those of the cores' other buffers, of "
                    "which one is {}",
                    remote_index, index);
            }
        }
    }
}

void compile(Chip& chip, const ProgramState& program, const Caller&) {
    for (const KernelState& kernel : program.kernels) {
        for (const std::size_t thread : threads_of(kernel)) {
            image_of(chip, program, kernel, thread);
        }
    }
}

void run(Chip& chip, const ProgramState& program, nocbench::host::Dispatch dispatch, const Caller& caller) {
    require_remote_buffers_last(program);
    const nocbench::host::Session& session = nocbench::host::session();
    CompiledProgram asked;
    asked.name = fmt::format("program_{}", program.runtime_id);
    asked.cycles_max = session.cycles_max;
    asked.checks = session.checks;
    asked.riscs_share_nocs = true;
    if (dispatch == nocbench::host::Dispatch::slow) {
        asked.launch_skew = nocbench::ticks_from_cycles(chip.device().board().launch_skew_cycles);
    }
    nocbench::host::EndedProgram ended;
    for (const KernelState& kernel : program.kernels) {
        for (const std::size_t thread : threads_of(kernel)) {
            const nocbench::host::KernelImage& image = image_of(chip, program, kernel, thread);
            CompiledProgram::Kernel& its = asked.kernels.emplace_back();
            its.name = kernel.source.compute.has_value()
                           ? fmt::format("{} ({})", kernel.name, nocbench::kComputeThreadNames[thread])
                           : kernel.name;
            its.elf = image.elf;
            its.source_map = image.source_map;
            its.cores = cores_of(chip, kernel.cores, kernel.caller);
            its.riscv = kernel.source.riscv + static_cast<int>(thread);
            its.zones = session.timed_zones;
            its.zones.emplace_back();
            its.noc = kernel.source.noc;
            its.common_runtime_args = kernel.common_runtime_args;
            for (const auto& [core, args] : kernel.runtime_args) {
                its.runtime_args[chip.core(core, kernel.caller)] = args;
            }
            ended.images[its.name] = image.number;
        }
    }
    add_circular_buffers(chip, program, asked);
    add_remote_buffers(chip, program, asked);
    for (const SemaphoreState& semaphore : program.semaphores) {
        asked.semaphores.push_back(
            {cores_of(chip, corerange_to_cores(semaphore.cores), caller), semaphore.initial_value, semaphore.id});
    }
    chip.renew();
    const nocbench::CompiledProgramResult result = at(caller, asked.name, [&] {
        return nocbench::run_compiled_program(asked, chip.device(), session.settings,
                                              session.watcher(program.runtime_id));
    });
    ended.runtime_id = program.runtime_id;
    ended.asked = &asked;
    ended.l1_ranges = l1_ranges(chip, asked);
    ended.result = &result;
    session.on_end(ended);
    if (!result.failure.empty()) {
        fail(caller, fmt::format("{}: {}", asked.name, result.failure));
    }
}

}  // namespace tt::host

namespace tt::tt_metal {

namespace distributed {

void EnqueueMeshWorkload(MeshCommandQueue& queue, MeshWorkload& workload, bool blocking, host::Caller caller) {
    queue.enqueue_mesh_workload(workload, blocking, caller);
}

void MeshCommandQueue::enqueue_mesh_workload(MeshWorkload& workload, bool, host::Caller caller) {
    for (auto& [range, program] : workload.get_programs()) {
        host::Chip& chip = device_->chip(caller);
        host::run(chip, program.state(), chip.dispatch(), caller);
    }
}

void MeshCommandQueue::enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer>& buffer, const void* data, bool,
                                                 host::Caller caller) {
    buffer->get_reference_buffer()->write({static_cast<const std::byte*>(data), buffer->size()}, caller);
}

void MeshCommandQueue::enqueue_read_mesh_buffer(void* data, const std::shared_ptr<MeshBuffer>& buffer, bool,
                                                host::Caller caller) {
    buffer->get_reference_buffer()->read({static_cast<std::byte*>(data), buffer->size()}, caller);
}

void MeshCommandQueue::enqueue_write_shards(const std::shared_ptr<MeshBuffer>& buffer,
                                            const std::vector<ShardDataTransfer>& transfers, bool,
                                            host::Caller caller) {
    for (const ShardDataTransfer& transfer : transfers) {
        const BufferRegion region = transfer.region().value_or(BufferRegion{.offset = 0, .size = buffer->size()});
        buffer->get_reference_buffer()->write({static_cast<const std::byte*>(transfer.host_data()), region.size},
                                              caller, region.offset);
    }
}

void MeshCommandQueue::enqueue_read_shards(const std::vector<ShardDataTransfer>& transfers,
                                           const std::shared_ptr<MeshBuffer>& buffer, bool, host::Caller caller) {
    for (const ShardDataTransfer& transfer : transfers) {
        const BufferRegion region = transfer.region().value_or(BufferRegion{.offset = 0, .size = buffer->size()});
        buffer->get_reference_buffer()->read({static_cast<std::byte*>(transfer.host_data()), region.size}, caller,
                                             region.offset);
    }
}

}  // namespace distributed

namespace detail {

namespace {

std::span<const std::uint8_t> bytes_of(const std::vector<std::uint32_t>& words) {
    return {reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * sizeof(std::uint32_t)};
}

/// Makes room for `size` bytes in a vector of words.
std::span<std::uint8_t> room_in(std::vector<std::uint32_t>& words, std::uint32_t size) {
    words.resize(tt::div_up(size, static_cast<std::uint32_t>(sizeof(std::uint32_t))));
    return {reinterpret_cast<std::uint8_t*>(words.data()), size};
}

}  // namespace

bool WriteToDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address, std::span<const std::uint8_t> bytes,
                     CoreType, host::Caller caller) {
    host::Chip& chip = device->chip(caller);
    host::at(caller, "WriteToDeviceL1",
             [&] { chip.device().write_l1(chip.core(core, caller), address, std::as_bytes(bytes)); });
    return true;
}

bool WriteToDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address,
                     const std::vector<std::uint32_t>& words, CoreType type, host::Caller caller) {
    return WriteToDeviceL1(device, core, address, bytes_of(words), type, caller);
}

bool ReadFromDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address, std::span<std::uint8_t> bytes,
                      CoreType, host::Caller caller) {
    host::Chip& chip = device->chip(caller);
    host::at(caller, "ReadFromDeviceL1", [&] {
        std::ranges::copy(chip.device().read_l1(chip.core(core, caller), address, bytes.size()),
                          std::as_writable_bytes(bytes).begin());
    });
    return true;
}

bool ReadFromDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address, std::uint32_t size,
                      std::vector<std::uint32_t>& words, CoreType type, host::Caller caller) {
    return ReadFromDeviceL1(device, core, address, room_in(words, size), type, caller);
}

bool WriteToDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address, std::span<const std::uint8_t> bytes,
                              host::Caller caller) {
    host::at(caller, "WriteToDeviceDRAMChannel", [&] {
        device->chip(caller).device().write_dram(static_cast<std::size_t>(channel), address, std::as_bytes(bytes));
    });
    return true;
}

bool WriteToDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address,
                              const std::vector<std::uint32_t>& words, host::Caller caller) {
    return WriteToDeviceDRAMChannel(device, channel, address, bytes_of(words), caller);
}

bool ReadFromDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address, std::span<std::uint8_t> bytes,
                               host::Caller caller) {
    host::at(caller, "ReadFromDeviceDRAMChannel", [&] {
        std::ranges::copy(
            device->chip(caller).device().read_dram(static_cast<std::size_t>(channel), address, bytes.size()),
            std::as_writable_bytes(bytes).begin());
    });
    return true;
}

bool ReadFromDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address, std::uint32_t size,
                               std::vector<std::uint32_t>& words, host::Caller caller) {
    return ReadFromDeviceDRAMChannel(device, channel, address, room_in(words, size), caller);
}

void LaunchProgram(IDevice* device, Program& program, bool, bool, host::Caller caller) {
    host::run(device->chip(caller), program.state(), nocbench::host::Dispatch::slow, caller);
}

void LaunchProgram(IDevice* device, const std::shared_ptr<Program>& program, bool, bool, host::Caller caller) {
    LaunchProgram(device, *program, true, false, caller);
}

void CompileProgram(IDevice* device, Program& program, bool, host::Caller caller) {
    host::compile(device->chip(caller), program.state(), caller);
}

}  // namespace detail

}  // namespace tt::tt_metal

namespace tt::host {

void use_slow_dispatch(const tt_metal::IDevice& device, Caller caller) {
    device.chip(caller).set_dispatch(nocbench::host::Dispatch::slow);
}

}  // namespace tt::host
