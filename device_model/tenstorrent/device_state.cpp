#include "device_model/tenstorrent/device_state.h"

#include <algorithm>

#include "device_model/tenstorrent/checks/bounds_check.h"
#include "device_model/tenstorrent/checks/perturbation.h"
#include "device_model/tenstorrent/checks/race_check.h"
#include "device_model/tenstorrent/checks/sync_check.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "device_model/tenstorrent/noc_parameters.h"
#include "device_model/tenstorrent/risc.h"

namespace nocbench {

namespace {

// Ratio of actual to ideal stream time above which something other than the link limited the stream.
constexpr Tick kStallNumerator = 5;
constexpr Tick kStallDenominator = 4;

}  // namespace

DeviceState::DeviceState(TorusArchitecture architecture_, TorusBoard board_, Cycle window_cycles_max)
    : architecture(std::move(architecture_)),
      board(std::move(board_)),
      grid(architecture, board),
      schedule(window_schedule(architecture, board, grid, window_cycles_max)),
      skew_of_tile(static_cast<std::size_t>(grid.num_nodes())),
      memory_kind_of_node(static_cast<std::size_t>(grid.num_nodes()), MemoryKind::l1),
      tile_memory(static_cast<std::size_t>(grid.num_nodes())),
      dram_group_of_node(static_cast<std::size_t>(grid.num_nodes()), -1),
      leaving_data(*this),
      bytes_delivered(static_cast<std::size_t>(grid.num_nodes())),
      riscs_of_nodes(static_cast<std::size_t>(grid.num_nodes() * architecture.num_all_riscs()), -1) {
    std::ranges::transform(schedule.skew_cycles, skew_of_tile.begin(), ticks_from_cycles);
    for (const MemoryKind kind : {MemoryKind::l1, MemoryKind::dram, MemoryKind::host}) {
        endpoints[static_cast<std::size_t>(kind)] = memory_endpoint(kind, architecture, board);
    }
    for (std::size_t channel = 0; channel < architecture.dram.channel_tiles.size(); ++channel) {
        // Channels that share tiles differ in their addresses.
        for (const PhysicalCoordinate tile : architecture.dram.channel_tiles[channel]) {
            const auto node = static_cast<std::size_t>(grid.node_index(tile));
            if (grid.tile_kind(tile) == TileKind::dram) {  // not harvested
                memory_kind_of_node[node] = MemoryKind::dram;
            }
            int& group = dram_group_of_node[node];
            group = group < 0 ? static_cast<int>(channel) : group;
        }
    }
    dram_memory.resize(architecture.dram.channel_tiles.size());
    for (std::size_t bank = 0; bank < grid.dram_banks().size(); ++bank) {
        controllers.emplace_back(
            DramController(architecture.dram, board.memory_constants, architecture.router.flit_bytes));
    }
    if (const std::optional<PhysicalCoordinate> tile = grid.host_tile()) {
        memory_kind_of_node[static_cast<std::size_t>(grid.node_index(*tile))] = MemoryKind::host;
        controllers.emplace_back(HostLink(architecture, board));
    }
    for (int noc = 0; noc < architecture.num_nocs(); ++noc) {
        interfaces.push_back(std::make_unique<NetworkInterfaces>(*this, noc));
    }
}

Memory& DeviceState::memory(NodeIndex node) {
    const int group = dram_group_of_node[node];
    return group >= 0 ? dram_memory[static_cast<std::size_t>(group)] : tile_memory[node];
}

Memory& DeviceState::memory(const DramBank& bank) {
    return memory(static_cast<NodeIndex>(grid.node_index(bank.endpoint.front())));
}

void DeviceState::write_memory(NodeIndex node, std::uint64_t address, std::span<const std::byte> bytes, Tick tick) {
    leaving_data.before_write(node, address, bytes.size(), tick);
    memory(node).write(address, bytes);
}

void DeviceState::deliver(const Delivery& delivery) {
    bytes_delivered[delivery.destination] += delivery.bytes.size();
    if (observers.tamper) {
        std::vector<std::byte> bytes(delivery.bytes.begin(), delivery.bytes.end());
        observers.tamper(delivery, bytes);
        Delivery tampered = delivery;
        tampered.bytes = bytes;
        write_memory(delivery.destination, delivery.destination_address, bytes, delivery.tick);
        if (observers.delivered) {
            observers.delivered(tampered);
        }
        return;
    }
    write_memory(delivery.destination, delivery.destination_address, delivery.bytes, delivery.tick);
    if (observers.delivered) {
        observers.delivered(delivery);
    }
}

std::uint32_t DeviceState::controller(NodeIndex node, std::uint64_t address) const {
    const std::span<const DramBank> banks = grid.dram_banks();
    if (memory_kind_of_node[node] == MemoryKind::host) {
        return static_cast<std::uint32_t>(banks.size());
    }
    std::uint32_t found = 0;
    for (std::uint32_t bank = 0; bank < banks.size(); ++bank) {
        const auto endpoint = static_cast<std::size_t>(grid.node_index(banks[bank].endpoint.front()));
        if (dram_group_of_node[endpoint] == dram_group_of_node[node] &&
            static_cast<std::uint64_t>(banks[bank].offset_bytes) <= address) {
            found = bank;
            if (address < static_cast<std::uint64_t>(banks[bank].offset_bytes + architecture.dram.bank_size_bytes)) {
                break;
            }
        }
    }
    return found;
}

void DeviceState::book(const ZoneReference& zone, Cause cause, Tick ticks) {
    riscs[zone.risc]->book(zone.zone, cause, ticks);
}

Cycle DeviceState::unhindered_request_head(const TransactionTimes& times) const {
    if (times.path_reserved != 0) {
        return times.path_reserved + times.request_hops * architecture.router.hop_cycles;
    }
    return times.started + architecture.niu.injection_cycles + times.request_hops * architecture.router.hop_cycles +
           (times.kind == TransactionKind::write ? architecture.l1.read_latency_cycles : 0);
}

Cycle DeviceState::own_acknowledgement_delay(const TransactionTimes& times) const {
    const Tick unhindered = times.data_flits * architecture.niu.multicast_sink_ticks_per_data_flit[times.noc];
    const Cycle delay = times.request_arrived - times.request_head - cycle_at_or_after(unhindered);
    return std::clamp<Cycle>(delay, 0, times.num_receivers);
}

Tick DeviceState::reservation_share(const TransactionTimes& times, Tick ticks) {
    const Cycle reservation = times.path_reserved - times.path_requested;
    return times.path_reserved == 0 ? 0 : ticks * reservation / (reservation + times.data_flits + 1);
}

Cause DeviceState::read_queue_cause(const TransactionTimes& times) const {
    const Tick waited = ticks_from_cycles(times.request_head - unhindered_request_head(times));
    const Tick busy = std::max(times.responder_busy_ticks, times.requestor_busy_ticks);
    const bool is_slow = waited * kStallDenominator > busy * kStallNumerator + ticks_from_cycles(8);
    return is_slow ? Cause::contention : Cause::link;
}

Cause DeviceState::request_stream_cause(const TransactionTimes& times) const {
    if (times.kind == TransactionKind::read) {
        // Single-flit requests queue only behind a slow responder.
        return endpoint(times.memory).has_controller ? endpoint(times.memory).cause : read_queue_cause(times);
    }
    const Cycle duration = times.request_arrived - times.request_head;
    if (endpoint(times.memory).has_controller &&
        (times.responder_stall_cycles * 20 > duration || times.backlog_until > unhindered_request_head(times))) {
        return endpoint(times.memory).cause;
    }
    const Tick expected = times.data_flits * architecture.niu.source_ticks_per_data_flit[times.noc];
    return ticks_from_cycles(duration - own_acknowledgement_delay(times)) * kStallDenominator >
                   expected * kStallNumerator + ticks_from_cycles(8)
               ? Cause::contention
               : Cause::link;
}

void DeviceState::book_wait(const ZoneReference& zone, const TransactionTimes& times, Tick from, Tick to,
                            Cause transit) {
    const bool is_read = times.kind == TransactionKind::read;
    Tick booked = from;
    // Books the time from the end of the previous phase to `end`.
    const auto phase = [&](Cycle end, Cause cause) {
        const Tick until = std::min(ticks_from_cycles(end), to);
        if (until > booked) {
            book(zone, cause, until - booked);
            booked = until;
        }
    };
    const RouterConstants& router = architecture.router;
    const NiuConstants& niu = architecture.niu;
    const MemoryEndpoint& memory = endpoint(times.memory);
    const Cause service = memory.has_controller ? memory.cause : is_read ? read_queue_cause(times) : Cause::acks;

    phase(times.accepted, transit);
    phase(times.started, times.start_cause == Cause::link ? request_stream_cause(times) : times.start_cause);
    if (times.path_reserved != 0) {
        phase(
            std::min(times.path_requested, times.started + niu.injection_cycles + architecture.l1.read_latency_cycles),
            transit);
        // Time behind earlier multicasts, which waited for the same things.
        const Tick behind = std::max<Tick>(0, std::min(ticks_from_cycles(times.path_requested), to) - booked);
        phase(cycle_containing(booked + reservation_share(times, behind)), Cause::reservation);
        phase(times.path_requested, Cause::link);
        phase(times.path_reserved, Cause::reservation);
    }
    phase(std::min(unhindered_request_head(times), times.request_head), transit);
    // Requests wait on the way for a responder that refuses them, or for other packets.
    phase(std::min(times.backlog_until, times.request_head), service);
    phase(times.request_head, Cause::contention);
    phase(times.request_arrived - own_acknowledgement_delay(times), request_stream_cause(times));
    phase(times.request_arrived, Cause::acks);
    if (memory.has_controller) {
        const Cycle beyond_l1 = is_read ? memory.read_latency_cycles : memory.write_latency_cycles;
        phase(times.service_expected - beyond_l1, transit);
        phase(times.service_expected, memory.cause);
    } else {
        phase(times.service_expected, transit);
    }
    phase(times.response_started, service);
    const Cycle unhindered_response =
        times.response_started + niu.injection_cycles + times.response_hops * router.hop_cycles;
    phase(std::min(unhindered_response, times.response_head), transit);
    phase(times.response_head, is_read ? Cause::link : Cause::acks);
    if (is_read) {
        const Tick duration = ticks_from_cycles(times.response_arrived - times.response_head);
        // A responder interleaves its responses.
        const Tick expected = times.data_flits * niu.source_ticks_per_data_flit[times.noc] * niu.concurrent_responses;
        const bool is_slow = duration * kStallDenominator > expected * kStallNumerator + ticks_from_cycles(8);
        phase(times.response_arrived, memory.has_controller ? memory.cause : is_slow ? Cause::contention : Cause::link);
    }
    if (to > booked) {
        book(zone, transit, to - booked);
    }
}

void DeviceState::resolve_deferred_waits(Transaction& transaction) {
    if (transaction.deferred_waits.empty()) {
        return;
    }
    const Cause cause = request_stream_cause(transaction);
    for (const DeferredWait& wait : transaction.deferred_waits) {
        const Tick reserving = reservation_share(transaction, wait.ticks);
        const Tick streaming = wait.ticks - reserving;
        const Cycle duration = transaction.request_arrived - transaction.request_head + 1;
        const Tick delayed = streaming * own_acknowledgement_delay(transaction) / duration;
        Tick begin = wait.begin;
        for (const auto& [part_cause, ticks] :
             {std::pair{Cause::reservation, reserving}, std::pair{Cause::acks, delayed},
              std::pair{cause, streaming - delayed}}) {
            if (ticks != 0) {
                riscs[wait.zone.risc]->book_deferred({wait.zone, begin, ticks}, part_cause);
            }
            begin += ticks;
        }
    }
    transaction.deferred_waits.clear();
}

Tick DeviceState::polled_share(NodeIndex node, Tick tick) const {
    Tick share = 0;
    for (const int risc : riscs_of_node(node)) {
        const Tick period = risc >= 0 ? riscs[static_cast<std::size_t>(risc)]->l1_poll_period(tick) : 0;
        share += period > 0 ? kTicksPerCycle * architecture.l1.poll_ticks / period : 0;
    }
    return share;
}

void DeviceState::notify_tile(NodeIndex node, Tick tick, const TransactionTimes* times) {
    for (const int risc : riscs_of_node(node)) {
        if (risc >= 0) {
            riscs[static_cast<std::size_t>(risc)]->notify(tick, times);
        }
    }
}

}  // namespace nocbench
