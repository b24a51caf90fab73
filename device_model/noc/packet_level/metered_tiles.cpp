#include <algorithm>

#include "device_model/noc/bits.h"
#include "device_model/noc/packet_level/packet_level_network.h"

namespace nocbench {

namespace {

using network_detail::at;
using network_detail::for_each_bit;

}  // namespace

// Tiles that accept data flit by flit, such as those of DRAM, and tiles at which flits are counted.

/// Reports all data flits of a packet at once, if they are counted or their individual cycles have no influence.
void PacketLevelNetwork::report_data_flits(NodeIndex node, PacketId packet, int channel, int flits) {
    if (tiles_[node].is_counted) {
        client_.data_flits_counted(node, packet, flits);
    }
    for (int flit = 0; tiles_[node].is_metered && flit < flits; ++flit) {
        client_.data_flit_ejected(node, packet, channel, now_);
    }
}

void PacketLevelNetwork::wake_meter(NodeIndex node, Cycle cycle) {
    Tile& tile = tiles_[node];
    const Cycle first = next_cycle_of(Phase::meters);
    const Cycle wake = std::max(cycle, first);
    if (wake < tile.meter_event) {
        tile.meter_event = wake;
        due_.push(wake, first, Due::meter, node);
    }
}

/// Returns the flits of a packet that have come to the router of its destination, including those already ejected. Sets
/// `next` to the next possible cycle of another flit, if earlier.
int PacketLevelNetwork::flits_at_meter(const Worm& worm, Cycle& next) const {
    const Tick now = ticks_from_cycles(now_);
    const int last = static_cast<int>(worm.stages.size()) - 1;
    if (worm.tail == last) {
        if (cycle_containing(worm.tail_arrives) <= now_) {
            return worm.flits;
        }
        next = std::min(next, cycle_containing(worm.tail_arrives));
        return worm.flits - 1;
    }
    const Tick arrives = tail_tick(worm) + ticks_from_cycles(latency_between(worm.tail, last));
    const Tick ticks_per_flit = slowest_ticks_per_flit(worm);
    const Tick missing = std::max<Tick>(1, (arrives - now + ticks_per_flit - 1) / ticks_per_flit);
    next = std::min(next, now_ + std::max<Cycle>(1, cycle_containing(ticks_per_flit)));
    const int at_least = worm.flits_ejected + (worm.is_backed_up ? 1 : 0);
    return std::max({1, worm.flits - static_cast<int>(missing), std::min(at_least, worm.flits - 1)});
}

/// Ejects a data flit to the tile if the tile accepts one.
void PacketLevelNetwork::meter(NodeIndex node) {
    Tile& tile = tiles_[node];
    if (tile.meter_event != now_) {
        return;
    }
    tile.meter_event = kNever;
    if (cycle_containing(tile.next_sink_tick) > now_) {
        wake_meter(node, cycle_containing(tile.next_sink_tick));
        return;
    }
    const Output& output = outputs_[output_index(node, kNiuPort)];
    Cycle next = kNever;
    ChannelMask ready = 0;
    for_each_bit(output.owned & ~tile.blocked, [&](int channel) {
        if (is_multicast(output.owner[at(channel)])) {
            return;
        }
        const Worm& worm = worms_[output.owner[at(channel)]];
        const bool is_open = (channels_.responses() >> channel & 1U) != 0 || tile.data_channel == kEveryChannel ||
                             tile.data_channel == channel;
        if (!worm.is_granted && worm.flits_ejected != 0 && is_open && flits_at_meter(worm, next) > worm.flits_ejected) {
            ready |= 1U << channel;
        }
    });
    if (ready == 0) {
        if (next != kNever) {
            wake_meter(node, next);
        }
        return;
    }
    const int channel = network_detail::next_round_robin(ready, tile.last_metered);
    tile.last_metered = channel;
    const WormIndex index = output.owner[at(channel)];
    Worm& worm = worms_[index];
    tile.next_sink_tick =
        std::max(tile.next_sink_tick, ticks_from_cycles(now_)) + places_[output_index(node, kNiuPort)].ticks_per_flit;
    wake_meter(node, cycle_containing(tile.next_sink_tick));
    ++worm.flits_ejected;
    worm.is_backed_up = false;
    client_.data_flit_ejected(node, worm.packet, channel, now_);
    if (worm.flits_ejected == worm.flits) {
        tail_leaves(index, ticks_from_cycles(now_));
    }
}

}  // namespace nocbench
