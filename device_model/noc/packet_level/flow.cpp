#include <algorithm>

#include "device_model/noc/bits.h"
#include "device_model/noc/packet_level/packet_level_network.h"

namespace nocbench {

namespace {

using network_detail::at;
using network_detail::for_each_bit;

}  // namespace

// The flow of a packet between its first and its last flit: where it stops, how fast it is, and when its tail leaves.

// Packets that wait.

/// How many flits of a packet that waits leave `stage` before the buffers up to stage `waits_at` are full.
int PacketLevelNetwork::flits_let_in(const Worm& worm, int stage) {
    int flits = worm.flits_gone;
    for (int between = stage; between < worm.waits_at; ++between) {
        flits += worm.stages[at(between)].standing_flits;
    }
    return flits;
}

/// A packet goes on: the flits that there was no room for leave each stage when credits have come back to it. Those at
/// the front leave at `leaves`.
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

/// The earliest time for the last flit to leave a stage by what the outputs further on let pass: as many flits as the
/// buffers between hold are left then.
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

/// From now on, so many flits of a packet stand in the buffer behind one of its stages. Credits of those that leave
/// come back at once if nobody waits for the room, and take their time otherwise. `is_last`: the packet is the last one
/// in that buffer.
void PacketLevelNetwork::stand(Stage& stage, int flits, bool waits, bool is_last) {
    const int before = stage.standing_flits;
    const int more = flits - before;
    const bool waited = stage.waits;
    stage.standing_flits = static_cast<std::uint8_t>(flits);
    stage.waits = waits;
    if (waits && !waited && before > 0) {  // those that were under way
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

/// So many flits more, or less, of a virtual channel are in the buffer behind an output.
void PacketLevelNetwork::take_room(OutputIndex index, int channel, int flits, bool waits) {
    outputs_[index].standing[at(channel)] = static_cast<std::uint8_t>(outputs_[index].standing[at(channel)] + flits);
    if (waits) {
        take_pool(index, channel, flits);
    }
}

/// So many more flits in the buffer behind an output wait, or fewer if `flits` is negative.
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

/// There is room again in the buffer behind an output.
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

/// Flits of a virtual channel that there is still room for in the buffer behind an output.
int PacketLevelNetwork::room_left(const Stage& place) const {
    const Output& output = outputs_[place.output];
    const int standing = output.standing[place.channel];
    const int left = room(place.output) - standing;
    return is_source(place.output) ? left
                                   : std::min(left, std::max(0, space_.private_flits - standing) +
                                                        std::max(0, space_.pool_flits - output.pool_used));
}

/// The flits of a packet that waits stand in the buffers behind the stage that they wait at, as far as there is room.
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

/// Flits have left the buffer of a virtual channel. Packets behind them move up while they wait.
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

/// The flits of the packet do not leave `stage` from this cycle on, and soon nor do they the stages before.
void PacketLevelNetwork::stop(WormIndex index, int stage) {
    Worm& worm = worms_[index];
    worm.waits = true;
    worm.waits_at = stage;
    worm.stands_from = stage;
    worm.flits_gone = 0;
    if (stage == worm.head) {  // the first ones are in the tile already
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

/// Its flits leave again the stage that they waited at.
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

/// Packets that wait for room behind an output, for a turn, or for the tile, try again: those behind the virtual
/// channel of the last single flit first.
void PacketLevelNetwork::retry(OutputIndex index) {
    Output& output = outputs_[index];
    const auto try_again = [&](int channel) {
        const WormIndex owner = output.owner[at(channel)];
        if (is_ejection(index) && is_multicast(owner)) {
            return;  // it does not stop
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

// Tails.

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

/// A packet's part of the shared pool behind an output. Packets that wait have theirs, and so have those that are held
/// up further on; the others share what is left. A packet that is held up frees a flit of the pool with each
/// of its flits that leaves, and virtual channels take turns with these. The fastest of such packets sets the rate of
/// the turns, if it fills more than half of its room.
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
        // Flits that stand between here and a slower output further on when the last one leaves here.
        const int stage = output.stage[at(channel)];
        const Stage& here = other.stages[at(stage)];
        Tick held_up = 0;
        Tick ticks_per_flit = kNever;  // of the output that holds it up
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

/// Ticks between two flits of a packet at an output that it shares with others.
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

/// A packet of several flits begins to flow through an output, or goes on. Its rates are not updated here.
void PacketLevelNetwork::flow(OutputIndex index, int channel, int stage) {
    Output& output = outputs_[index];
    output.stage[at(channel)] = static_cast<std::uint8_t>(stage);
    if ((output.flowing >> channel & 1U) == 0) {
        output.flowing |= 1U << channel;
        ++output.num_flowing;
        share(index);
    }
}

/// A packet flows no longer through an output.
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

/// All packets that flow through an output get the same part of it.
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

/// They also share the pool behind a link. It is short if one more could not have as much as it may.
void PacketLevelNetwork::share_pool(Output& output) const {
    const int wanted = output.pool_used + (std::max(1, output.num_flowing) + 1) * space_.pool_flits_of_channel_max;
    const bool is_short = wanted > space_.pool_flits;
    output.has_new_rate |= is_short || output.is_short_of_pool;
    output.is_short_of_pool = is_short;
}

/// Ticks between two flits of a packet that one of its stages allows.
Tick PacketLevelNetwork::rate_at(const Worm& worm, int stage) const {
    const Tick ticks = std::max(kTicksPerCycle, ticks_per_flit(worm, worm.stages[at(stage)].output));
    return stage == 0 ? std::max(worm.packet_ticks_per_flit, ticks) : ticks;
}

/// At which flits of a packet follow each other, after the slowest of its stages.
Tick PacketLevelNetwork::slowest_ticks_per_flit(const Worm& worm) {
    Tick slowest = std::max(worm.packet_ticks_per_flit, kTicksPerCycle);
    for (int held = worm.tail; held <= worm.head; ++held) {
        slowest = std::max(slowest, worm.stages[at(held)].ticks_per_flit);
    }
    return slowest;
}

/// The rest of a packet passes a stage at another rate. Flits of several packets take turns, so that the next one of
/// this packet comes half a round later in the mean.
void PacketLevelNetwork::set_rate(Stage& stage, Tick ticks_per_flit) const {
    const Tick before = stage.ticks_per_flit;
    const Tick next = ticks_from_cycles(now_) + (ticks_per_flit > before ? before + kTicksPerCycle : before) / 2;
    if (stage.passes > next) {
        stage.passes = next + (stage.passes - next) * ticks_per_flit / before;
    }
    stage.ticks_per_flit = ticks_per_flit;
}

/// A stage lets flits pass at another rate from now on.
void PacketLevelNetwork::update_rate(WormIndex index, int stage) {
    Worm& worm = worms_[index];
    Stage& place = worm.stages[at(stage)];
    const Tick before = place.ticks_per_flit;
    const Tick after = rate_at(worm, stage);
    if (after == before) {
        return;
    }
    // At least those flits are left that are still to come, and those that there is no room for further on.
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

/// A header takes the turn of the packets that flow through an output: these come a flit later, if nothing else makes
/// them slower.
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

/// Packets that flow through an output learn of its new rate, if it has one.
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
