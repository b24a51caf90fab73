#include <algorithm>
#include <vector>

#include "device_model/noc/bits.h"
#include "device_model/noc/packet_level/packet_level_network.h"

namespace nocbench {

namespace {

using network_detail::for_each_bit;

}  // namespace

/// Finds the outputs of a tree, from the router of `source` on.
void PacketLevelNetwork::find_branches(Tree& tree, NodeIndex source) {
    struct Place {
        NodeIndex node;
        int input_port;
        bool is_second_set;
        int depth;
    };
    std::vector<Place> places{{source, kNiuPort, false, 0}};
    for (std::size_t next = 0; next < places.size(); ++next) {
        const Place place = places[next];
        tree.depth = std::max(tree.depth, place.depth);
        for_each_bit(tree.outputs[place.node], [&](int port) {
            const Topology::Link& link = topology_.link(place.node, port);
            const bool is_second_set =
                leaves_in_second_set(place.is_second_set, place.input_port, port, link.is_dateline);
            if (port != kNiuPort) {
                places.push_back({link.neighbour, link.neighbour_port, is_second_set, place.depth + 1});
            }
            tree.branches.push_back({output_index(place.node, port), is_second_set, place.depth});
        });
    }
}

std::uint8_t PacketLevelNetwork::channel_of(const Worm& worm, const Branch& branch) const {
    return static_cast<std::uint8_t>(channels_.in_set(worm.own_channel, branch.is_second_set));
}

/// Tries to reserve the whole tree of a multicast at the front of its buffer.
void PacketLevelNetwork::ask_for_tree(WormIndex index) {
    Worm& worm = worms_[index];
    if (worm.asks_at > now_) {
        due_.push(worm.asks_at, now_ + 1, Due::tree, index);
        return;
    }
    if (worm.is_reserved) {
        depart_into_tree(index);
        return;
    }
    const NodeIndex source = node_of(worm.stages.front().output);
    Tree& tree = trees_[worm.tree];
    if (tree.branches.empty()) {
        find_branches(tree, source);
    }
    if (!worm.reserves_path) {
        worm.is_reserved = true;
        depart_into_tree(index);
        return;
    }
    if (worm.failures == 0) {
        worm.requested = now_;
    }
    const Cycle round_trip_of_hop = parameters_.hop_cycles + parameters_.reservation_reply_cycles;
    for (const Branch& branch : tree.branches) {
        // An output counts as free if the tail of another multicast will have left when the reservation arrives.
        const std::uint8_t channel = channel_of(worm, branch);
        const Output& output = outputs_[branch.output];
        const bool is_left = output.owner[channel] == kNoWorm &&
                             frees_at(branch.output, channel) <= now_ + branch.depth * parameters_.hop_cycles;
        if ((output.owned >> channel & 1U) != 0 && !is_left) {
            back_off(index, now_ + branch.depth * round_trip_of_hop);
            return;
        }
    }
    for (const Branch& branch : tree.branches) {
        outputs_[branch.output].owned |= 1U << channel_of(worm, branch);
        outputs_[branch.output].owner[channel_of(worm, branch)] = kNoWorm;
        frees_at(branch.output, channel_of(worm, branch)) = kNever;
    }
    worm.is_reserved = true;
    worm.asks_at = std::max(now_ + tree.depth * round_trip_of_hop + tree.grant_cycles, now_ + 1);
    due_.push(worm.asks_at, now_ + 1, Due::tree, index);
}

/// Schedules another reservation after a back-off.
void PacketLevelNetwork::back_off(WormIndex index, Cycle from) {
    Worm& worm = worms_[index];
    const NodeIndex source = node_of(worm.stages.front().output);
    worm.asks_at = from + backoff_cycles(parameters_, source, worm.failures++, tiles_[source].num_backoffs++);
    due_.push(worm.asks_at, now_ + 1, Due::tree, index);
}

/// Sends the header of a multicast whose tree is reserved through all outputs of the source's router.
void PacketLevelNetwork::depart_into_tree(WormIndex index) {
    Worm& worm = worms_[index];
    const NodeIndex source = node_of(worm.stages.front().output);
    if (worm.waits) {
        go_on(index);
    }
    worm.stages.push_back({tree_index(source), worm.own_channel});
    worm.head = 1;
    const Tree& tree = trees_[worm.tree];
    for (const Branch& branch : tree.branches) {
        const std::uint8_t channel = channel_of(worm, branch);
        Output& output = outputs_[branch.output];
        output.owner[channel] = index;
        output.headers[channel] = 0;
        flow(branch.output, channel, 1);
        if (is_ejection(branch.output)) {
            const Cycle arrives = now_ + branch.depth * parameters_.hop_cycles;
            const auto event = branch_event_pool_.allocate({arrives, worm.packet, branch.output, channel, 0});
            due_.push(arrives, now_, Due::branch, event);
        }
    }
    update_rates_of_tree(worm, index);
    worm.flits -= worm.reserves_path ? 1 : 0;  // the reservation flit is not among the rest
    Stage& place = worm.stages.back();
    place.ticks_per_flit = rate_at(worm, 1);
    place.passes = ticks_from_cycles(now_) + (worm.flits - 1) * place.ticks_per_flit;
    push_event(index, worm);
    if (worm.reserves_path) {
        client_.path_reserved(source, worm.packet, worm.requested, now_);
    }
}

/// Sends the last flit from the router of the source. It follows the header down the tree.
void PacketLevelNetwork::tail_leaves_into_tree(WormIndex index) {
    Worm& worm = worms_[index];
    const Tree& tree = trees_[worm.tree];
    for (const Branch& branch : tree.branches) {
        const std::uint8_t channel = channel_of(worm, branch);
        Output& output = outputs_[branch.output];
        output.owner[channel] = kNoWorm;
        cease(branch.output, channel);
        frees_at(branch.output, channel) = worm.keeps_path ? kNever : now_ + branch.depth * parameters_.hop_cycles;
        const Cycle arrives = now_ + branch.depth * parameters_.hop_cycles;
        const int flits = worm.flits + (worm.reserves_path && !is_ejection(branch.output) ? 1 : 0);
        const auto event = branch_event_pool_.allocate({arrives, worm.packet, branch.output, channel, flits});
        if (branch.depth == 0) {
            branch_event(event);
        } else {
            due_.push(arrives, now_ + 1, Due::branch, event);
        }
    }
    update_rates_of_tree(worm, index);
    leave(buffer_behind(worm.stages.front()));
    stand(worm.stages.front(), 0, false);
    worms_.release(index);
}

void PacketLevelNetwork::branch_event(std::uint32_t index) {
    const BranchEvent event = branch_event_pool_[index];
    if (event.cycle > now_) {
        due_.push(event.cycle, now_ + 1, Due::branch, index);
        return;
    }
    branch_event_pool_.release(index);
    const NodeIndex node = node_of(event.output);
    if (event.flits == 0) {
        client_.head_ejected(node, event.packet, event.channel, now_);
        return;
    }
    Output& output = outputs_[event.output];
    output.flits_sent += static_cast<std::uint64_t>(event.flits);
    if (frees_at(event.output, event.channel) == now_) {  // otherwise it is kept, or already owned by another packet
        output.owned &= ~(1U << event.channel);
        if (output.waiting != 0) {
            ask(event.output);
        }
    }
    if (is_ejection(event.output)) {
        report_data_flits(node, event.packet, event.channel, event.flits - 1);
        client_.packet_ejected(node, event.packet, event.channel, now_);
    }
}

void PacketLevelNetwork::update_rates_of_tree(const Worm& worm, WormIndex except) {
    for (const Branch& branch : trees_[worm.tree].branches) {
        update_rates(branch.output, except);
    }
}

}  // namespace nocbench
