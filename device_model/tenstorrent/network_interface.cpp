#include "device_model/tenstorrent/network_interface.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "device_model/noc/make_network.h"
#include "device_model/sim/narrow.h"
#include "device_model/tenstorrent/noc_parameters.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/transaction_record.h"

namespace nocbench {

namespace {

// Delay from the arrival of a response to the update of the NIU's counter.
constexpr Cycle kCounterUpdateCycles = 1;

constexpr std::string_view kHops = "hops between tiles";
constexpr std::string_view kPacketFlits = "flits of a packet";
constexpr std::uint32_t kEveryRequestChannel = (std::uint32_t{1} << kTorusVirtualChannels) - 1;

Topology topology_of(const DeviceState& state, int noc) {
    const Topology torus = unidirectional_torus(state.grid.columns(), state.grid.rows(), noc);
    return state.architecture.router.datelines != 0 ? torus : without_datelines(torus);
}

}  // namespace

NetworkInterfaces::NetworkInterfaces(DeviceState& state, int noc)
    : state_(state),
      noc_(noc),
      network_(make_network(state.architecture.accuracy, topology_of(state, noc),
                            noc_parameters(state.architecture, state.schedule), packets_, *this)),
      interfaces_(static_cast<std::size_t>(state.grid.num_nodes())),
      num_response_streams_(static_cast<int>(state.architecture.niu.concurrent_responses)) {
    const NiuConstants& niu = state.architecture.niu;
    const auto index = static_cast<std::size_t>(noc);
    source_ticks_per_data_flit_ = niu.source_ticks_per_data_flit[index];
    sink_ticks_per_data_flit_ = niu.sink_ticks_per_data_flit[index];
    for (int node = 0; node < state.grid.num_nodes(); ++node) {
        const auto node_index = static_cast<NodeIndex>(node);
        interfaces_[node_index].last_on_channel.fill(kNoTransaction);
        interfaces_[node_index].endpoint = &state.endpoint(state.memory_kind_of_node[node_index]);
        if (interfaces_[node_index].endpoint->has_controller) {
            network_->meter_data_flits(node_index);
        }
        network_->set_rates(node_index, source_ticks_per_data_flit_, sink_ticks_per_data_flit_,
                            niu.multicast_sink_ticks_per_data_flit[index]);
    }
}

int NetworkInterfaces::data_flits(std::uint32_t bytes) const {
    const auto flit_bytes = static_cast<std::uint32_t>(state_.architecture.router.flit_bytes);
    return static_cast<int>((bytes + flit_bytes - 1) / flit_bytes);
}

bool NetworkInterfaces::command_buffer_is_busy(NodeIndex node, int buffer) const {
    return interfaces_[node].buffer_busy[static_cast<std::size_t>(buffer)];
}

bool NetworkInterfaces::command_buffer_was_busy(NodeIndex node, int buffer, Cycle cycle) const {
    const auto index = static_cast<std::size_t>(buffer);
    return interfaces_[node].buffer_busy[index] || interfaces_[node].buffer_freed[index] > cycle;
}

std::uint32_t NetworkInterfaces::writes_sent_after(NodeIndex node, Cycle cycle, bool posted) const {
    return static_cast<std::uint32_t>(std::ranges::count_if(interfaces_[node].sent_writes, [&](const SentWrite& sent) {
        return sent.cycle > cycle && sent.posted == posted;
    }));
}

std::uint32_t NetworkInterfaces::writes_sent_after(NodeIndex node, Cycle cycle, std::uint8_t id) const {
    return static_cast<std::uint32_t>(std::ranges::count_if(
        interfaces_[node].sent_writes, [&](const SentWrite& sent) { return sent.cycle > cycle && sent.id == id; }));
}

void NetworkInterfaces::submit(TransactionId id, Tick tick) {
    Transaction& transaction = state_.transactions[id];
    Interface& interface = interfaces_[transaction.requestor];
    transaction.accepted = cycle_at_or_after(tick) + state_.architecture.niu.command_accept_cycles;
    interface.buffer_busy[transaction.command_buffer] = true;
    NiuCounters& counters = interface.counters;
    if (!transaction.posted) {
        counters.outstanding[transaction.id] += std::max<std::uint32_t>(1, transaction.num_receivers);
    }
    if (transaction.kind == TransactionKind::read) {
        ++counters.reads_sent;
    } else if (transaction.kind == TransactionKind::write) {
        ++counters.writes_outgoing[transaction.id];
    }
    // Sorts by time, not by order of calls: kernels run ahead of the network by different times.
    const auto is_earlier = [this](TransactionId left, TransactionId right) {
        const Transaction& one = state_.transactions[left];
        const Transaction& other = state_.transactions[right];
        return std::tie(one.accepted, one.command_buffer) < std::tie(other.accepted, other.command_buffer);
    };
    interface.commands.insert(std::ranges::upper_bound(interface.commands, id, is_earlier), id);
    network_->wake_interface(transaction.requestor, transaction.accepted);
}

void NetworkInterfaces::clear_outstanding(NodeIndex node, std::uint32_t ids) {
    NiuCounters& counters = interfaces_[node].counters;
    for (std::size_t id = 0; id < kNumTransactionIds; ++id) {
        if ((ids >> id & 1U) != 0) {
            counters.outstanding[id] = 0;
        }
    }
}

NetworkInterfaces::BufferWaiter& NetworkInterfaces::waiter(int buffer, const Risc& risc) {
    const Processor::Identity& identity = risc.identity();
    return interfaces_[identity.node]
        .waiters[static_cast<std::size_t>(buffer)][static_cast<std::size_t>(identity.processor)];
}

void NetworkInterfaces::wait_for_command_buffer(int buffer, const Risc& risc, Tick since) {
    waiter(buffer, risc) = {true, risc.identity().index, since};
}

Cycle NetworkInterfaces::interface_cycle(NodeIndex node, Cycle cycle) {
    Interface& interface = interfaces_[node];
    Cycle next = kNever;

    release_endpoint_flits(interface, cycle);
    if (interface.blocked_channels != 0) {
        update_blocking(node, interface, cycle);
    }
    if (cycle >= interface.writes_resume) {
        interface.writes_resume = kNever;
        network_->take_data_from(node, interface.write_channel);
    }
    next = std::min(next, interface.writes_resume);
    if (interface.blocked_channels != 0 && !interface.endpoint_commits.empty()) {
        next = std::min(next, interface.endpoint_commits.top());
    }

    end_reads(interface, cycle);
    while (!interface.commands.empty() && start_front_command(node, interface, cycle, next)) {
    }

    while (!interface.responses.empty()) {
        PendingResponse& response = interface.responses.front();
        const std::optional<int> stream = free_response_stream(node);
        if (response.ready > cycle) {
            next = std::min(next, response.ready);
            if (response.request_released > cycle) {
                next = std::min(next, response.request_released);
            } else if (stream) {
                release_request(node, interface, response, cycle);
            }
            break;
        }
        if (!stream) {
            break;
        }
        start_response(node, interface, *stream, cycle);
    }
    if (polls_ && (!interface.commands.empty() || !interface.responses.empty())) {
        next = std::min(next, cycle + 1);
    }
    return next;
}

void NetworkInterfaces::release_endpoint_flits(Interface& interface, Cycle cycle) {
    while (!interface.endpoint_commits.empty() && interface.endpoint_commits.top() <= cycle) {
        interface.endpoint_commits.pop();
        --interface.endpoint_flits_held;
    }
}

void NetworkInterfaces::end_reads(Interface& interface, Cycle cycle) const {
    while (!interface.reads_ending.empty() && interface.reads_ending.front().cycle <= cycle) {
        if (interface.outstanding_reads-- == state_.architecture.niu.outstanding_reads_max) {
            interface.window_opener = interface.reads_ending.front().times;
        }
        interface.reads_ending.pop_front();
    }
}

bool NetworkInterfaces::start_front_command(NodeIndex node, Interface& interface, Cycle cycle, Cycle& next) {
    const TransactionId id = interface.commands.front();
    Transaction& transaction = state_.transactions[id];
    const NiuConstants& niu = state_.architecture.niu;
    if (cycle < transaction.accepted) {
        next = std::min(next, transaction.accepted);
        return false;
    }
    // Unicast requests use the injection stream of their software VC, dynamic ones included: packets of one VC stay in
    // order. The other streams are for responses.
    const int stream = transaction.software_virtual_channel;
    if (interface.awaits_path) {
        // The next call of a chain gets its VC once the chain has its tree.
        transaction.start_cause = Cause::reservation;
        return false;
    }
    if (!network_->can_start_stream(node, stream)) {
        transaction.start_cause = Cause::link;
        return false;
    }
    const bool is_read = transaction.kind == TransactionKind::read;
    if (is_read) {
        if (interface.outstanding_reads >= niu.outstanding_reads_max) {
            transaction.start_cause = Cause::window;
            if (!interface.reads_ending.empty()) {
                next = std::min(next, interface.reads_ending.front().cycle);
            }
            return false;
        }
        const Tick gap = state_.endpoint(transaction.memory).same_responder_read_gap_ticks;
        if (interface.has_read && interface.last_read_responder == transaction.responder && transaction.names_tile &&
            ticks_from_cycles(transaction.accepted) - interface.last_read_tick < gap) {
            const Tick allowed =
                interface.last_read_tick + niu.same_responder_read_interval_ticks[static_cast<std::size_t>(noc_)];
            if (ticks_from_cycles(cycle + 1) <= allowed) {
                transaction.start_cause = Cause::issue;
                next = std::min(next, cycle_containing(allowed));
                return false;
            }
            interface.last_read_tick = std::max(allowed, ticks_from_cycles(cycle));
        } else {
            interface.last_read_tick = ticks_from_cycles(cycle);
        }
        interface.has_read = true;
        interface.last_read_responder = transaction.responder;
        ++interface.outstanding_reads;
        transaction.responder_busy_ticks = -interfaces_[transaction.responder].serving_reads.before(cycle);
        transaction.requestor_busy_ticks = -interface.receiving_reads.before(cycle);
    }

    transaction.started = cycle;
    Cycle start = cycle;
    if (transaction.kind == TransactionKind::write) {
        // Reads L1 ahead of the VC grant so that back-to-back packets leave no gap.
        if (!transaction.has_inline_data) {
            start = std::max(cycle, transaction.accepted + state_.architecture.l1.read_latency_cycles);
        }
        transaction.payload.resize(transaction.bytes);
        if (transaction.has_inline_data) {
            std::memcpy(transaction.payload.data(), &transaction.operand, transaction.bytes);
        } else {
            state_.memory(node).read(transaction.requestor_address, transaction.payload);
        }
    }
    network_->start_stream(node, stream, packets_.allocate(make_request(node, id)), start, 0);

    interface.commands.pop_front();
    interface.buffer_busy[transaction.command_buffer] = false;
    interface.buffer_freed[transaction.command_buffer] = cycle;
    resume_buffer_waiters(interface, transaction, cycle);
    interface.last_on_channel[static_cast<std::size_t>(stream)] = id;
    return true;
}

Packet NetworkInterfaces::make_request(NodeIndex node, TransactionId id) {
    const Transaction& transaction = state_.transactions[id];
    const bool carries_data = transaction.kind == TransactionKind::write;
    Packet packet;
    int flits = 1 + (carries_data ? data_flits(transaction.bytes) : 0);
    packet.source = node;
    packet.destination = transaction.responder;
    packet.kind = transaction.kind == TransactionKind::read ? PacketKind::read_request
                  : carries_data                            ? PacketKind::write_request
                                                            : PacketKind::atomic_request;
    packet.software_virtual_channel = transaction.software_virtual_channel;
    packet.is_static = !transaction.is_dynamic;
    packet.transaction = id;
    if (transaction.num_receivers != 0) {
        Interface& interface = interfaces_[node];
        packet.tree = transaction.tree;
        packet.reserves_path = !interface.holds_path;
        packet.keeps_path = transaction.linked;
        flits += packet.reserves_path ? 1 : 0;
        interface.holds_path = transaction.linked;
        interface.awaits_path = packet.reserves_path && packet.keeps_path;
    }
    packet.flits = narrow<std::uint16_t>(flits, kPacketFlits);
    return packet;
}

void NetworkInterfaces::resume_buffer_waiters(Interface& interface, const Transaction& command, Cycle cycle) {
    for (BufferWaiter& waiter : interface.waiters[command.command_buffer]) {
        if (!waiter.present) {
            continue;
        }
        waiter.present = false;
        Risc& risc = *state_.riscs[waiter.risc];
        if (!risc.is_waiting()) {
            continue;  // its wait has already ended otherwise
        }
        const Tick resumed = risc.command_buffer_freed(ticks_from_cycles(cycle));
        const Tick waited = resumed - waiter.since;
        const TransactionId ahead = interface.last_on_channel[command.software_virtual_channel];
        if (command.start_cause == Cause::link && ahead != kNoTransaction) {
            // Defers the booking: the speed of the packet ahead is known only when it arrives.
            state_.transactions[ahead].deferred_waits.push_back({risc.zone(), waiter.since, waited});
        } else if (command.start_cause == Cause::window) {
            state_.book_wait(risc.zone(), interface.window_opener, waiter.since, resumed, Cause::window);
        } else {
            state_.book(risc.zone(), command.start_cause, waited);
        }
        risc.resume_at(resumed);
    }
}

void NetworkInterfaces::stream_finished(NodeIndex node, int /*stream*/, PacketId packet_id, Cycle cycle) {
    const Packet& packet = packets_[packet_id];
    Interface& interface = interfaces_[node];
    if (packet.kind == PacketKind::write_request) {
        const Transaction& transaction = state_.transactions[packet.transaction];
        --interface.counters.writes_outgoing[transaction.id];
        interface.sent_writes[interface.next_sent_write] = {cycle, transaction.posted, transaction.id};
        interface.next_sent_write = (interface.next_sent_write + 1) % kSentWritesKept;
        if (transaction.posted) {
            ++interface.counters.posted_writes_sent;
        } else {
            ++interface.counters.writes_sent;
        }
        // The sender learns of the head's arrival only after the return trip.
        const Cycle word_back = transaction.response_hops * state_.architecture.router.hop_cycles;
        if (transaction.request_head + word_back > cycle) {
            TransactionTimes known = transaction.times();
            known.request_head = 0;
            known.backlog_until = 0;
            state_.notify_tile(node, ticks_from_cycles(cycle), &known);
        } else {
            state_.notify_tile(node, ticks_from_cycles(cycle), &transaction);
        }
    }
}

void NetworkInterfaces::stream_can_start(NodeIndex node, int /*stream*/, Cycle cycle) {
    const Interface& interface = interfaces_[node];
    const Cycle next = cycle + 1;
    if ((!interface.commands.empty() && state_.transactions[interface.commands.front()].accepted <= next) ||
        (!interface.responses.empty() &&
         std::min(interface.responses.front().ready, interface.responses.front().request_released) <= next)) {
        network_->wake_interface(node, next);
    }
}

void NetworkInterfaces::start_response(NodeIndex node, Interface& interface, int stream, Cycle cycle) {
    PendingResponse response = interface.responses.front();
    interface.responses.pop_front();
    release_request(node, interface, response, cycle);
    Transaction& transaction = state_.transactions[response.transaction];
    transaction.response_started = cycle;
    Packet packet;
    packet.source = node;
    packet.destination = transaction.requestor;
    packet.software_virtual_channel = kFirstResponseVirtualChannel;
    packet.is_static = false;
    packet.transaction = response.transaction;
    packet.flits = 1;
    switch (transaction.kind) {
        case TransactionKind::read:
            packet.kind = PacketKind::read_response;
            packet.flits = narrow<std::uint16_t>(1 + data_flits(transaction.bytes), kPacketFlits);
            transaction.payload.resize(transaction.bytes);
            state_.memory(node).read(transaction.responder_address, transaction.payload);
            // Short responses are served at the rate at which requests are accepted.
            interface.serving_reads.add(
                cycle, std::max(ticks_from_cycles(1) + transaction.data_flits * source_ticks_per_data_flit_,
                                ticks_from_cycles(transaction.service_expected - transaction.request_arrived)));
            break;
        case TransactionKind::write:
            packet.kind = PacketKind::write_ack;
            break;
        case TransactionKind::atomic_increment:
            packet.kind = PacketKind::atomic_response;
            break;
    }
    network_->start_stream(node, stream, packets_.allocate(packet), cycle, response.ticks_per_flit);
}

void NetworkInterfaces::add_response(NodeIndex node, const PendingResponse& response) {
    Interface& interface = interfaces_[node];
    // Breaks ties by request order, not by the order in which controllers were asked.
    const auto is_earlier = [this](const PendingResponse& left, const PendingResponse& right) {
        return std::pair(left.ready, state_.transactions[left.transaction].request_arrived) <
               std::pair(right.ready, state_.transactions[right.transaction].request_arrived);
    };
    interface.responses.insert(std::ranges::upper_bound(interface.responses, response, is_earlier), response);
    network_->wake_interface(node, std::min(response.ready, response.request_released));
}

void NetworkInterfaces::release_request(NodeIndex node, Interface& interface, PendingResponse& response, Cycle cycle) {
    if (std::exchange(response.holds_request, false)) {
        const int channel = state_.transactions[response.transaction].request_channel;
        --interface.request_channels[static_cast<std::size_t>(channel)].reads_in_service;
        interface.channels_in_service &= ~(std::uint32_t{1} << channel);
        update_blocking(node, interface, cycle);
    }
}

std::optional<int> NetworkInterfaces::free_response_stream(NodeIndex node) const {
    for (int stream = kFirstResponseVirtualChannel; stream < kFirstResponseVirtualChannel + num_response_streams_;
         ++stream) {
        if (network_->can_start_stream(node, stream)) {
            return stream;
        }
    }
    return std::nullopt;
}

void NetworkInterfaces::update_blocking(NodeIndex node, Interface& interface, Cycle cycle) {
    const std::uint32_t blocked = interface.endpoint_flits_held >= interface.endpoint->write_buffer_flits
                                      ? kEveryRequestChannel
                                      : interface.channels_in_service;
    for (std::uint32_t changed = blocked ^ interface.blocked_channels; changed != 0; changed &= changed - 1) {
        const int number = std::countr_zero(changed);
        RequestChannel& channel = interface.request_channels[static_cast<std::size_t>(number)];
        if ((blocked >> number & 1U) != 0) {
            channel.blocked_since = cycle;
        } else {
            channel.blocked_cycles += cycle - channel.blocked_since;
            channel.unblocked_at = cycle;
        }
    }
    if (blocked != interface.blocked_channels) {
        interface.blocked_channels = blocked;
        network_->block_request_ejection(node, blocked);
    }
}

TreeIndex NetworkInterfaces::find_tree(NodeIndex node, const MulticastRectangle& rectangle, bool includes_source) {
    const auto [place, is_new] = tree_indices_.try_emplace({node, rectangle, includes_source}, kNoTree);
    if (is_new) {
        const RouterConstants& router = state_.architecture.router;
        trees_.push_back(std::make_unique<MulticastTree>(
            multicast_tree(state_.grid, noc_, state_.grid.place_of_node(node), rectangle, includes_source)));
        const MulticastTree& tree = *trees_.back();
        place->second =
            network_->add_tree(tree.outputs, router.reservation_grant_cycles +
                                                 (tree.depth % 2 == 0 ? router.reservation_even_depth_cycles : 0));
    }
    return place->second;
}

TransactionId NetworkInterfaces::begin_part(NodeIndex node, TransactionId multicast) {
    const TransactionId id = state_.transactions.allocate();
    Transaction& part = state_.transactions[id];
    const Transaction& whole = state_.transactions[multicast];
    static_cast<TransactionTimes&>(part) = whole.times();
    part.requestor = whole.requestor;
    part.responder = node;
    part.bytes = whole.bytes;
    part.requestor_address = whole.requestor_address;
    part.responder_address = whole.responder_address;
    part.operand = whole.operand;
    part.id = whole.id;
    part.multicast = multicast;
    const MulticastTree& tree = *trees_[whole.tree];
    const auto place = std::ranges::lower_bound(tree.receivers, node) - tree.receivers.begin();
    part.request_hops = tree.hops[static_cast<std::size_t>(place)];
    part.response_hops = narrow<std::uint16_t>(
        state_.grid.hops(noc_, state_.grid.place_of_node(node), state_.grid.place_of_node(whole.requestor)), kHops);
    interfaces_[node].arriving_parts.push_back(id);
    return id;
}

TransactionId NetworkInterfaces::end_part_arrival(NodeIndex node, TransactionId multicast) {
    std::vector<TransactionId>& parts = interfaces_[node].arriving_parts;
    const auto found = std::ranges::find_if(
        parts, [&](TransactionId part) { return state_.transactions[part].multicast == multicast; });
    const TransactionId id = *found;
    parts.erase(found);
    return id;
}

void NetworkInterfaces::path_reserved(NodeIndex node, PacketId packet, Cycle requested, Cycle cycle) {
    Transaction& transaction = state_.transactions[packets_[packet].transaction];
    transaction.path_requested = requested;
    transaction.path_reserved = cycle;
    if (packets_[packet].keeps_path) {
        interfaces_[node].awaits_path = false;
        network_->wake_interface(node, cycle);
    }
}

void NetworkInterfaces::head_ejected(NodeIndex node, PacketId packet_id, int channel, Cycle cycle) {
    const Packet& packet = packets_[packet_id];
    const TransactionId id = packet.tree == kNoTree ? packet.transaction : begin_part(node, packet.transaction);
    Transaction& transaction = state_.transactions[id];
    switch (packet.kind) {
        case PacketKind::read_request:
        case PacketKind::write_request:
        case PacketKind::atomic_request:
            transaction.request_head = cycle;
            transaction.request_channel = static_cast<std::uint8_t>(channel);
            transaction.backlog_until = request_channel(node, channel).unblocked_at;
            transaction.responder_stall_cycles = -request_channel(node, channel).blocked_cycles;
            transaction.responder_busy_ticks += interfaces_[node].serving_reads.before(cycle);
            transaction.requestor_busy_ticks += interfaces_[transaction.requestor].receiving_reads.before(cycle);
            break;
        case PacketKind::read_response:
            interfaces_[node].receiving_reads.add(
                cycle, ticks_from_cycles(1) + transaction.data_flits * sink_ticks_per_data_flit_);
            transaction.response_head = cycle;
            break;
        case PacketKind::write_ack:
        case PacketKind::atomic_response:
            transaction.response_head = cycle;
            break;
    }
}

void NetworkInterfaces::data_flit_ejected(NodeIndex node, PacketId packet_id, int channel, Cycle cycle) {
    const Packet& packet = packets_[packet_id];
    if (packet.kind != PacketKind::write_request) {
        return;
    }
    Transaction& transaction = state_.transactions[packet.transaction];
    Interface& interface = interfaces_[node];
    const auto flit_bytes = static_cast<std::uint64_t>(state_.architecture.router.flit_bytes);
    const std::uint64_t burst_bytes = interface.endpoint->burst_bytes;
    const std::uint64_t address = transaction.responder_address + transaction.data_flits_received * flit_bytes;
    ++transaction.data_flits_received;
    const bool is_last = transaction.data_flits_received + 1 == packet.flits;
    const bool covers_bursts = transaction.responder_address % burst_bytes == 0 &&
                               (transaction.responder_address + transaction.bytes) % burst_bytes == 0;
    EndpointArrival arrival;
    arrival.cycle = cycle + state_.architecture.niu.ejection_cycles;
    arrival.node = node;
    arrival.noc = static_cast<std::uint8_t>(noc_);
    arrival.transaction = packet.transaction;
    arrival.controller = state_.controller(node, address);
    arrival.address = address;
    arrival.is_partial_burst = is_last && !covers_bursts;
    arrival.is_last = is_last;
    state_.endpoint_arrivals.push_back(arrival);
    release_endpoint_flits(interface, cycle);
    ++interface.endpoint_flits_held;
    update_blocking(node, interface, cycle);
    if (interface.blocked_channels != 0 && !interface.endpoint_commits.empty()) {
        network_->wake_interface(node, interface.endpoint_commits.top());
    }
    keep_write_together(node, interface, channel, is_last ? packet.flits - 1 : 0, cycle);
}

void NetworkInterfaces::keep_write_together(NodeIndex node, Interface& interface, int channel, int data_flits,
                                            Cycle cycle) {
    const bool is_last = data_flits != 0;
    const Cycle next_cycle = cycle + 1;
    if (channel != interface.last_write_channel) {
        interface.last_write_channel = channel;
        interface.writes_resume = interface.last_write_end + interface.endpoint->write_change_cycles *
                                                                 interface.last_write_flits /
                                                                 state_.architecture.router.max_packet_data_flits;
    }
    if (is_last) {
        interface.last_write_end = next_cycle;
        interface.last_write_flits = data_flits;
    }
    interface.write_channel = is_last ? kEveryChannel : channel;
    if (interface.writes_resume > next_cycle && interface.writes_resume != kNever) {
        network_->take_data_from(node, kNoChannel);
        network_->wake_interface(node, interface.writes_resume);
    } else {
        interface.writes_resume = kNever;
        network_->take_data_from(node, interface.write_channel);
    }
}

void NetworkInterfaces::add_endpoint_write(const EndpointArrival& arrival, const WriteService& service) {
    Interface& interface = interfaces_[arrival.node];
    interface.endpoint_commits.push(service.committed_cycle);
    if (interface.blocked_channels != 0) {
        network_->wake_interface(arrival.node, interface.endpoint_commits.top());
    }
    if (arrival.is_last) {
        const bool from_buffer = interface.endpoint->acknowledges_from_buffer;
        const Cycle latency = state_.architecture.l1.write_latency_cycles + interface.endpoint->write_latency_cycles;
        state_.transactions[arrival.transaction].service_expected = arrival.cycle + latency;
        const Cycle committed = (from_buffer ? arrival.cycle : service.begin_cycle) + latency;
        finish_write(arrival.node, arrival.transaction, committed, committed);
    }
}

void NetworkInterfaces::finish_write(NodeIndex node, TransactionId id, Cycle visible, Cycle acknowledged) {
    const auto place = static_cast<std::uint32_t>(node * kNumNocs + noc_);
    state_.events.push({ticks_from_cycles(visible), place, EventKind::commit_write, id, state_.skew_of_tile[node]});
    if (!state_.transactions[id].posted) {
        add_response(node, {acknowledged, id, 0});
    }
}

void NetworkInterfaces::add_endpoint_read(TransactionId id, Cycle arrival) {
    Transaction& transaction = state_.transactions[id];
    MemoryController& controller =
        state_.controllers[state_.controller(transaction.responder, transaction.responder_address)];
    Interface& interface = interfaces_[transaction.responder];
    const Tick passed_on = std::max(ticks_from_cycles(arrival), interface.next_endpoint_read);
    interface.next_endpoint_read = passed_on + interface.endpoint->read_request_interval_ticks;
    const Cycle at_controller = cycle_at_or_after(passed_on);
    const ReadService service = std::visit(
        [&](auto& one) {
            return one.read(transaction.responder_address, data_flits(transaction.bytes), at_controller);
        },
        controller);
    transaction.service_expected = service.expected_cycle - (at_controller - arrival);
    add_response(transaction.responder, {service.first_data_cycle, id, service.ticks_per_flit, true});
}

void NetworkInterfaces::packet_ejected(NodeIndex node, PacketId packet_id, int channel, Cycle cycle) {
    Packet packet = packets_[packet_id];
    if (packet.tree == kNoTree) {
        packets_.release(packet_id);
    } else {
        if (--state_.transactions[packet.transaction].ejections_missing == 0) {
            packets_.release(packet_id);
        }
        packet.transaction = end_part_arrival(node, packet.transaction);
    }
    Transaction& transaction = state_.transactions[packet.transaction];
    Interface& interface = interfaces_[node];
    const TorusArchitecture& architecture = state_.architecture;
    const Cycle in_interface = cycle + architecture.niu.ejection_cycles;
    const Cycle visible = in_interface + architecture.l1.write_visible_cycles;
    const Cycle in_l1 = in_interface + architecture.l1.write_latency_cycles;
    const auto complete_at = [&](Cycle completed) {
        const auto place = static_cast<std::uint32_t>(node * kNumNocs + noc_);
        state_.events.push({ticks_from_cycles(completed), place, EventKind::complete_transaction, packet.transaction,
                            state_.skew_of_tile[node]});
    };

    switch (packet.kind) {
        case PacketKind::write_request:
            transaction.request_arrived = cycle;
            transaction.responder_stall_cycles += request_channel(node, channel).blocked_cycles;
            if (!interface.endpoint->has_controller) {
                transaction.service_expected = in_l1;
                finish_write(node, packet.transaction, visible, transaction.service_expected);
            }
            break;
        case PacketKind::read_request:
            transaction.request_arrived = cycle;
            if (++request_channel(node, channel).reads_in_service ==
                interface.endpoint->read_requests_per_virtual_channel_max) {
                interface.channels_in_service |= std::uint32_t{1} << channel;
                update_blocking(node, interface, cycle);
            }
            if (interface.endpoint->has_controller) {
                EndpointArrival arrival;
                arrival.cycle =
                    in_interface + architecture.niu.read_turnaround_cycles + architecture.l1.read_latency_cycles;
                arrival.node = node;
                arrival.noc = static_cast<std::uint8_t>(noc_);
                arrival.transaction = packet.transaction;
                arrival.is_read = true;
                state_.endpoint_arrivals.push_back(arrival);
            } else {
                transaction.service_expected =
                    in_interface + architecture.niu.read_turnaround_cycles + architecture.l1.read_latency_cycles;
                add_response(node, {transaction.service_expected, packet.transaction, 0, true,
                                    in_interface + architecture.niu.read_request_hold_cycles});
            }
            break;
        case PacketKind::atomic_request:
            transaction.request_arrived = cycle;
            transaction.service_expected = in_interface + architecture.l1.atomic_latency_cycles;
            finish_write(node, packet.transaction, visible, transaction.service_expected);
            break;
        case PacketKind::read_response:
            transaction.response_arrived = cycle;
            complete_at(in_l1);
            interface.reads_ending.push_back({in_l1, transaction.times()});
            end_reads(interface, cycle);
            if (interface.outstanding_reads >= architecture.niu.outstanding_reads_max) {
                network_->wake_interface(node, interface.reads_ending.front().cycle);
            }
            break;
        case PacketKind::write_ack:
        case PacketKind::atomic_response:
            transaction.response_arrived = cycle;
            complete_at(in_interface + kCounterUpdateCycles);
            break;
    }
}

void NetworkInterfaces::commit_write(TransactionId id, Tick tick) {
    Transaction& transaction = state_.transactions[id];
    if (transaction.kind == TransactionKind::atomic_increment) {
        Memory& memory = state_.memory(transaction.responder);
        std::uint32_t word = 0;
        memory.read(transaction.responder_address, std::as_writable_bytes(std::span(&word, 1)));
        word += transaction.operand;
        memory.write(transaction.responder_address, std::as_bytes(std::span(&word, 1)));
    } else {
        const bool is_part = transaction.multicast != kNoTransaction;
        const Transaction& carrier = is_part ? state_.transactions[transaction.multicast] : transaction;
        state_.deliver({TransactionKind::write, noc_, transaction.requestor, transaction.responder,
                        transaction.requestor_address, transaction.responder_address, carrier.payload, tick});
    }
    state_.notify_tile(transaction.responder, tick, &transaction);
    if (transaction.posted) {
        finish_transaction(id);
    }
}

void NetworkInterfaces::complete(TransactionId id, Tick tick) {
    Transaction& transaction = state_.transactions[id];
    Interface& interface = interfaces_[transaction.requestor];
    if (std::uint32_t& outstanding = interface.counters.outstanding[transaction.id]; outstanding > 0) {
        --outstanding;  // unless software has cleared it
    }
    switch (transaction.kind) {
        case TransactionKind::read:
            state_.deliver({TransactionKind::read, noc_, transaction.responder, transaction.requestor,
                            transaction.responder_address, transaction.requestor_address, transaction.payload, tick});
            ++interface.counters.reads_completed;
            break;
        case TransactionKind::write:
            ++interface.counters.writes_acknowledged;
            break;
        case TransactionKind::atomic_increment:
            ++interface.counters.atomics_completed;
            break;
    }
    state_.notify_tile(transaction.requestor, tick, &transaction);
    if (transaction.multicast != kNoTransaction) {
        finish_part(id);
    } else {
        finish_transaction(id);
    }
}

void NetworkInterfaces::finish_part(TransactionId id) {
    const TransactionId multicast = state_.transactions[id].multicast;
    Transaction& whole = state_.transactions[multicast];
    if (--whole.receivers_missing == 0) {
        static_cast<TransactionTimes&>(whole) = state_.transactions[id].times();
        whole.responder = state_.transactions[id].responder;
        finish_transaction(multicast);
    }
    state_.transactions.release(id);
}

void NetworkInterfaces::finish_transaction(TransactionId id) {
    Transaction& transaction = state_.transactions[id];
    state_.resolve_deferred_waits(transaction);
    if (state_.observers.finished) {
        state_.observers.finished(record_of(transaction));
    }
    for (TransactionId& last : interfaces_[transaction.requestor].last_on_channel) {
        if (last == id) {
            last = kNoTransaction;
        }
    }
    state_.transactions.release(id);
}

}  // namespace nocbench
