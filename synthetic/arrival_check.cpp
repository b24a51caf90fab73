#include "synthetic/arrival_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace nocbench::synthetic {

void ArrivalCheck::sent(PacketId packet, NodeIndex source, NodeIndex destination, int flits) {
    journey(packet) = {source, destination, flits, 0, true};
    ++num_under_way_;
}

void ArrivalCheck::header_arrived(PacketId packet, NodeIndex node) {
    Journey& journey = this->journey(packet);
    require(journey.is_under_way, journey, node, "its header arrived once more");
    require(journey.destination == node, journey, node, "its header arrived at another node");
    require(journey.flits_arrived == 0, journey, node, "its header arrived after other flits");
    ++journey.flits_arrived;
}

void ArrivalCheck::data_flits_arrived(PacketId packet, NodeIndex node, int flits) {
    Journey& journey = this->journey(packet);
    require(journey.is_under_way, journey, node, "a flit arrived after its last one");
    require(journey.destination == node, journey, node, "a flit arrived at another node");
    require(journey.flits_arrived != 0, journey, node, "a flit arrived before its header");
    journey.flits_arrived += flits;
}

void ArrivalCheck::packet_arrived(PacketId packet, NodeIndex node) {
    Journey& journey = this->journey(packet);
    require(journey.is_under_way, journey, node, "it arrived once more");
    require(journey.destination == node, journey, node, "it arrived at another node");
    const int expected = counts_flits_ ? journey.flits : 1;
    if (journey.flits_arrived != expected) {
        require(false, journey, node,
                fmt::format("it arrived with {} flits instead of {}", journey.flits_arrived, expected));
    }
    num_under_way_ -= journey.is_under_way ? 1 : 0;
    journey.is_under_way = false;
}

std::string ArrivalCheck::fault() const {
    if (fault_.empty() && num_under_way_ != 0) {
        const auto lost = std::ranges::find(journeys_, true, &Journey::is_under_way);
        return fmt::format("{} packets never arrived, such as one from node {} to node {}", num_under_way_,
                           lost->source, lost->destination);
    }
    return fault_;
}

ArrivalCheck::Journey& ArrivalCheck::journey(PacketId packet) {
    if (packet >= journeys_.size()) {
        journeys_.resize(packet + 1);
    }
    return journeys_[packet];
}

void ArrivalCheck::require(bool is_right, const Journey& journey, NodeIndex node, std::string_view complaint) {
    if (!is_right && fault_.empty()) {
        fault_ = fmt::format("packet from node {} to node {}: {}; seen at node {}", journey.source, journey.destination,
                             complaint, node);
    }
}

}  // namespace nocbench::synthetic
