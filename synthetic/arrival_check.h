// Data check for packets without bytes: each must arrive once, complete, at its destination.
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

    /// Records a packet of `flits` from `source` to `destination`. Its id may be reused only after its arrival.
    void sent(PacketId packet, NodeIndex source, NodeIndex destination, int flits);

    // Record arrivals at `node`.

    void header_arrived(PacketId packet, NodeIndex node);
    void data_flits_arrived(PacketId packet, NodeIndex node, int flits);
    void packet_arrived(PacketId packet, NodeIndex node);

    [[nodiscard]] std::size_t num_under_way() const { return num_under_way_; }

    /// Returns the first fault; an empty string without faults. To be called when the network is idle.
    [[nodiscard]] std::string fault() const;

private:
    struct Journey {
        NodeIndex source = 0;
        NodeIndex destination = 0;
        int flits = 0;
        int flits_arrived = 0;
        bool is_under_way = false;
    };

    /// Returns the record of a packet, also of one never sent.
    Journey& journey(PacketId packet);
    void require(bool is_right, const Journey& journey, NodeIndex node, std::string_view complaint);

    bool counts_flits_;
    std::vector<Journey> journeys_;  // indexed by PacketId
    std::size_t num_under_way_ = 0;
    std::string fault_;
};

}  // namespace nocbench::synthetic
