#include "nocbench/host/between_cores/global_circular_buffer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "kernels/host/pages_on_cores.h"
#include "kernels/tensix/remote_circular_buffer.h"
#include "nocbench/host/slow_dispatch.h"

namespace tt::tt_metal::experimental {

namespace {

// Layout of a configuration. Source: tt-metal, GlobalCircularBuffer: seven words, the coordinates of the other cores,
// and two counters of each receiver.
constexpr std::uint32_t kWordBytes = sizeof(std::uint32_t);
constexpr std::uint32_t kFirstWords = 7;
constexpr std::uint32_t kCounterBytes = nocbench::kRemoteUnitBytes;

/// Adds cores to those that have a part.
void add_parts(std::set<CoreCoord>& taken, const CoreRangeSet& cores, const host::Caller& caller) {
    for (const CoreCoord& core : corerange_to_cores(cores)) {
        host::require(taken.insert(core).second, caller,
                      "global circular buffer: expected each core once, as a sender or a receiver, found core ({}, {}) "
                      "again",
                      core.x, core.y);
    }
}

std::shared_ptr<Buffer> buffer_on(IDevice* device, const CoreRangeSet& cores, std::uint32_t page_bytes, BufferType type,
                                  const host::Caller& caller) {
    return Buffer::create(device, DeviceAddr{page_bytes} * cores.num_cores(), page_bytes, type,
                          host::one_page_on_each(cores), {}, {}, caller);
}

}  // namespace

GlobalCircularBuffer::GlobalCircularBuffer(IDevice* device, const Mapping& receivers_of_senders, std::uint32_t size,
                                           BufferType type, host::Caller caller)
    : mapping_(receivers_of_senders) {
    host::require(type == BufferType::L1, caller, "global circular buffer: expected BufferType::L1");
    host::require(!mapping_.empty(), caller, "global circular buffer: expected at least one sender, found none");
    std::set<CoreCoord> taken;
    std::uint32_t receivers_max = 0;
    for (const auto& [sender, receivers] : mapping_) {
        host::require(!receivers.empty(), caller,
                      "global circular buffer: expected at least one receiver of sender ({}, {}), found none", sender.x,
                      sender.y);
        add_parts(taken, CoreRangeSet(sender), caller);
        add_parts(taken, receivers, caller);
        senders_ = senders_.merge(CoreRangeSet(sender));
        receivers_ = receivers_.merge(receivers);
        receivers_max = std::max(receivers_max, static_cast<std::uint32_t>(receivers.num_cores()));
    }
    all_ = senders_.merge(receivers_);
    buffer_ = buffer_on(device, all_, size, type, caller);
    const std::uint32_t counters_offset = tt::align((kFirstWords + 2 * receivers_max) * kWordBytes, kCounterBytes);
    config_ = buffer_on(device, all_, counters_offset + 2 * receivers_max * kCounterBytes, type, caller);
    write_configuration(counters_offset, caller);
}

void GlobalCircularBuffer::write_configuration(std::uint32_t counters_offset, host::Caller caller) {
    const std::vector<CoreCoord> cores = host::cores_with_pages(*config_);
    const std::size_t page_words = config_->page_size() / kWordBytes;
    std::vector<std::uint32_t> words(cores.size() * page_words);
    const auto write = [&](const CoreCoord& core, std::uint32_t is_sender, std::uint32_t num_receivers,
                           std::uint32_t counters_address, const std::vector<CoreCoord>& others) {
        const auto page = static_cast<std::size_t>(std::ranges::find(cores, core) - cores.begin());
        const std::array first{is_sender,       num_receivers,      buffer_->address(),
                               size(),          buffer_->address(), config_->address() + kFirstWords * kWordBytes,
                               counters_address};
        static_assert(first.size() == kFirstWords);
        std::uint32_t* place = std::ranges::copy(first, &words[page * page_words]).out;
        for (const CoreCoord& other : others) {
            const CoreCoord coordinate = get_device()->worker_core_from_logical_core(other, caller);
            *place++ = static_cast<std::uint32_t>(coordinate.x);
            *place++ = static_cast<std::uint32_t>(coordinate.y);
        }
    };
    const std::uint32_t counters_address = config_->address() + counters_offset;
    for (const auto& [sender, receiver_set] : mapping_) {
        const std::vector<CoreCoord> receivers = corerange_to_cores(receiver_set);
        const auto num_receivers = static_cast<std::uint32_t>(receivers.size());
        write(sender, 1, num_receivers, counters_address, receivers);
        for (std::uint32_t number = 0; number < num_receivers; ++number) {
            write(receivers[number], 0, num_receivers, counters_address + 2 * number * kCounterBytes, {sender});
        }
    }
    detail::WriteToBuffer(*config_, words, caller);
}

}  // namespace tt::tt_metal::experimental
