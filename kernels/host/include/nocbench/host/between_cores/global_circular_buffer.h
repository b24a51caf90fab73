// Circular buffers between cores: each sender fills the parts of its receivers. Names follow tt-metal.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "nocbench/host/buffers.h"
#include "nocbench/host/program.h"

#pragma GCC visibility push(default)

namespace tt::tt_metal::experimental {

/// Same range of L1 on senders and receivers, with a configuration by which their kernels find each other. Copies are
/// the same buffer.
class GlobalCircularBuffer {
public:
    using Mapping = std::vector<std::pair<CoreCoord, CoreRangeSet>>;

    /// Throws HostError if a core has two parts, or is outside of the grid, or there is no room in L1.
    GlobalCircularBuffer(IDevice* device, const Mapping& receivers_of_senders, std::uint32_t size,
                         BufferType type = BufferType::L1, host::Caller caller = host::Caller::current());

    [[nodiscard]] const Buffer& cb_buffer() const { return *buffer_; }
    [[nodiscard]] const CoreRangeSet& sender_cores() const { return senders_; }
    [[nodiscard]] const CoreRangeSet& receiver_cores() const { return receivers_; }
    [[nodiscard]] const CoreRangeSet& all_cores() const { return all_; }
    [[nodiscard]] DeviceAddr buffer_address() const { return buffer_->address(); }
    [[nodiscard]] DeviceAddr config_address() const { return config_->address(); }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(buffer_->page_size()); }
    [[nodiscard]] const Mapping& sender_receiver_core_mapping() const { return mapping_; }
    [[nodiscard]] IDevice* get_device() const { return buffer_->device(); }
    /// The same, under the name by which releases since the middle of 2026 reach functions of the inside.
    [[nodiscard]] const GlobalCircularBuffer& impl() const { return *this; }

private:
    void write_configuration(std::uint32_t counters_offset, host::Caller caller);

    Mapping mapping_;
    CoreRangeSet senders_;
    CoreRangeSet receivers_;
    CoreRangeSet all_;
    std::shared_ptr<Buffer> buffer_;
    std::shared_ptr<Buffer> config_;
};

/// Takes `size` bytes of L1 on each core.
inline GlobalCircularBuffer CreateGlobalCircularBuffer(IDevice* device, const GlobalCircularBuffer::Mapping& mapping,
                                                       std::uint32_t size, BufferType type = BufferType::L1,
                                                       host::Caller caller = host::Caller::current()) {
    return {device, mapping, size, type, caller};
}

/// Gives cores of a program their ends of a global circular buffer, under the remote index of `config`. Buffers with
/// its other indices lie on the same memory.
CBHandle CreateCircularBuffer(Program& program, const CoreSpec& core_spec, const CircularBufferConfig& config,
                              const GlobalCircularBuffer& buffer, host::Caller caller = host::Caller::current());
void UpdateDynamicCircularBufferAddress(Program& program, CBHandle handle, const GlobalCircularBuffer& buffer,
                                        host::Caller caller = host::Caller::current());

}  // namespace tt::tt_metal::experimental

#pragma GCC visibility pop
