// Invariants of every network, checked flit by flit.
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

/// Observer that checks the invariants of a network. Every flit read out of a tile is ejected once at each of its
/// destinations, in order. A virtual channel of an output carries one packet at a time. Buffers do not overflow. No
/// output and no tile moves two flits in a cycle, and no link exceeds its maximum run of flits. Where the rule for
/// input ports applies, which is only for unicasts, no input port sends two flits in a cycle.
class FlitLaws final : public specification::FlitObserver {
public:
    explicit FlitLaws(const TrafficPlan& plan)
        : parameters_(plan.parameters),
          limits_input_ports_(plan.parameters.one_flit_per_input_port && plan.trees.empty()) {}

    /// Returns the first violation; empty without violations.
    [[nodiscard]] const std::string& violation() const { return violation_; }

    /// To be called when all traffic has ended. Count flits read and ejected; reservations are not counted as read.
    [[nodiscard]] std::uint64_t flits_read() const { return flits_read_; }
    [[nodiscard]] std::uint64_t flits_ejected() const { return flits_ejected_; }
    /// Return the number of packets partly read or ejected, and of flits in buffers.
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
    std::map<Place, Flit> last_sent_;                        // by virtual channel of an output
    std::map<std::pair<NodeIndex, int>, Cycle> last_cycle_;  // by output port
    std::map<std::pair<NodeIndex, int>, int> on_end_;        // consecutive flits, by output port
    std::map<std::pair<NodeIndex, int>, Cycle> last_taken_;  // by input port, if limited
    std::map<NodeIndex, Cycle> last_read_;
    std::map<PacketId, int> next_read_;       // index of a packet's next flit
    std::map<PacketId, int> first_to_eject_;  // 1 if the packet follows a reservation
    std::map<std::pair<NodeIndex, PacketId>, int> next_ejected_;
};

}  // namespace nocbench::test
