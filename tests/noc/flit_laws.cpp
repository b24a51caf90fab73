#include "tests/noc/flit_laws.h"

#include <fmt/format.h>

#include <algorithm>

namespace nocbench::test {

void FlitLaws::flit_read(NodeIndex node, const Flit& flit, Cycle cycle) {
    const ChannelPlace tile{kNiuPort, 0};
    const auto [last, is_first_of_node] = last_read_.try_emplace(node, cycle);
    expect(is_first_of_node || last->second < cycle, "a tile sends a flit per cycle", node, tile, cycle);
    last->second = cycle;
    int& next = next_read_[flit.packet];
    expect(flit.number == next, "a packet is read in order", node, tile, cycle);
    ++next;
    if (flit.number == 0) {
        first_to_eject_[flit.packet] = flit.reserves ? 1 : 0;
    }
    if (flit.is_tail) {
        next_read_.erase(flit.packet);
    }
    flits_read_ += flit.reserves ? 0 : 1;
}

void FlitLaws::flit_buffered(NodeIndex node, const ChannelPlace& input, const Flit& /*flit*/, Cycle cycle) {
    ++flits_buffered_;
    ++in_buffer_[{node, input}];
    check_room(node, input, cycle);
}

void FlitLaws::check_room(NodeIndex node, const ChannelPlace& input, Cycle cycle) {
    if (input.port == kNiuPort) {
        // A repeated reservation, created in the router, may exceed the buffer by one flit.
        expect(in_buffer_[{node, input}] <= parameters_.injection_buffer_flits + 1, "a stream keeps to its buffer",
               node, input, cycle);
        return;
    }
    const int own = parameters_.private_flits_per_virtual_channel;
    expect(in_buffer_[{node, input}] <= own + parameters_.shared_flits_per_virtual_channel_max,
           "a virtual channel keeps to its share of the buffer", node, input, cycle);
    int shared = 0;
    for (auto place = in_buffer_.lower_bound({node, {input.port, 0}});
         place != in_buffer_.end() && place->first < Place{node, {input.port + 1, 0}}; ++place) {
        shared += std::max(0, place->second - own);
    }
    expect(shared <= parameters_.shared_flits_per_input_port, "the buffer of an input port does not overflow", node,
           input, cycle);
}

void FlitLaws::flit_taken(NodeIndex node, const ChannelPlace& input, const Flit& /*flit*/, Cycle cycle) {
    if (limits_input_ports_) {
        const auto [last, is_first_of_port] = last_taken_.try_emplace({node, input.port}, cycle);
        expect(is_first_of_port || last->second < cycle, "an input port sends a flit per cycle", node, input, cycle);
        last->second = cycle;
    }
    --flits_buffered_;
    expect(--in_buffer_[{node, input}] >= 0, "what leaves a buffer has come into it", node, input, cycle);
}

void FlitLaws::flit_sent(NodeIndex node, const ChannelPlace& output, const Flit& flit, Cycle cycle) {
    const auto [last_cycle, is_first_of_port] = last_cycle_.try_emplace({node, output.port}, cycle);
    expect(is_first_of_port || last_cycle->second < cycle, "an output port sends a flit per cycle", node, output,
           cycle);
    int& on_end = on_end_[{node, output.port}];
    on_end = last_cycle->second == cycle - 1 ? on_end + 1 : 1;
    expect(output.port == kNiuPort || on_end <= parameters_.link_flits_on_end_max,
           "a link passes so many flits on end at most", node, output, cycle);
    last_cycle->second = cycle;

    const auto [last, is_first] = last_sent_.try_emplace({node, output}, flit);
    const Flit& before = last->second;
    // The previous flit is the tail of another packet, or a reservation that failed.
    const int first = output.port == kNiuPort ? first_to_eject_[flit.packet] : 0;
    const bool follows = flit.packet == before.packet && flit.number == before.number + 1 && !before.is_tail;
    const bool begins = flit.number == first && (is_first || before.is_tail || before.reserves);
    expect(follows || begins, "a virtual channel has one packet at a time", node, output, cycle);
    last->second = flit;

    if (output.port == kNiuPort) {
        eject(node, flit, cycle);
    }
}

void FlitLaws::eject(NodeIndex node, const Flit& flit, Cycle cycle) {
    const std::pair key{node, flit.packet};
    const int next = next_ejected_.try_emplace(key, first_to_eject_[flit.packet]).first->second++;
    expect(flit.number == next, "a packet comes out in order, each flit once", node, {kNiuPort, 0}, cycle);
    if (flit.is_tail) {
        next_ejected_.erase(key);
    }
    ++flits_ejected_;
}

void FlitLaws::expect(bool holds, const char* law, NodeIndex node, const ChannelPlace& place, Cycle cycle) {
    if (!holds && violation_.empty()) {
        violation_ = fmt::format("not so in cycle {} at node {}, port {}, channel {}: {}", cycle, node, place.port,
                                 place.channel, law);
    }
}

}  // namespace nocbench::test
