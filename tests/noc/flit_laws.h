// What no network may do, watched flit by flit.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "device_model/noc/specification/flit_by_flit_network.h"
#include "tests/noc/traffic.h"

namespace nocbench::test {

using specification::ChannelPlace;
using specification::Flit;

/// Watches that every flit that is read out of a tile comes out of the network at each of its destinations once, in
/// order; that a virtual channel of an output has one packet at a time; that buffers hold no more flits than they have
/// room for; that no output and no tile moves two flits in a cycle, and no link more on end than it can. Nor may an
/// input port, where that is the rule and nothing but unicasts moves, which it is for.
class FlitLaws final : public specification::FlitObserver {
public:
    explicit FlitLaws(const TrafficPlan& plan)
        : parameters_(plan.parameters),
          limits_input_ports_(plan.parameters.one_flit_per_input_port && plan.trees.empty()) {}

    /// What was done first that may not be done; empty if nothing was.
    [[nodiscard]] const std::string& violation() const { return violation_; }

    /// Call it when all traffic has gone. Of flits that were read; reservations are none of the packet's own.
    [[nodiscard]] std::uint64_t flits_read() const { return flits_read_; }
    [[nodiscard]] std::uint64_t flits_ejected() const { return flits_ejected_; }
    /// Packets that have begun to come out somewhere and have not ended, and flits that are in a buffer.
    [[nodiscard]] std::size_t packets_unfinished() const { return next_ejected_.size() + next_read_.size(); }
    [[nodiscard]] int flits_buffered() const { return flits_buffered_; }

    void flit_read(NodeIndex node, const Flit& flit, Cycle cycle) override;
    void flit_buffered(NodeIndex node, const ChannelPlace& input, const Flit& flit, Cycle cycle) override;
    void flit_taken(NodeIndex node, const ChannelPlace& input, const Flit& flit, Cycle cycle) override;
    void flit_sent(NodeIndex node, const ChannelPlace& output, const Flit& flit, Cycle cycle) override;

private:
    using Place = std::pair<NodeIndex, ChannelPlace>;

    void check_room(NodeIndex node, const ChannelPlace& input, Cycle cycle);
    void eject(NodeIndex node, const Flit& flit, Cycle cycle);
    void expect(bool holds, const char* law, NodeIndex node, const ChannelPlace& place, Cycle cycle);

    const NetworkParameters parameters_;
    const bool limits_input_ports_;
    std::string violation_;
    std::uint64_t flits_read_ = 0;
    std::uint64_t flits_ejected_ = 0;
    int flits_buffered_ = 0;
    std::map<Place, int> in_buffer_;
    std::map<Place, Flit> last_sent_;                        // through each virtual channel of an output
    std::map<std::pair<NodeIndex, int>, Cycle> last_cycle_;  // of each output port
    std::map<std::pair<NodeIndex, int>, int> on_end_;        // flits, through each output port
    std::map<std::pair<NodeIndex, int>, Cycle> last_taken_;  // of each input port, where that is limited
    std::map<NodeIndex, Cycle> last_read_;                   // cycle
    std::map<PacketId, int> next_read_;                      // flit of a packet
    std::map<PacketId, int> first_to_eject_;                 // 1 if one that reserves is before it
    std::map<std::pair<NodeIndex, PacketId>, int> next_ejected_;
};

}  // namespace nocbench::test
