#include <algorithm>

#include "device_model/noc/bits.h"
#include "device_model/noc/packet_level/packet_level_network.h"

namespace nocbench {

namespace {

using network_detail::at;
using network_detail::for_each_bit;

}  // namespace

// Flow of a packet between its first and its last flit: stops, rates, and the cycle of the tail.

// Packets that are held up.

/// Returns the number of flits of a packet held up at stage `waits_at` that leave `stage` before the buffers between
/// are full.
int PacketLevelNetwork::flits_let_in(const Worm& worm, int stage) {
    int flits = worm.flits_gone;
    for (int between = stage; between < worm.waits_at; ++between) {
        flits += worm.stages[at(between)].standing_flits;
    }
    return flits;
}

/// Resumes a packet. Flits that had no space leave each stage when credits have come back to it. Flits at the
/// front leave at `leaves`.
void PacketLevelNetwork::resume(Worm& worm, Cycle leaves) const {
    for (int held = worm.tail; held <= std::min(worm.head, worm.waits_at - 1); ++held) {
        Stage& stage = worm.stages[at(held)];
        set_rate(stage, rate_at(worm, held));
        if (const int kept_out = worm.flits - flits_let_in(worm, held); kept_out > 0) {
            const int credits = std::max(0, worm.waits_at - std::max(held, 1));
            const Cycle resumes = leaves + credits * parameters_.credit_return_cycles;
            stage.passes = std::max(stage.passes, ticks_from_cycles(resumes) + kept_out * stage.ticks_per_flit);
        }
    }
}

/// Returns the earliest tick at which the last flit can leave a stage, by the rates of outputs further on: the
/// remaining flits must then fit into the buffers between.
Tick PacketLevelNetwork::room_from(const Worm& worm, int stage) const {
    if (worm.flits_ejected != 0) {
        const int missing = worm.flits - worm.flits_ejected - room_between(stage, worm.head);
        return missing > 0 ? ticks_from_cycles(now_) + missing * worm.stages[at(worm.head)].ticks_per_flit : 0;
    }
    Tick from = 0;
    for (int further = stage + 1; further <= worm.head; ++further) {
        const Stage& place = worm.stages[at(further)];
        from = std::max(from, place.passes - room_between(stage, further) * place.ticks_per_flit);
    }
    return from;
}

/// Sets the number of flits of a packet that stand in the buffer behind one of its stages. Credits of flits that leave
/// return at once if no packet is held up for space, otherwise after their latency. `is_last`: the packet is the last
/// one in that buffer.
void PacketLevelNetwork::stand(Stage& stage, int flits, bool waits, bool is_last) {
    const int before = stage.standing_flits;
    const int more = flits - before;
    const bool waited = stage.waits;
    stage.standing_flits = static_cast<std::uint8_t>(flits);
    stage.waits = waits;
    if (waits && !waited && before > 0) {  // flits that were in flight
        take_pool(stage.output, stage.channel, std::min(before, flits));
    }
    if (more > 0) {
        take_room(stage.output, stage.channel, more, waits);
    } else if (more < 0) {
        const Output& output = outputs_[stage.output];
        const bool has_room = is_last || 2 * output.standing[stage.channel] < room(stage.output);
        const bool has_pool = space_.pool_flits == 0 || !space_.is_pool_full(output.pool_used);
        if (!waits && has_room && has_pool && output.waits_for_credit == 0) {
            take_room(stage.output, stage.channel, more, waited);
            return;
        }
        const Cycle cycle = now_ + credits_take(stage.output);
        const Credits credits{stage.output, stage.channel, -more, waited};
        due_.push(cycle, cycle, Due::credits, credits.packed());
    }
}

/// Adds `flits` flits (possibly negative) of a virtual channel to the buffer behind an output.
void PacketLevelNetwork::take_room(OutputIndex index, int channel, int flits, bool waits) {
    outputs_[index].standing[at(channel)] = static_cast<std::uint8_t>(outputs_[index].standing[at(channel)] + flits);
    if (waits) {
        take_pool(index, channel, flits);
    }
}

/// Adds `flits` flits (possibly negative) to those held up in the buffer behind an output.
void PacketLevelNetwork::take_pool(OutputIndex index, int channel, int flits) {
    Output& output = outputs_[index];
    const int before = output.waiting_flits[at(channel)];
    output.waiting_flits[at(channel)] = static_cast<std::uint8_t>(before + flits);
    if (const int change = space_.pool_change(before, before + flits); change != 0) {
        output.pool_used += change;
        if (places_[index].kind == OutputKind::link) {
            share_pool(output);
        }
    }
}

/// Handles credits: frees space in the buffer behind an output.
void PacketLevelNetwork::credits_return(Credits credits) {
    const bool was_full = space_.is_pool_full(outputs_[credits.output].pool_used);
    take_room(credits.output, credits.channel, -credits.flits, credits.waited);
    update_rates(credits.output, kNoWorm);
    const ChannelMask who_has_room = was_full ? all_channels_ : 1U << credits.channel;
    for_each_bit(who_has_room, [&](int channel) { move_up(credits.output, channel); });
    if (outputs_[credits.output].waits_for_credit != 0) {
        retry(credits.output);
    }
}

/// Returns the flits of a virtual channel that still fit into the buffer behind an output.
int PacketLevelNetwork::room_left(const Stage& place) const {
    const Output& output = outputs_[place.output];
    const int standing = output.standing[place.channel];
    const int left = room(place.output) - standing;
    return is_source(place.output) ? left
                                   : std::min(left, std::max(0, space_.private_flits - standing) +
                                                        std::max(0, space_.pool_flits - output.pool_used));
}

/// Fills the buffers behind the stage at which a packet is held up with its flits, as far as they have space.
void PacketLevelNetwork::fill_buffers(Worm& worm) {
    int rest = worm.flits - worm.flits_gone;
    for (int behind = worm.waits_at - 1;
         behind >= 0 && behind + 1 >= worm.tail && (rest > 0 || behind >= worm.stands_from); --behind) {
        Stage& place = worm.stages[at(behind)];
        const int flits = std::clamp(place.standing_flits + room_left(place), 0, rest);
        stand(place, flits, true);
        rest -= flits;
        worm.stands_from = std::min(worm.stands_from, behind);
    }
}

/// Moves up packets that are held up, after flits have left the buffer of a virtual channel.
void PacketLevelNetwork::move_up(OutputIndex output, int channel) {
    buffered_.for_each(buffers_[std::size_t{output} * kChannels + at(channel)], [&](WormIndex index) {
        Worm& worm = worms_[index];
        if (!worm.waits || worm.waits_at == 0 ||
            flits_let_in(worm, std::min(worm.tail, worm.waits_at - 1)) >= worm.flits) {
            return;
        }
        resume(worm, now_ - credits_take(output));
        fill_buffers(worm);
        if (worm.tail <= worm.head) {
            push_event(index, worm);
        }
    });
}

/// Stops the flits of a packet at `stage` from this cycle on, and soon after at the previous stages.
void PacketLevelNetwork::stop(WormIndex index, int stage) {
    Worm& worm = worms_[index];
    worm.waits = true;
    worm.waits_at = stage;
    worm.stands_from = stage;
    worm.flits_gone = 0;
    if (stage == worm.head) {  // the first flits are already in the tile
        Tick last = worm.tail_arrives + ticks_from_cycles(latency_between(worm.tail, stage));
        for (int held = worm.tail; held <= stage; ++held) {
            last = std::max(last, worm.stages[at(held)].passes + ticks_from_cycles(latency_between(held, stage)));
        }
        worm.head_ticks_left = std::max(kTicksPerCycle, last - ticks_from_cycles(now_));
        worm.flits_gone = worm.flits - static_cast<int>(worm.head_ticks_left / slowest_ticks_per_flit(worm));
    }
    fill_buffers(worm);
    for (int held = worm.tail; worm.flits > 1 && held <= worm.head; ++held) {
        cease(worm.stages[at(held)].output, worm.stages[at(held)].channel);
    }
    for (int held = std::max(0, worm.tail - 1); held <= worm.head; ++held) {
        update_rates(worm.stages[at(held)].output, index);
    }
}

/// Lets flits of a packet leave the stage at which they were held up.
void PacketLevelNetwork::go_on(WormIndex index) {
    Worm& worm = worms_[index];
    worm.waits = false;
    for (int held = worm.tail; worm.flits > 1 && held <= worm.head; ++held) {
        flow(worm.stages[at(held)].output, worm.stages[at(held)].channel, held);
    }
    resume(worm, now_);
    if (worm.waits_at == worm.head) {
        worm.stages[at(worm.head)].passes = ticks_from_cycles(now_) + worm.head_ticks_left;
    }
    for (int behind = worm.waits_at - 1; behind >= worm.stands_from; --behind) {
        stand(worm.stages[at(behind)], 0, false, behind >= worm.tail);
    }
    for (int held = std::max(0, worm.tail - 1); held <= worm.head; ++held) {
        update_rates(worm.stages[at(held)].output, kNoWorm);
    }
    if (worm.tail <= worm.head) {
        push_event(index, worm);
    }
}

void PacketLevelNetwork::retry_at(OutputIndex index, Cycle cycle) {
    if (outputs_[index].retry != cycle) {
        outputs_[index].retry = cycle;
        due_.push(cycle, cycle, Due::retry, index);
    }
}

/// Retries packets that are held up for space behind an output, for arbitration, or for the tile. Begins with those
/// behind the virtual channel of the last single flit.
void PacketLevelNetwork::retry(OutputIndex index) {
    Output& output = outputs_[index];
    const auto try_again = [&](int channel) {
        const WormIndex owner = output.owner[at(channel)];
        if (is_ejection(index) && is_multicast(owner)) {
            return;  // multicasts do not stop
        }
        const Worm& worm = worms_[owner];
        if (worm.is_granted) {
            if (can_depart(worm)) {
                depart(owner);
            } else if (const Cycle cycle = turn(worm, output, channel); cycle > now_) {
                retry_at(index, cycle);
            }
        } else if (worm.waits && worm.waits_at == worm.head && can_depart(worm)) {
            go_on(owner);
        }
    };
    const ChannelMask all = is_ejection(index) ? output.owned : output.waits_for_credit;
    const ChannelMask first = all & ~((ChannelMask{2} << output.last_single_flit) - 1);
    for_each_bit(first, try_again);
    for_each_bit(all & ~first, try_again);
}

// Tails of packets: events at the tail, and its departure from an output.

void PacketLevelNetwork::worm_event(WormIndex index) {
    Worm& worm = worms_[index];
    if (worm.event != now_) {
        return;
    }
    worm.event = kNever;
    if (worm.tail > worm.head) {
        return;
    }
    const Tick tick = next_tick(worm);
    if (cycle_containing(tick) > now_) {
        push_event(index, worm);
        return;
    }
    const Tick read_ahead_ticks = tail_tick(worm) - tick;
    const int read_ahead = read_ahead_ticks == 0 ? 0 : parameters_.read_ahead_flits;
    if (worm.waits && worm.flits - read_ahead > flits_let_in(worm, worm.tail)) {
        return;
    }
    if (worm.flits_ejected != 0 && worm.tail == worm.head) {
        return;  // flits leave one by one
    }
    const Tick room = worm.waits ? 0 : room_from(worm, worm.tail);
    if (cycle_containing(room - read_ahead_ticks) > now_) {
        push_event_at(index, worm, room - read_ahead_ticks);
        if (worm.flits_ejected != 0) {
            worm.is_backed_up = true;
            wake_meter(node_of(worm.stages.back().output), now_ + 1);
        }
        return;
    }
    if (worm.tail == 0) {
        const Stage& source = worm.stages.front();
        const NodeIndex node = node_of(source.output);
        if (Stream& stream = streams_[node * kChannels + source.channel]; !stream.nearly_read) {
            stream.nearly_read = true;
            push_event(index, worm);
            if (stream.next == kNoWorm) {
                client_.stream_can_start(node, source.channel, now_);
            }
            return;
        }
    }
    tail_leaves(index, std::max({tail_tick(worm), room, ticks_from_cycles(now_)}));
}

void PacketLevelNetwork::tail_leaves(WormIndex index, Tick tick) {
    Worm& worm = worms_[index];
    if (is_tree(worm.stages[at(worm.tail)].output)) {
        tail_leaves_into_tree(index);
        return;
    }
    const Stage stage = worm.stages[at(worm.tail)];
    Output& output = outputs_[stage.output];
    output.owned &= ~(1U << stage.channel);
    cease(stage.output, stage.channel);
    output.flits_sent += static_cast<std::uint64_t>(worm.flits);
    if (output.waiting != 0) {
        ask(stage.output);
    }
    const PacketId packet = worm.packet;
    const bool ends = is_ejection(stage.output);
    if (worm.tail > 0) {
        const Stage& before = worm.stages[at(worm.tail - 1)];
        leave(buffer_behind(before));
    }
    if (worm.flits > 1) {
        update_rates(stage.output, index);
    }
    if (ends) {
        const int unreported = worm.flits_ejected != 0 ? 0 : worm.flits - 1;
        worms_.release(index);
        report_data_flits(node_of(stage.output), packet, stage.channel, unreported);
        client_.packet_ejected(node_of(stage.output), packet, stage.channel, now_);
        return;
    }
    const bool begins = worm.tail == 0;
    worm.tail_arrives = tick + ticks_from_cycles(latency(stage.output));
    ++worm.tail;
    if (worm.tail <= worm.head) {
        if (worm.flits_ejected != 0 && worm.tail + 1 == static_cast<int>(worm.stages.size())) {
            wake_meter(node_of(worm.stages.back().output), cycle_containing(worm.tail_arrives));
        } else {
            push_event(index, worm);
        }
    }
    if (begins) {
        end_of_stream(node_of(stage.output), stage.channel, packet, tick);
    }
}

// Rates.

/// Returns a packet's part of the shared pool behind an output. Packets that are held up, here or further on, keep
/// their parts; the others share the rest. A packet held up further on frees a flit of the pool with each of its flits
/// that leaves; virtual channels get these round-robin. The fastest such packet that fills more than half of its space
/// sets the rate.
auto PacketLevelNetwork::pool_share(OutputIndex index, const Worm* worm) const -> PoolShare {
    const Output& output = outputs_[index];
    int left = space_.pool_flits - output.pool_used;
    if (left >= (output.num_flowing + 1) * space_.pool_flits_of_channel_max) {
        return {left, kNever};
    }
    int sharing = 1;
    Tick ticks_per_turn = kNever;
    for_each_bit(output.flowing, [&](int channel) {
        const Worm& other = worms_[output.owner[at(channel)]];
        if (&other == worm) {
            return;
        }
        // Flits that stand between this output and a slower output further on when the last flit leaves this output.
        const int stage = output.stage[at(channel)];
        const Stage& here = other.stages[at(stage)];
        Tick held_up = 0;
        Tick ticks_per_flit = kNever;  // of the slower output
        for (int next = stage + 1; next <= other.head; ++next) {
            const Stage& further = other.stages[at(next)];
            const Tick later = further.passes - here.passes - ticks_from_cycles(latency_between(stage, next));
            if (later / further.ticks_per_flit > held_up) {
                held_up = later / further.ticks_per_flit;
                ticks_per_flit = further.ticks_per_flit;
            }
        }
        const int most = static_cast<int>(std::min<Tick>(held_up, space_.channel_flits_max()));
        if (2 * most > space_.channel_flits_max()) {
            ticks_per_turn = std::min(ticks_per_turn, ticks_per_flit);
        }
        left -= space_.in_pool(most);
        sharing += most < space_.channel_flits_max() ? 1 : 0;
    });
    return {std::max(0, left) / sharing, ticks_per_turn};
}

/// Returns the ticks between two flits of a packet at an output that it shares with others.
Tick PacketLevelNetwork::ticks_per_flit(const Worm& worm, OutputIndex index) const {
    if (is_tree(index)) {
        Tick slowest = places_[index].ticks_per_flit;
        for (const Branch& branch : trees_[worm.tree].branches) {
            slowest = std::max(slowest, ticks_per_flit(worm, branch.output));
        }
        return slowest;
    }
    const Tick by_room = worm.flits > room(index) ? places_[index].ticks_by_room : 0;
    const Tick ticks = std::max(outputs_[index].ticks_per_flit, by_room);
    if (!outputs_[index].is_short_of_pool) {
        return ticks;
    }
    const PoolShare pool = pool_share(index, &worm);
    const int allowed = space_.private_flits + std::min(space_.pool_flits_of_channel_max, pool.flits);
    if (allowed >= round_trip_ || worm.flits <= allowed) {
        return ticks;
    }
    const Tick round_trip = ticks_from_cycles(round_trip_);
    Tick by_pool = round_trip / std::max(1, allowed);
    if (const Tick turn = pool.ticks_per_turn; turn != kNever) {
        by_pool = std::min(by_pool, turn * round_trip / (round_trip + turn * space_.private_flits));
    }
    return std::max(ticks, by_pool);
}

/// Starts or resumes the flow of a packet of several flits through an output. Does not update rates of this packet.
void PacketLevelNetwork::flow(OutputIndex index, int channel, int stage) {
    Output& output = outputs_[index];
    output.stage[at(channel)] = static_cast<std::uint8_t>(stage);
    if ((output.flowing >> channel & 1U) == 0) {
        output.flowing |= 1U << channel;
        ++output.num_flowing;
        share(index);
    }
}

/// Ends the flow of a packet through an output.
void PacketLevelNetwork::cease(OutputIndex index, int channel) {
    Output& output = outputs_[index];
    if ((output.flowing >> channel & 1U) != 0) {
        output.flowing &= ~(1U << channel);
        --output.num_flowing;
        share(index);
        if (output.waits_for_credit != 0) {
            retry_at(index, now_ + credits_take(index));
        }
    }
}

/// Divides an output evenly among the packets that flow through it.
void PacketLevelNetwork::share(OutputIndex index) {
    Output& output = outputs_[index];
    const OutputPlace& place = places_[index];
    const int sharing = std::max(1, output.num_flowing);
    const Tick ticks = place.ticks_per_flit * sharing;
    output.has_new_rate |= ticks != output.ticks_per_flit;
    output.ticks_per_flit = ticks;
    if (place.kind == OutputKind::link) {
        share_pool(output);
    }
}

/// Divides the pool behind a link. The pool is short if one more packet could not have its maximum.
void PacketLevelNetwork::share_pool(Output& output) const {
    const int wanted = output.pool_used + (std::max(1, output.num_flowing) + 1) * space_.pool_flits_of_channel_max;
    const bool is_short = wanted > space_.pool_flits;
    output.has_new_rate |= is_short || output.is_short_of_pool;
    output.is_short_of_pool = is_short;
}

/// Returns the ticks between two flits of a packet at one of its stages.
Tick PacketLevelNetwork::rate_at(const Worm& worm, int stage) const {
    const Tick ticks = std::max(kTicksPerCycle, ticks_per_flit(worm, worm.stages[at(stage)].output));
    return stage == 0 ? std::max(worm.packet_ticks_per_flit, ticks) : ticks;
}

/// Returns the ticks between two flits of a packet after the slowest of its stages.
Tick PacketLevelNetwork::slowest_ticks_per_flit(const Worm& worm) {
    Tick slowest = std::max(worm.packet_ticks_per_flit, kTicksPerCycle);
    for (int held = worm.tail; held <= worm.head; ++held) {
        slowest = std::max(slowest, worm.stages[at(held)].ticks_per_flit);
    }
    return slowest;
}

/// Changes the rate at which the rest of a packet passes a stage. Flits of several packets alternate, therefore the
/// next flit of this packet comes half a round later on average.
void PacketLevelNetwork::set_rate(Stage& stage, Tick ticks_per_flit) const {
    const Tick before = stage.ticks_per_flit;
    const Tick next = ticks_from_cycles(now_) + (ticks_per_flit > before ? before + kTicksPerCycle : before) / 2;
    if (stage.passes > next) {
        stage.passes = next + (stage.passes - next) * ticks_per_flit / before;
    }
    stage.ticks_per_flit = ticks_per_flit;
}

/// Updates the rate at which a stage passes flits.
void PacketLevelNetwork::update_rate(WormIndex index, int stage) {
    Worm& worm = worms_[index];
    Stage& place = worm.stages[at(stage)];
    const Tick before = place.ticks_per_flit;
    const Tick after = rate_at(worm, stage);
    if (after == before) {
        return;
    }
    // At least these flits are left: those still to come, and those without space further on.
    const Tick now = ticks_from_cycles(now_);
    Tick left = 0;
    for (int behind = worm.tail; behind < stage; ++behind) {
        const Stage& place_behind = worm.stages[at(behind)];
        const Tick comes = place_behind.passes + ticks_from_cycles(latency_between(behind, stage));
        left = std::max(left, (comes - now) / place_behind.ticks_per_flit);
    }
    for (int further = stage + 1; further <= worm.head; ++further) {
        const Stage& next = worm.stages[at(further)];
        left = std::max(left, (next.passes - now) / next.ticks_per_flit - room_between(stage, further));
    }
    left = std::min<Tick>(left, worm.flits - 1);
    place.passes = std::max(place.passes, now + left * before);
    set_rate(place, after);
    if (after < before) {
        push_event(index, worm);
    }
}

/// Delays the packets that flow through an output by the flit of a header, unless something else slows them down.
void PacketLevelNetwork::header_passes(OutputIndex index) {
    Output& output = outputs_[index];
    for_each_bit(output.flowing, [&](int channel) {
        Worm& worm = worms_[output.owner[at(channel)]];
        if (worm.tree != kNoTree && ++output.headers[at(channel)] <= worm.headers) {
            return;  // more have passed on another branch, and the whole tree flows at one rate
        }
        ++worm.headers;
        worm.stages[output.stage[at(channel)]].passes += places_[index].ticks_per_flit;
    });
}

/// Updates packets that flow through an output whose rate has changed.
void PacketLevelNetwork::update_rates(OutputIndex number, WormIndex except) {
    Output& output = outputs_[number];
    if (!output.has_new_rate) {
        return;
    }
    output.has_new_rate = false;
    for_each_bit(output.flowing, [&](int channel) {
        if (const WormIndex owner = output.owner[at(channel)]; owner != except) {
            update_rate(owner, output.stage[at(channel)]);
        }
    });
}

}  // namespace nocbench
