#include "device_model/epiphany/dma/dma_engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "device_model/sim/error.h"

namespace nocbench {

void DmaEngines::start(EpiphanyCore& core, std::string_view call, int channel, std::uint64_t address) {
    const NodeIndex node = core.identity().node;
    const auto channels = std::min<std::int64_t>(constants_.dma.channels, kNumDmaChannels);
    if (channel < 0 || channel >= channels) {
        throw KernelError(fmt::format("{}: expected a channel of 0 to {}, found {}", parts_.cores.caller(node, call),
                                      channels - 1, channel));
    }
    core.synchronize();
    if (parts_.memory.dma_is_active(node, channel)) {
        throw KernelError(fmt::format("{}: expected DMA channel {} to be idle, found it at work",
                                      parts_.cores.caller(node, call), channel));
    }
    channel_of(node, channel).visited.clear();
    begin_descriptor(node, channel, address, core.now());
}

void DmaEngines::begin_descriptor(NodeIndex node, int channel, std::uint64_t address, Tick tick) {
    Channel& dma = channel_of(node, channel);
    const std::string call = fmt::format("DMA channel {}, descriptor at 0x{:04x}", channel, address);
    const auto caller = [&] { return parts_.cores.caller(node, call); };
    const auto memory_bytes = static_cast<std::uint64_t>(constants_.core.memory_bytes);
    if (address % 8 != 0 || address + DmaDescriptor::kBytes > memory_bytes) {
        throw KernelError(fmt::format(
            "{}: expected a descriptor of {} bytes within the core's memory, 0x0 to 0x{:x}, at a multiple of 8",
            caller(), DmaDescriptor::kBytes, memory_bytes - 1));
    }
    if (!dma.visited.insert(static_cast<std::uint32_t>(address)).second) {
        throw KernelError(
            fmt::format("{}: expected a chain of descriptors that ends, found one that is a circle", caller()));
    }
    std::array<std::byte, DmaDescriptor::kBytes> bytes{};
    parts_.memory.read({false, node, address}, bytes);
    dma.descriptor = DmaDescriptor::decoded(bytes);
    const DmaDescriptor& descriptor = dma.descriptor;
    if (descriptor.inner_count == 0 || descriptor.outer_count == 0) {
        throw KernelError(fmt::format("{}: expected counts of 1 or more, found {} and {}", caller(),
                                      descriptor.inner_count, descriptor.outer_count));
    }
    check_extent(node, call + ", source", descriptor.source, descriptor.inner_source_stride,
                 descriptor.outer_source_stride, descriptor);
    check_extent(node, call + ", destination", descriptor.destination, descriptor.inner_destination_stride,
                 descriptor.outer_destination_stride, descriptor);
    const auto place_of = [&](std::uint32_t begin) {
        return parts_.addresses.place_of(node, begin, descriptor.element_bytes, call);
    };
    dma.reads = !place_of(descriptor.source).is_of(node);
    if (dma.reads && place_of(descriptor.destination).is_external) {
        throw KernelError(fmt::format(
            "{}: expected the memory of a core as the destination of what is read from elsewhere, found 0x{:08x}",
            caller(), descriptor.destination));
    }
    parts_.memory.set_dma_active(node, channel, true);
    dma.is_sending = false;
    dma.source = descriptor.source;
    dma.destination = descriptor.destination;
    dma.inner_left = descriptor.inner_count;
    dma.outer_left = descriptor.outer_count;
    dma.outstanding_reads = 0;
    dma.next_step = tick;
    schedule_step(node, channel, tick);
}

void DmaEngines::check_extent(NodeIndex node, std::string_view call, std::uint32_t address, int inner_stride,
                              int outer_stride, const DmaDescriptor& descriptor) const {
    // Strides run from the end of a row to the start of the next. Each row stays within the memory it begins in.
    const auto node_of = [&](std::int64_t element) {
        return parts_.addresses.place_of(node, static_cast<std::uint64_t>(element), descriptor.element_bytes, call)
            .node;
    };
    std::int64_t row = address;
    for (std::uint32_t outer = 0; outer < descriptor.outer_count; ++outer) {
        const std::int64_t last = row + std::int64_t{inner_stride} * (descriptor.inner_count - 1);
        const NodeIndex first_node = node_of(row);
        if (first_node != node_of(last)) {
            throw KernelError(fmt::format("{}: expected one memory, found 0x{:08x} to 0x{:08x}",
                                          parts_.cores.caller(node, call), row, last));
        }
        row = last + outer_stride;
    }
}

void DmaEngines::schedule_step(NodeIndex node, int channel, Tick tick) {
    Channel& dma = channel_of(node, channel);
    if (dma.step_is_due) {
        return;
    }
    dma.step_is_due = true;
    parts_.simulation.push(std::max(tick, dma.next_step), node, EpiphanySimulation::Action::dma_step,
                           static_cast<std::uint32_t>(channel_number(node, channel)));
}

void DmaEngines::step(std::uint32_t number, Tick tick) {
    const auto node = static_cast<NodeIndex>(number / kNumDmaChannels);
    const auto channel = static_cast<int>(number % kNumDmaChannels);
    channel_of(node, channel).step_is_due = false;
    step(node, channel, tick);
}

void DmaEngines::step(NodeIndex node, int channel, Tick tick) {
    Channel& dma = channel_of(node, channel);
    const DmaDescriptor& descriptor = dma.descriptor;
    if (dma.outer_left == 0) {
        finish_descriptor(node, channel, tick);
        return;
    }
    constexpr std::string_view kCall = "DMA";
    const std::size_t size = descriptor.element_bytes;
    const EpiphanyPlace source = parts_.addresses.place_of(node, dma.source, size, kCall);
    const EpiphanyPlace destination = parts_.addresses.place_of(node, dma.destination, size, kCall);
    const Tick write_interval = constants_.dma.has_throttling_erratum != 0 ? constants_.dma.erratum_write_interval_ticks
                                                                           : constants_.dma.write_interval_ticks;
    MeshTransaction transaction;
    transaction.is_dma = true;
    transaction.channel = static_cast<std::uint8_t>(channel);
    transaction.size = static_cast<std::uint8_t>(size);
    transaction.requester = node;
    if (!source.is_of(node)) {
        if (dma.outstanding_reads >= constants_.dma.outstanding_reads_max) {
            return;  // resumed by reply_arrived
        }
        transaction.kind = MeshTransaction::Kind::read;
        transaction.target = source;
        transaction.reply_to = destination;
        transaction.writes_before = parts_.writes.issued(node, source.node);
        ++dma.outstanding_reads;
        dma.next_step = tick + kTicksPerCycle;
        dma.is_sending = true;
        parts_.mesh.send(transaction, tick);
    } else {
        // Throttles the engine as a whole, not each channel.
        Tick& writes_from = engines_[node].writes_from;
        if (tick < writes_from) {
            schedule_step(node, channel, writes_from);
            return;
        }
        writes_from = tick + write_interval;
        dma.next_step = writes_from;
        const std::uint64_t value = parts_.memory.read_at(source, size, tick);
        const Tick ready = parts_.memory.take_bank(source, tick);
        if (destination.is_of(node)) {
            parts_.deliveries.land(node, destination, size, value, ready);
            schedule_step(node, channel, dma.next_step);
        } else {
            transaction.target = destination;
            transaction.data = value;
            parts_.writes.issue(node, destination.node);
            dma.is_sending = true;
            parts_.mesh.send(transaction, ready);
        }
    }
    if (--dma.inner_left > 0) {
        dma.source += static_cast<std::uint32_t>(descriptor.inner_source_stride);
        dma.destination += static_cast<std::uint32_t>(descriptor.inner_destination_stride);
    } else {
        --dma.outer_left;
        dma.inner_left = descriptor.inner_count;
        dma.source += static_cast<std::uint32_t>(descriptor.outer_source_stride);
        dma.destination += static_cast<std::uint32_t>(descriptor.outer_destination_stride);
    }
}

void DmaEngines::transaction_left(NodeIndex node, int channel, Tick tick) {
    channel_of(node, channel).is_sending = false;
    // The engine notices free space a cycle later.
    schedule_step(node, channel, tick + kTicksPerCycle);
}

void DmaEngines::reply_arrived(NodeIndex node, int channel, Tick tick) {
    Channel& dma = channel_of(node, channel);
    --dma.outstanding_reads;
    if (!dma.is_sending && parts_.memory.dma_is_active(node, channel)) {
        schedule_step(node, channel, tick);
    }
}

void DmaEngines::finish_descriptor(NodeIndex node, int channel, Tick tick) {
    const Channel& dma = channel_of(node, channel);
    if (dma.is_sending || (dma.outstanding_reads > 0 && dma.descriptor.waits_for_last_read)) {
        return;
    }
    if (dma.descriptor.chains) {
        begin_descriptor(node, channel, dma.descriptor.next, tick);
        return;
    }
    parts_.memory.set_dma_active(node, channel, false);
    parts_.polls.channel_finished(node, channel, tick);
    if (dma.descriptor.interrupts) {
        parts_.interrupts.request(node, tick);
    }
}

Cause DmaEngines::cause_of(const Channel& channel) {
    const bool is_external =
        channel.descriptor.source >= kExternalMemoryAddress || channel.descriptor.destination >= kExternalMemoryAddress;
    return is_external ? Cause::memory : channel.reads ? Cause::round_trip : Cause::link;
}

bool DmaEngines::poll(EpiphanyCore& core, std::string_view call, int channel) {
    const Tick begin = core.now();
    const std::uint64_t address =
        kDmaRegisterOffset + static_cast<std::uint64_t>(channel) * kDmaRegisterStride + kDmaStatusOffset;
    const std::uint64_t status = parts_.accesses.load(
        core, call, parts_.shape.global_address(core.identity().core, static_cast<std::uint32_t>(address)),
        sizeof(std::uint32_t), 0, CoreAccesses::ReadKind::load, cause_of(channel_of(core.identity().node, channel)));
    parts_.polls.polled(core, begin);
    core.spend(constants_.dma.poll_ticks);
    return status != kDmaIdle;
}

bool DmaEngines::skip_polls(EpiphanyCore& core, std::string_view call, int channel, Tick poll_begin) {
    const NodeIndex node = core.identity().node;
    const Channel& dma = channel_of(node, channel);
    if (parts_.interrupts.has_handler(core)) {
        return true;  // a poll may enter the handler at any time
    }
    core.synchronize();
    const bool is_undisturbed = parts_.polls.is_undisturbed(core);
    if (!parts_.memory.dma_is_active(node, channel) || dma.reads || !is_undisturbed) {
        return true;
    }
    parts_.polls.skip(core, call, channel, poll_begin, cause_of(dma));
    return parts_.memory.dma_is_active(node, channel);
}

}  // namespace nocbench
