// Data check for packets without bytes: each arrives once, at its destination, and complete.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/noc/packet.h"

namespace nocbench::synthetic {

class ArrivalCheck {
public:
    /// Without `counts_flits`, missing flits of a packet go undetected.
    explicit ArrivalCheck(bool counts_flits) : counts_flits_(counts_flits) {}

    /// Notes a packet of `flits` from `source` to `destination`. The id stays its own until it has arrived.
    void sent(PacketId packet, NodeIndex source, NodeIndex destination, int flits);

    // Note arrivals at `node`.

    void header_arrived(PacketId packet, NodeIndex node);
    void data_flits_arrived(PacketId packet, NodeIndex node, int flits);
    void packet_arrived(PacketId packet, NodeIndex node);

    [[nodiscard]] std::size_t num_under_way() const { return num_under_way_; }

    /// Returns the first fault; empty if there is none. Call it when the network is idle.
    [[nodiscard]] std::string fault() const;

private:
    struct Journey {
        NodeIndex source = 0;
        NodeIndex destination = 0;
        int flits = 0;
        int flits_arrived = 0;
        bool is_under_way = false;
    };

    /// Returns the journey of a packet, even of one never sent.
    Journey& journey(PacketId packet);
    void require(bool is_right, const Journey& journey, NodeIndex node, std::string_view complaint);

    bool counts_flits_;
    std::vector<Journey> journeys_;  // by PacketId
    std::size_t num_under_way_ = 0;
    std::string fault_;
};

}  // namespace nocbench::synthetic
