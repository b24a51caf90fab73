// The data check of traffic whose packets carry no bytes: each arrives once, where it should, and whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/noc/packet.h"

namespace nocbench::synthetic {

class ArrivalCheck {
public:
    /// Without counting them, flits that are missing from a packet go unnoticed.
    explicit ArrivalCheck(bool counts_flits) : counts_flits_(counts_flits) {}

    /// A packet of `flits` goes from `source` to `destination`. Its id belongs to it until it has arrived.
    void sent(PacketId packet, NodeIndex source, NodeIndex destination, int flits);

    // What arrives at `node`.

    void header_arrived(PacketId packet, NodeIndex node);
    void data_flits_arrived(PacketId packet, NodeIndex node, int flits);
    void packet_arrived(PacketId packet, NodeIndex node);

    [[nodiscard]] std::size_t num_under_way() const { return num_under_way_; }

    /// What was wrong first; empty if nothing was. Asked when nothing moves any more.
    [[nodiscard]] std::string fault() const;

private:
    struct Journey {
        NodeIndex source = 0;
        NodeIndex destination = 0;
        int flits = 0;
        int flits_arrived = 0;
        bool is_under_way = false;
    };

    /// Of a packet that may never have been sent.
    Journey& journey(PacketId packet);
    void require(bool is_right, const Journey& journey, NodeIndex node, std::string_view complaint);

    bool counts_flits_;
    std::vector<Journey> journeys_;  // by PacketId
    std::size_t num_under_way_ = 0;
    std::string fault_;
};

}  // namespace nocbench::synthetic
