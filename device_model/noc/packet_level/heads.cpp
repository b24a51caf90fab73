#include <algorithm>
#include <array>
#include <bit>

#include "device_model/noc/bits.h"
#include "device_model/noc/packet_level/packet_level_network.h"

namespace nocbench {

namespace {

using network_detail::at;
using network_detail::for_each_bit;

}  // namespace

// Heads of packets, from the arrival at a router to the port through which they leave.

void PacketLevelNetwork::head_arrives(WormIndex index) {
    Worm& worm = worms_[index];
    const Stage& stage = worm.stages.back();
    Buffer& buffer = buffer_behind(stage);
    if (!buffer.is_empty()) {
        buffered_.push(buffer, index);
        stop(index, worm.head + 1);
        return;
    }
    if (worm.tree == kNoTree) {
        const Want want = next_output(worm, stage);
        const Output& output = outputs_[want.output];
        const bool is_lone_flit = worm.flits == 1 && worm.tail > worm.head;
        if (is_lone_flit && (channels_.responses() >> want.channel & 1U) != 0 && pass_free_links(index, want)) {
            return;
        }
        const bool is_free = output.waiting == 0 && (output.owned >> want.channel & 1U) == 0;
        if (is_free && is_lone_flit) {
            if (output.waits_for_credit == 0 && pass_at_once(index, want)) {
                return;
            }
        } else if (is_free && worm.is_static && can_depart(worm, want)) {
            buffered_.push(buffer, index);
            grant_to(want.output, want.channel, input_behind(stage), index);
            return;
        }
    }
    buffered_.push(buffer, index);
    new_fronts_.emplace_back(index, worm.head);
    look_at_front(buffer);
}

/// Passes a packet of one flit in the cycle of its arrival, if nothing holds it up. Returns whether it has passed.
bool PacketLevelNetwork::pass_at_once(WormIndex index, Want want) {
    Worm& worm = worms_[index];
    Stage& stage = worm.stages.back();
    const OutputPlace& place = places_[want.output];
    const bool is_ejected = place.kind == OutputKind::ejection;
    Output& output = outputs_[want.output];
    if (!can_depart(worm, want)) {
        return false;
    }
    stand(stage, 0, false);
    ++output.flits_sent;
    single_flit_passes(output, want.channel);
    header_passes(want.output);
    output.last_owner[want.channel] = static_cast<std::uint8_t>(input_behind(stage));
    if (is_ejected) {
        const PacketId packet = worm.packet;
        worms_.release(index);
        client_.head_ejected(place.node, packet, want.channel, now_);
        client_.packet_ejected(place.node, packet, want.channel, now_);
        return true;
    }
    stage = {want.output, want.channel, 0};  // no flit is left upstream
    stand(stage, 1, false);
    due_.push(now_ + place.latency, now_ + 1, Due::head, index);
    return true;
}

/// Passes an acknowledgement through the links ahead whose virtual channel is free now, as if it were there already.
/// Returns false if it cannot pass the first one, which it wants now.
bool PacketLevelNetwork::pass_free_links(WormIndex index, Want want) {
    Worm& worm = worms_[index];
    Stage place = worm.stages.back();
    Cycle arrives = now_;
    for (;; want = next_output(worm, place)) {
        Output& output = outputs_[want.output];
        const Cycle next = arrives + latency(want.output);
        if (is_ejection(want.output) || (output.owned >> want.channel & 1U) != 0 ||
            output.standing[want.channel] >= space_.private_flits || next - now_ >= decltype(due_)::kCycles) {
            break;
        }
        ++output.flits_sent;
        header_passes(want.output);
        place = {want.output, want.channel, 0};
        arrives = next;
    }
    if (arrives == now_) {
        return false;
    }
    Stage& stage = worm.stages.back();
    stand(stage, 0, false);
    stage = place;
    stand(stage, 1, false);
    due_.push(arrives, now_ + 1, Due::head, index);
    return true;
}

/// Returns the output requested by a packet whose head has left `stage`.
PacketLevelNetwork::Want PacketLevelNetwork::next_output(const Worm& worm, const Stage& stage) const {
    const NodeIndex node = places_[stage.output].next_node;
    const OutputIndex output = output_index(node, topology_.route(node, worm.destination));
    return {output, channel_at(worm, stage, output)};
}

/// Returns the virtual channel of an output requested by a packet that comes from `stage`.
std::uint8_t PacketLevelNetwork::channel_at(const Worm& worm, const Stage& stage, OutputIndex output) const {
    const OutputPlace& from = places_[stage.output];
    const OutputPlace& to = places_[output];
    return static_cast<std::uint8_t>(
        channels_.leaving(worm.own_channel, from.next_port, stage.channel, to.port, to.is_dateline));
}

/// Removes the packet at the front of a buffer.
void PacketLevelNetwork::leave(Buffer& buffer) {
    buffered_.pop(buffer);
    if (!buffer.is_empty()) {
        look_at_front(buffer);
    }
}

/// Requests the output of the packet at the front of the buffer.
void PacketLevelNetwork::look_at_front(const Buffer& buffer) {
    Worm& worm = worms_[front(buffer)];
    if (worm.tree != kNoTree) {
        // A multicast requests its tree at once, or in the next cycle if the tail of another packet has just left.
        due_.push(next_cycle_of(Phase::retries), next_cycle_of(Phase::retries), Due::tree, front(buffer));
        return;
    }
    const Stage& stage = worm.stages.back();
    const Want want = next_output(worm, stage);
    worm.wanted_channel = want.channel;
    outputs_[want.output].waiting |= std::uint64_t{1} << input_behind(stage);
    ask(want.output);
}

void PacketLevelNetwork::ask(OutputIndex index) {
    Output& output = outputs_[index];
    if (!output.is_asked) {
        output.is_asked = true;
        asked_outputs_.push_back(index);
    }
}

/// Grants free virtual channels to packets whose own they are, and the remaining ones to dynamic packets.
void PacketLevelNetwork::grant(OutputIndex index) {
    const NodeIndex node = node_of(index);
    const auto index_of = [&](int input) {
        const OutputIndex from = upstream_[output_index(node, input / bits_of_port_)];
        return front(buffers_[std::size_t{from} * kChannels + at(input % bits_of_port_)]);
    };
    const auto front_of = [&](int input) -> const Worm& { return worms_[index_of(input)]; };
    const Output& output = outputs_[index];
    if ((output.waiting & (output.waiting - 1)) == 0 && output.waiting != 0) {  // usual case: a single request
        const int input = std::countr_zero(output.waiting);
        if (const Worm& worm = front_of(input); worm.is_static) {
            if ((output.owned >> worm.wanted_channel & 1U) == 0) {
                grant_to(index, worm.wanted_channel, input, index_of(input));
            }
            return;
        }
    }
    const auto grant_in_turn = [&](int channel, std::uint64_t candidates) {
        const int input = next_in_turn(candidates, output.last_owner[at(channel)], bits_of_port_,
                                       [this](int port) { return (port + 1) % num_ports_; });
        grant_to(index, channel, input, index_of(input));
    };
    std::array<std::uint64_t, kChannels> of_channel{};
    ChannelMask wanted = 0;
    std::uint64_t dynamic = 0;
    for_each_bit(output.waiting, [&](int input) {
        const Worm& worm = front_of(input);
        of_channel[worm.wanted_channel] |= std::uint64_t{1} << input;
        wanted |= 1U << worm.wanted_channel;
        dynamic |= worm.is_static ? 0 : std::uint64_t{1} << input;
    });
    for_each_bit(wanted & ~output.owned, [&](int channel) { grant_in_turn(channel, of_channel[at(channel)]); });
    dynamic &= output.waiting;
    while (dynamic != 0) {
        const int input = std::countr_zero(dynamic);
        const ChannelMask group = channels_.group_of(front_of(input).wanted_channel);
        const ChannelMask free = all_channels_ & ~output.owned & group;
        std::uint64_t same = 0;
        for_each_bit(dynamic, [&](int other) {
            if ((group >> front_of(other).wanted_channel & 1U) != 0) {
                same |= std::uint64_t{1} << other;
            }
        });
        if (free == 0) {
            dynamic &= ~same;
            continue;
        }
        grant_in_turn(with_fewest_flits(free, output.standing), same);
        dynamic &= output.waiting;
    }
}

/// Grants a virtual channel of an output to the packet at the front of an input VC. Its head leaves if possible.
void PacketLevelNetwork::grant_to(OutputIndex index, int channel, int input, WormIndex owner) {
    Output& output = outputs_[index];
    output.last_owner[at(channel)] = static_cast<std::uint8_t>(input);
    output.waiting &= ~(std::uint64_t{1} << input);
    output.owned |= 1U << channel;
    output.owner[at(channel)] = owner;
    Worm& worm = worms_[owner];
    worm.stages.push_back({index, static_cast<std::uint8_t>(channel)});
    worm.is_granted = true;
    if (can_depart(worm, {index, static_cast<std::uint8_t>(channel)})) {
        depart(owner);
    } else {
        output.waits_for_credit |= 1U << channel;
        if (const Cycle cycle = turn(worm, output, channel); cycle > now_) {
            retry_at(index, cycle);
        }
    }
}

/// Passes a packet of one flit through an output. The next one on this virtual channel passes after each flowing
/// packet, and each other virtual channel, has passed a flit.
void PacketLevelNetwork::single_flit_passes(Output& output, std::uint8_t channel) const {
    output.single_flits = (now_ < output.round_ends ? output.single_flits : 0) | 1U << channel;
    output.single_flit = now_;
    output.round_ends = now_ + 1 + output.num_flowing;
    output.last_single_flit = channel;
}

/// Returns the first cycle in which the head of a packet may pass an output.
Cycle PacketLevelNetwork::turn(const Worm& worm, const Output& output, int channel) const {
    if (worm.flits > 1) {
        return now_;
    }
    return (output.single_flits >> channel & 1U) != 0 ? output.round_ends : output.single_flit + 1;
}

bool PacketLevelNetwork::can_depart(const Worm& worm, Want want) const {
    const Output& output = outputs_[want.output];
    const int standing = output.standing[want.channel];
    switch (places_[want.output].kind) {
        case OutputKind::source:
            return standing < room(want.output);
        case OutputKind::ejection:
            return turn(worm, output, want.channel) <= now_ &&
                   (tiles_[node_of(want.output)].blocked >> want.channel & 1U) == 0;
        default:
            return turn(worm, output, want.channel) <= now_ &&
                   (standing < space_.private_flits ||
                    (standing < space_.channel_flits_max() && pool_share(want.output, &worm).flits > 0));
    }
}

/// Sends the first flit of a packet through the output granted to it.
void PacketLevelNetwork::depart(WormIndex index) {
    Worm& worm = worms_[index];
    const int stage = worm.head + 1;
    const OutputIndex output_number = worm.stages[at(stage)].output;
    const std::uint8_t channel = worm.stages[at(stage)].channel;
    Output& output = outputs_[output_number];
    const Tick now = ticks_from_cycles(now_);
    if (worm.waits) {
        go_on(index);
    }
    worm.head = stage;
    worm.is_granted = false;
    output.waits_for_credit &= ~(1U << channel);
    const bool begins = worm.tail == stage;  // the whole packet is in front of this output
    header_passes(output_number);
    if (worm.flits > 1) {
        flow(output_number, channel, stage);
        update_rates(output_number, index);
    } else {
        single_flit_passes(output, channel);
    }
    if (worm.flits <= space_.channel_flits_max()) {  // the whole packet fits in a buffer, and takes space there from
                                                     // now on
        if (stage > 0) {
            stand(worm.stages[at(stage - 1)], 0, false);
        }
        if (!is_ejection(output_number)) {
            Stage& here = worm.stages[at(stage)];
            stand(here, std::min(worm.flits, std::max(1, room_left(here))), false);
        }
    }
    Stage& place = worm.stages[at(stage)];
    place.ticks_per_flit = rate_at(worm, stage);
    if (is_source(output_number)) {
        place.passes = std::max(now, worm.tail_arrives);
        worm.tail_arrives = 0;
        if (worm.flits > 1) {
            place.passes += kTicksPerCycle + (worm.flits - 2) * place.ticks_per_flit;
        }
    } else {
        place.passes = now + (worm.flits - 1) * place.ticks_per_flit;
    }
    if (!is_ejection(output_number)) {
        due_.push(now_ + latency(output_number), now_ + 1, Due::head, index);
        if (begins || worm.event == kNever) {
            push_event(index, worm);
        }
        return;
    }
    const NodeIndex node = node_of(output_number);
    if (tiles_[node].is_metered && worm.flits > 1) {
        worm.flits_ejected = 1;
        tiles_[node].next_sink_tick = std::max(tiles_[node].next_sink_tick, now) + kTicksPerCycle;
        wake_meter(node, now_ + 1);
        if (!begins) {
            push_event(index, worm);
        }
    } else {
        push_event(index, worm);
    }
    client_.head_ejected(node, worm.packet, channel, now_);
}

}  // namespace nocbench
