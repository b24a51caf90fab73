// Packets that wait for each other. Datelines, a class of virtual channels for responses and the reservation of trees
// prevent that; where one of these rules is broken, this names what holds what.
#pragma once

#include <compare>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"

namespace nocbench {

/// A packet that does not go on, and where.
struct WaitingPacket {
    NodeIndex node = 0;
    int input_port = 0;
    int virtual_channel = 0;  // of the input port
    Packet packet;
    bool has_output = false;  // owns the virtual channels that it goes out on
    int output_port = -1;     // of a unicast

    bool operator==(const WaitingPacket&) const = default;
};

/// Network that knows who waits for whom: the engine and the specification.
class WaitForGraph {
public:
    /// Input virtual channel of a router.
    struct Place {
        NodeIndex node = 0;
        int port = 0;
        int channel = 0;

        auto operator<=>(const Place&) const = default;
    };

    virtual ~WaitForGraph() = default;

    /// Returns the places whose front packet a router has looked at, in order.
    [[nodiscard]] virtual std::vector<Place> front_packets() = 0;

    /// Returns the places that the front packet of `place` waits for; one of them after the other has to give way.
    [[nodiscard]] virtual std::vector<Place> waits_for(const Place& place) const = 0;

    [[nodiscard]] virtual WaitingPacket waiting_packet(const Place& place) const = 0;
};

/// Returns packets each of which waits for the next one, and the last one for the first. Empty if there are none, or
/// the network does not know. Meant for a network in which nothing moves any more.
[[nodiscard]] std::vector<WaitingPacket> find_wait_for_cycle(Network& network);

}  // namespace nocbench
