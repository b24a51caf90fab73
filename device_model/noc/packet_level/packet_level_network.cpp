#include "device_model/noc/packet_level/packet_level_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "device_model/noc/bits.h"
#include "device_model/sim/error.h"

namespace nocbench {

namespace {

using network_detail::at;
using network_detail::for_each_bit;

constexpr std::uint64_t kOneFlitPerCycle = ~std::uint64_t{0};  // of FlitsRead::recent

}  // namespace

PacketLevelNetwork::PacketLevelNetwork(const Topology& topology, const NetworkParameters& parameters,
                                       PacketPool& packets, NetworkClient& client)
    : topology_(topology),
      parameters_(parameters),
      packets_(packets),
      client_(client),
      num_ports_(topology.num_ports),
      channels_(parameters, kChannels),
      space_{parameters.private_flits_per_virtual_channel, parameters.shared_flits_per_input_port,
             parameters.shared_flits_per_virtual_channel_max},
      injection_excess_flits_(parameters.injection_buffer_flits - space_.channel_flits_max()),
      round_trip_(parameters.hop_cycles + parameters.credit_return_cycles),
      first_source_(static_cast<OutputIndex>(topology.num_nodes * topology.num_ports)),
      first_tree_(first_source_ + static_cast<OutputIndex>(topology.num_nodes)),
      outputs_(first_tree_ + at(topology.num_nodes)),
      places_(outputs_.size()),
      buffers_(outputs_.size() * kChannels),
      upstream_(first_source_),
      streams_(at(topology.num_nodes) * kChannels),
      tiles_(at(topology.num_nodes)) {
    if (parameters.link_flits_on_end_max != NetworkParameters::kNeverIdles) {
        link_ticks_per_flit_ += kTicksPerCycle / parameters.link_flits_on_end_max;
    }
    const Cycle longest =
        std::max({parameters.hop_cycles, parameters.credit_return_cycles, parameters.injection_cycles});
    if (longest >= decltype(due_)::kCycles) {
        throw InputError(fmt::format("latencies of a packet-level network: expected fewer than {} cycles, found {}",
                                     decltype(due_)::kCycles, longest));
    }
    if (parameters.outputs != OutputRules{}) {
        throw InputError(
            fmt::format("outputs of a packet-level network: expected turn_cycles 0, release_cycles 1 and turns that "
                        "begin after the last owner, found turn_cycles {}, release_cycles {} and turns that begin {}",
                        parameters.outputs.turn_cycles, parameters.outputs.release_cycles,
                        parameters.outputs.rest_at_straight_input ? "at the straight input" : "after the last owner"));
    }
    if (topology.adaptive != AdaptiveRouting::none) {
        throw InputError("routes of a packet-level network: expected fixed ones, found adaptive routing");
    }
    const bool has_datelines = std::ranges::any_of(topology.links, &Topology::Link::is_dateline);
    const int channels = (has_datelines ? 2 : 1) * parameters.software_virtual_channels;
    bits_of_port_ = std::min<int>(kChannels, std::numeric_limits<std::uint64_t>::digits / num_ports_);
    if (channels > bits_of_port_) {
        throw InputError(fmt::format(
            "virtual channels of a packet-level network: expected at most {} at routers of {} ports, found {}",
            bits_of_port_, num_ports_, channels));
    }
    all_channels_ = (ChannelMask{1} << channels) - 1;
    const auto hop = static_cast<std::int16_t>(parameters.hop_cycles);
    const auto injection = static_cast<std::int16_t>(parameters.injection_cycles);
    const auto room = static_cast<std::int16_t>(space_.channel_flits_max());
    const auto injection_room = static_cast<std::int16_t>(parameters.injection_buffer_flits);
    for (int node = 0; node < topology.num_nodes; ++node) {
        const auto index = static_cast<NodeIndex>(node);
        upstream_[output_index(index, kNiuPort)] = source_index(index);
        places_[source_index(index)] = {
            index, index, 0, kNiuPort, OutputKind::source, false, injection, injection_room, kTicksPerCycle};
        places_[tree_index(index)] = {index, index, 0, 0, OutputKind::tree, false, hop, room, kTicksPerCycle};
        places_[output_index(index, kNiuPort)] = {index, index, kNiuPort,      0, OutputKind::ejection, false,
                                                  0,     0,     kTicksPerCycle};
        for (int port = kNiuPort + 1; port < num_ports_; ++port) {
            if (const Topology::Link& link = topology.link(node, port); link.exists) {
                upstream_[output_index(link.neighbour, link.neighbour_port)] = output_index(index, port);
                places_[output_index(index, port)] = {index,
                                                      link.neighbour,
                                                      static_cast<std::uint8_t>(port),
                                                      link.neighbour_port,
                                                      OutputKind::link,
                                                      link.is_dateline,
                                                      hop,
                                                      room,
                                                      link_ticks_per_flit_};
                share(output_index(index, port));
            }
        }
    }
    for (OutputIndex index = 0; index < places_.size(); ++index) {
        if (OutputPlace& place = places_[index]; place.room > 0) {  // the port to a tile has no buffer behind it
            place.ticks_by_room = ticks_from_cycles(place.latency + credits_take(index)) / place.room;
        }
    }
}

// Requests of a client.

void PacketLevelNetwork::set_rates(NodeIndex node, Tick source_ticks_per_data_flit, Tick sink_ticks_per_data_flit,
                                   Tick multicast_sink_ticks_per_data_flit) {
    places_[source_index(node)].ticks_per_flit = source_ticks_per_data_flit;
    places_[output_index(node, kNiuPort)].ticks_per_flit = sink_ticks_per_data_flit;
    places_[tree_index(node)].ticks_per_flit = std::max(multicast_sink_ticks_per_data_flit, link_ticks_per_flit_);
    share(source_index(node));
    share(output_index(node, kNiuPort));
}

void PacketLevelNetwork::meter_data_flits(NodeIndex node) { tiles_[node].is_metered = true; }
void PacketLevelNetwork::count_data_flits(NodeIndex node) { tiles_[node].is_counted = true; }

TreeIndex PacketLevelNetwork::add_tree(std::vector<std::uint8_t> outputs, Cycle grant_cycles) {
    frees_at_.resize(buffers_.size(), kNever);
    trees_.push_back({std::move(outputs), grant_cycles, {}, 0});
    return static_cast<TreeIndex>(trees_.size() - 1);
}

void PacketLevelNetwork::start_stream(NodeIndex node, int stream, PacketId packet_id, Cycle start,
                                      Tick ticks_per_flit) {
    const Packet& packet = packets_[packet_id];
    const WormIndex index = worms_.allocate();
    Worm& worm = worms_[index];
    std::vector<Stage> stages = std::move(worm.stages);
    stages.clear();
    worm = Worm{};
    worm.stages = std::move(stages);
    worm.packet = packet_id;
    worm.flits = packet.flits;
    worm.destination = packet.destination;
    worm.own_channel = packet.software_virtual_channel;
    worm.is_static = packet.is_static;
    worm.tree = packet.tree;
    worm.reserves_path = packet.reserves_path;
    worm.keeps_path = packet.keeps_path;
    worm.packet_ticks_per_flit = ticks_per_flit;
    tiles_[node].flits_injected += packet.flits;
    Stream& place = streams_[node * kChannels + at(stream)];
    if (place.current != kNoWorm) {
        place.next = index;
        place.next_start = start;
        return;
    }
    place.current = index;
    place.next_start = start;
    begin_stream(node, stream, 0);
}

/// Begins to read the current packet of a stream from the tile.
void PacketLevelNetwork::begin_stream(NodeIndex node, int stream, Tick not_before) {
    Stream& place = streams_[node * kChannels + at(stream)];
    Worm& worm = worms_[place.current];
    place.nearly_read = worm.flits <= parameters_.read_ahead_flits;
    worm.stages.push_back({source_index(node), static_cast<std::uint8_t>(stream)});
    worm.is_granted = true;
    worm.tail_arrives = not_before;
    Output& source = outputs_[source_index(node)];
    source.owned |= 1U << stream;
    source.owner[at(stream)] = place.current;
    const Cycle start = std::max(place.next_start, cycle_containing(not_before));
    if (start <= now_ && phase_ == Phase::interfaces) {
        begin_to_read(place.current);
    } else {
        const Cycle first = next_cycle_of(Phase::heads);
        due_.push(std::max(start, first), first, Due::head, place.current);
    }
}

/// Reads the first flit if there is space between the tile and its router.
void PacketLevelNetwork::begin_to_read(WormIndex index) {
    const Worm& worm = worms_[index];
    if (can_depart(worm)) {
        depart(index);
    } else {
        const Stage& source = worm.stages.front();
        outputs_[source.output].waits_for_credit |= 1U << source.channel;
    }
}

bool PacketLevelNetwork::can_start_stream(NodeIndex node, int stream) const {
    const Stream& place = streams_[node * kChannels + at(stream)];
    return place.current == kNoWorm || (place.next == kNoWorm && place.nearly_read);
}

/// Flits have no cycles of their own here: they follow from the rate at which the packet leaves, or from the space that
/// it has found.
FlitsRead PacketLevelNetwork::flits_read(NodeIndex node, int stream, PacketId packet) const {
    const Stream& place = streams_[node * kChannels + at(stream)];
    if (place.current == kNoWorm || worms_[place.current].packet != packet || worms_[place.current].head < 0) {
        return {};
    }
    const Worm& worm = worms_[place.current];
    const Tick left = std::max<Tick>(0, tail_tick(worm) - ticks_from_cycles(now_));
    const Tick ticks_per_flit = worm.stages.front().ticks_per_flit;
    const int flits_left = static_cast<int>((left + ticks_per_flit - 1) / ticks_per_flit);
    const int flits = worm.waits ? flits_let_in(worm, worm.tail) : worm.flits - flits_left;
    return {std::clamp(flits, 1, worm.flits), now_ - 1, kOneFlitPerCycle};
}

void PacketLevelNetwork::end_of_stream(NodeIndex node, int stream, PacketId packet, Tick tail_tick) {
    Stream& place = streams_[node * kChannels + at(stream)];
    place.current = place.next;
    place.next = kNoWorm;
    if (place.current != kNoWorm) {
        begin_stream(node, stream, tail_tick + places_[source_index(node)].ticks_per_flit);
    }
    client_.stream_finished(node, stream, packet, {packets_[packet].flits, now_, kOneFlitPerCycle});
    if (can_start_stream(node, stream)) {
        client_.stream_can_start(node, stream, now_);
    }
}

void PacketLevelNetwork::block_request_ejection(NodeIndex node, std::uint32_t channels) {
    Tile& tile = tiles_[node];
    const ChannelMask blocked = channels & all_channels_ & ~channels_.responses();
    const ChannelMask newly_blocked = blocked & ~tile.blocked;
    const ChannelMask unblocked = tile.blocked & ~blocked;
    if (blocked == tile.blocked) {
        return;
    }
    tile.blocked = blocked;
    const OutputIndex index = output_index(node, kNiuPort);
    const Output& output = outputs_[index];
    if (tile.is_metered) {
        wake_meter(node, now_);
    } else {
        for_each_bit(newly_blocked & output.owned, [&](int channel) {
            const WormIndex owner = output.owner[at(channel)];
            if (is_multicast(owner)) {
                return;  // multicasts do not stop
            }
            if (const Worm& worm = worms_[owner]; !worm.is_granted && !worm.waits) {
                stop(owner, worm.head);
            }
        });
    }
    if ((unblocked & output.owned) != 0) {
        retry_at(index, next_cycle_of(Phase::retries));
    }
}

void PacketLevelNetwork::take_data_from(NodeIndex node, int channel) {
    if (tiles_[node].data_channel != channel) {
        tiles_[node].data_channel = channel;
        wake_meter(node, now_);
    }
}

void PacketLevelNetwork::wake_interface(NodeIndex node, Cycle cycle) {
    const Cycle first = next_cycle_of(Phase::interfaces);
    const Cycle wake = std::max(cycle, first);
    if (wake < tiles_[node].wake) {
        tiles_[node].wake = wake;
        if (wake != kNever) {
            due_.push(wake, first, Due::interface, node);
        }
    }
}

std::uint64_t PacketLevelNetwork::flits_sent(NodeIndex node, int port) const {
    return outputs_[output_index(node, port)].flits_sent;
}

std::uint64_t PacketLevelNetwork::flits_injected(NodeIndex node) const { return tiles_[node].flits_injected; }

std::uint64_t PacketLevelNetwork::flit_hops() const {
    std::uint64_t sum = 0;
    for (OutputIndex index = 0; index < first_source_; ++index) {
        sum += outputs_[index].flits_sent;
    }
    return sum;
}

// Time.

Cycle PacketLevelNetwork::next_active_window() const {
    const Cycle next = asked_outputs_.empty() ? due_.next(now_) : now_;
    return next == kNever ? kNever : next / parameters_.window_cycles * parameters_.window_cycles;
}

void PacketLevelNetwork::step_window(Cycle window_start) {
    const Cycle end = window_start + parameters_.window_cycles;
    now_ = std::max(now_, window_start);
    while (now_ < end) {
        if (asked_outputs_.empty()) {
            now_ = std::min(end, due_.next(now_));
            if (now_ == end) {
                break;
            }
        }
        step_cycle();
        ++now_;
    }
}

void PacketLevelNetwork::step_cycle() {
    phase_ = Phase::heads;
    due_.take(now_, Due::head, [this](WormIndex index) {
        if (worms_[index].head < 0) {
            begin_to_read(index);
        } else {
            head_arrives(index);
        }
    });
    if (due_.has_only(now_, Due::tail) && asked_outputs_.empty()) {
        take_tails();
        return;
    }
    phase_ = Phase::interfaces;
    due_.take(now_, Due::interface, [this](std::uint32_t node) { call_interface(static_cast<NodeIndex>(node)); });
    phase_ = Phase::retries;
    due_.take(now_, Due::tree, [this](WormIndex index) { ask_for_tree(index); });
    due_.take(now_, Due::credits, [this](std::uint32_t item) { credits_return(Credits::unpacked(item)); });
    due_.take(now_, Due::retry, [this](OutputIndex index) { retry(index); });
    phase_ = Phase::grants;
    granting_.swap(asked_outputs_);
    for (const OutputIndex index : granting_) {
        outputs_[index].is_asked = false;
        grant(index);
    }
    granting_.clear();
    for (const auto& [index, head] : new_fronts_) {
        if (worms_[index].head == head) {
            stop(index, head + 1);
        }
    }
    new_fronts_.clear();
    phase_ = Phase::meters;
    due_.take(now_, Due::meter, [this](std::uint32_t node) { meter(static_cast<NodeIndex>(node)); });
    phase_ = Phase::tails;
    due_.take(now_, Due::branch, [this](std::uint32_t index) { branch_event(index); });
    take_tails();
}

void PacketLevelNetwork::take_tails() {
    phase_ = Phase::tails;
    while (due_.has(now_, Due::tail)) {
        due_.take(now_, Due::tail, [this](WormIndex index) { worm_event(index); });
    }
    phase_ = Phase::none;
}

/// Calls the network interface of a tile if its cycle has come.
void PacketLevelNetwork::call_interface(NodeIndex node) {
    Tile& tile = tiles_[node];
    if (tile.wake <= now_) {
        tile.wake = kNever;
        const Cycle next = client_.interface_cycle(node, now_);
        if (next >= tile.wake) {
            return;
        }
        tile.wake = std::max(next, now_ + 1);
    }
    if (tile.wake != kNever) {
        due_.push(tile.wake, now_ + 1, Due::interface, node);
    }
}

/// Returns the ticks from the moment at which a packet has only read_ahead_flits left in the tile to the departure of
/// the packet's last flit; 0 if that moment has passed.
Tick PacketLevelNetwork::read_ahead_ticks(const Worm& worm) const {
    const Stage& source = worm.stages.front();
    const bool is_nearly_read = streams_[node_of(source.output) * kChannels + source.channel].nearly_read;
    return is_nearly_read ? 0 : parameters_.read_ahead_flits * source.ticks_per_flit;
}

void PacketLevelNetwork::push_event_at(WormIndex index, Worm& worm, Tick tick) {
    const Cycle cycle = std::max(cycle_containing(tick), now_);
    if (cycle < worm.event) {
        worm.event = std::min(cycle, now_ + decltype(due_)::kCycles - 1);
        due_.push(worm.event, now_, Due::tail, index);
    }
}

}  // namespace nocbench
