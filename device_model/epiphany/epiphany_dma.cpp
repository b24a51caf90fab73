// DMA engines of Epiphany cores: two channels that process chains of descriptors element by element.
#include <fmt/format.h>

#include <algorithm>

#include "device_model/epiphany/epiphany_state.h"
#include "device_model/sim/error.h"

namespace nocbench {

void EpiphanyState::start_dma(EpiphanyCore& core, std::string_view call, int channel, std::uint64_t address) {
    const NodeIndex index = core.identity().node;
    const auto channels = std::min<std::int64_t>(constants_.dma.channels, kNumDmaChannels);
    if (channel < 0 || channel >= channels) {
        throw KernelError(
            fmt::format("{}: expected a channel of 0 to {}, found {}", caller(index, call), channels - 1, channel));
    }
    core.synchronize();
    DmaChannel& dma = nodes_[index].dma[static_cast<std::size_t>(channel)];
    if (dma.is_active) {
        throw KernelError(
            fmt::format("{}: expected DMA channel {} to be idle, found it at work", caller(index, call), channel));
    }
    dma.visited.clear();
    begin_descriptor(index, channel, address, core.now());
}

void EpiphanyState::begin_descriptor(NodeIndex index, int channel, std::uint64_t address, Tick tick) {
    DmaChannel& dma = nodes_[index].dma[static_cast<std::size_t>(channel)];
    const std::string call = fmt::format("DMA channel {}, descriptor at 0x{:04x}", channel, address);
    const auto memory_bytes = static_cast<std::uint64_t>(constants_.core.memory_bytes);
    if (address % 8 != 0 || address + DmaDescriptor::kBytes > memory_bytes) {
        throw KernelError(fmt::format(
            "{}: expected a descriptor of {} bytes within the core's memory, 0x0 to 0x{:x}, at a multiple of 8",
            caller(index, call), DmaDescriptor::kBytes, memory_bytes - 1));
    }
    if (!dma.visited.insert(static_cast<std::uint32_t>(address)).second) {
        throw KernelError(fmt::format("{}: expected a chain of descriptors that ends, found one that is a circle",
                                      caller(index, call)));
    }
    std::array<std::byte, DmaDescriptor::kBytes> bytes{};
    read_bytes(nodes_[index], address, bytes);
    dma.descriptor = DmaDescriptor::decoded(bytes);
    const DmaDescriptor& descriptor = dma.descriptor;
    if (descriptor.inner_count == 0 || descriptor.outer_count == 0) {
        throw KernelError(fmt::format("{}: expected counts of 1 or more, found {} and {}", caller(index, call),
                                      descriptor.inner_count, descriptor.outer_count));
    }
    check_extent(index, call + ", source", descriptor.source, descriptor.inner_source_stride,
                 descriptor.outer_source_stride, descriptor);
    check_extent(index, call + ", destination", descriptor.destination, descriptor.inner_destination_stride,
                 descriptor.outer_destination_stride, descriptor);
    dma.reads = !is_own(index, place_of(index, descriptor.source, descriptor.element_bytes, call));
    if (dma.reads && place_of(index, descriptor.destination, descriptor.element_bytes, call).is_external) {
        throw KernelError(fmt::format(
            "{}: expected the memory of a core as the destination of what is read from elsewhere, found 0x{:08x}",
            caller(index, call), descriptor.destination));
    }
    dma.is_active = true;
    dma.is_sending = false;
    dma.source = descriptor.source;
    dma.destination = descriptor.destination;
    dma.inner_left = descriptor.inner_count;
    dma.outer_left = descriptor.outer_count;
    dma.outstanding_reads = 0;
    dma.next_step = tick;
    schedule_dma_step(index, channel, tick);
}

bool EpiphanyState::is_own(NodeIndex index, const Place& place) { return !place.is_external && place.node == index; }

void EpiphanyState::check_extent(NodeIndex index, std::string_view call, std::uint32_t address, int inner_stride,
                                 int outer_stride, const DmaDescriptor& descriptor) const {
    // Strides run from the end of a row to the start of the next. Each row stays within the memory it begins in.
    std::int64_t row = address;
    for (std::uint32_t outer = 0; outer < descriptor.outer_count; ++outer) {
        const std::int64_t last = row + std::int64_t{inner_stride} * (descriptor.inner_count - 1);
        const Place first_place = place_of(index, static_cast<std::uint64_t>(row), descriptor.element_bytes, call);
        const Place last_place = place_of(index, static_cast<std::uint64_t>(last), descriptor.element_bytes, call);
        if (first_place.node != last_place.node) {
            throw KernelError(
                fmt::format("{}: expected one memory, found 0x{:08x} to 0x{:08x}", caller(index, call), row, last));
        }
        row = last + outer_stride;
    }
}

void EpiphanyState::schedule_dma_step(NodeIndex index, int channel, Tick tick) {
    DmaChannel& dma = nodes_[index].dma[static_cast<std::size_t>(channel)];
    if (dma.step_is_due) {
        return;
    }
    dma.step_is_due = true;
    push_event(std::max(tick, dma.next_step), EventKind::complete_transaction, index, Action::dma_step,
               static_cast<std::uint32_t>(index * kNumDmaChannels + static_cast<std::size_t>(channel)));
}

/// Transfers one element, or ends the descriptor.
void EpiphanyState::dma_step(NodeIndex index, int channel, Tick tick) {
    DmaChannel& dma = nodes_[index].dma[static_cast<std::size_t>(channel)];
    const DmaDescriptor& descriptor = dma.descriptor;
    if (dma.outer_left == 0) {
        finish_descriptor(index, channel, tick);
        return;
    }
    constexpr std::string_view kCall = "DMA";
    const std::size_t size = descriptor.element_bytes;
    const Place source = place_of(index, dma.source, size, kCall);
    const Place destination = place_of(index, dma.destination, size, kCall);
    const Tick write_interval = constants_.dma.has_throttling_erratum != 0 ? constants_.dma.erratum_write_interval_ticks
                                                                           : constants_.dma.write_interval_ticks;
    MeshTransaction transaction;
    transaction.is_dma = true;
    transaction.channel = static_cast<std::uint8_t>(channel);
    transaction.size = static_cast<std::uint8_t>(size);
    transaction.requester = index;
    if (!is_own(index, source)) {
        if (dma.outstanding_reads >= constants_.dma.outstanding_reads_max) {
            return;  // resumed by dma_reply_arrived
        }
        transaction.kind = MeshTransaction::Kind::read;
        transaction.target = source;
        transaction.reply_node = destination.node;
        transaction.reply_offset = destination.offset;
        transaction.writes_before = writes(index, source.node).issued;
        ++dma.outstanding_reads;
        dma.next_step = tick + kTicksPerCycle;
        dma.is_sending = true;
        send(Plane::read_request, index, MeshPort::dma, source.node, transactions_.allocate(transaction), tick);
    } else {
        // Throttles the engine as a whole, not each channel.
        Tick& writes_from = nodes_[index].dma_writes_from;
        if (tick < writes_from) {
            schedule_dma_step(index, channel, writes_from);
            return;
        }
        writes_from = tick + write_interval;
        dma.next_step = writes_from;
        announce_read(source, size, tick);
        const std::uint64_t value = read_word(source, size);
        const Tick ready = take_bank(index, source.offset, tick);
        if (is_own(index, destination)) {
            land(index, destination, size, value, ready);
            schedule_dma_step(index, channel, dma.next_step);
        } else {
            transaction.target = destination;
            transaction.data = value;
            ++writes(index, destination.node).issued;
            dma.is_sending = true;
            send(destination.is_external ? Plane::off_chip_write : Plane::on_chip_write, index, MeshPort::dma,
                 destination.node, transactions_.allocate(transaction), ready);
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

void EpiphanyState::dma_transaction_left(NodeIndex index, int channel, Tick tick) {
    nodes_[index].dma[static_cast<std::size_t>(channel)].is_sending = false;
    // The engine notices free space a cycle later.
    schedule_dma_step(index, channel, tick + kTicksPerCycle);
}

void EpiphanyState::dma_reply_arrived(NodeIndex index, int channel, Tick tick) {
    DmaChannel& dma = nodes_[index].dma[static_cast<std::size_t>(channel)];
    --dma.outstanding_reads;
    if (!dma.is_sending && dma.is_active) {
        schedule_dma_step(index, channel, tick);
    }
}

void EpiphanyState::finish_descriptor(NodeIndex index, int channel, Tick tick) {
    DmaChannel& dma = nodes_[index].dma[static_cast<std::size_t>(channel)];
    if (dma.is_sending || (dma.outstanding_reads > 0 && dma.descriptor.waits_for_last_read)) {
        return;
    }
    if (dma.descriptor.chains) {
        begin_descriptor(index, channel, dma.descriptor.next, tick);
        return;
    }
    dma.is_active = false;
    const Node& node = nodes_[index];
    if (node.polled_channel == channel) {
        // The first poll to read the register after now may already have begun.
        resume_polls(index, tick - node.status_delay, node.poll_period);
    }
    if (dma.descriptor.interrupts) {
        request_interrupt(index, tick);
    }
}

Cause EpiphanyState::cause_of_dma(NodeIndex index, int channel) const {
    const DmaChannel& dma = nodes_[index].dma[static_cast<std::size_t>(channel)];
    const bool is_external =
        dma.descriptor.source >= kExternalMemoryAddress || dma.descriptor.destination >= kExternalMemoryAddress;
    return is_external ? Cause::memory : dma.reads ? Cause::round_trip : Cause::link;
}

bool EpiphanyState::poll_dma(EpiphanyCore& core, std::string_view call, int channel) {
    const Tick begin = core.now();
    const std::uint64_t address =
        kDmaRegisterOffset + static_cast<std::uint64_t>(channel) * kDmaRegisterStride + kDmaStatusOffset;
    const NodeIndex index = core.identity().node;
    const std::uint64_t status =
        load(core, call, global_address(core.identity().core, static_cast<std::uint32_t>(address)),
             sizeof(std::uint32_t), 0, ReadKind::load, cause_of_dma(index, channel));
    nodes_[index].status_delay = nodes_[index].status_tick - begin;
    core.spend(constants_.dma.poll_ticks);
    return status != kDmaIdle;
}

bool EpiphanyState::skip_polls(EpiphanyCore& core, std::string_view call, int channel, Tick poll_begin) {
    const NodeIndex index = core.identity().node;
    Node& node = nodes_[index];
    const DmaChannel& dma = node.dma[static_cast<std::size_t>(channel)];
    if (node.interrupt_handler) {
        return true;  // a poll may enter the handler at any time
    }
    core.synchronize();
    const bool was_undisturbed = node.reads_of_others == node.reads_of_others_before;
    node.reads_of_others_before = node.reads_of_others;
    if (!dma.is_active || dma.reads || !was_undisturbed) {
        return true;
    }
    node.polled_channel = channel;
    node.polls_since = core.now();
    node.poll_period = core.now() - poll_begin;
    core.stall({call, "the DMA channel to finish", 0}, cause_of_dma(index, channel));
    return dma.is_active;
}

void EpiphanyState::resume_polls(NodeIndex index, Tick tick, Tick after) {
    Node& node = nodes_[index];
    if (node.polled_channel < 0) {
        return;
    }
    node.polled_channel = -1;
    core_of(node).release(next_of_period(node.polls_since, node.poll_period, tick) + after);
}

}  // namespace nocbench
