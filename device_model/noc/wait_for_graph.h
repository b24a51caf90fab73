// Detection of packets that wait for each other. Datelines, separate virtual channels for responses, and the
// reservation of trees prevent such deadlocks; if one of these rules is broken, this finds the packets involved.
#pragma once

#include <compare>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"

namespace nocbench {

/// Packet that is stuck, and its location.
struct WaitingPacket {
    NodeIndex node = 0;
    int input_port = 0;
    int virtual_channel = 0;  // input VC
    Packet packet;
    bool has_output = false;  // owns the virtual channels through which it leaves
    int output_port = -1;     // of unicasts

    bool operator==(const WaitingPacket&) const = default;
};

/// Network that can report its wait-for graph: the engine and the specification.
class WaitForGraph {
public:
    /// Input VC of a router.
    struct Place {
        NodeIndex node = 0;
        int port = 0;
        int channel = 0;

        auto operator<=>(const Place&) const = default;
    };

    virtual ~WaitForGraph() = default;

    /// Returns the input VCs whose front packet has been looked at, in order.
    [[nodiscard]] virtual std::vector<Place> front_packets() = 0;

    /// Returns the input VCs whose packets must all move on before the front packet of `place` can.
    [[nodiscard]] virtual std::vector<Place> waits_for(const Place& place) const = 0;

    [[nodiscard]] virtual WaitingPacket waiting_packet(const Place& place) const = 0;
};

/// Returns a cycle of packets, each of which waits for the next one and the last one for the first. Empty if there is
/// none, or if the network cannot report it. Meant for a network in which nothing moves any more.
[[nodiscard]] std::vector<WaitingPacket> find_wait_for_cycle(Network& network);

}  // namespace nocbench
