#include "device_model/noc/wait_for_graph.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace nocbench {

std::vector<WaitingPacket> find_wait_for_cycle(Network& network) {
    auto* const graph = dynamic_cast<WaitForGraph*>(&network);
    if (graph == nullptr) {
        return {};
    }
    using Place = WaitForGraph::Place;
    struct Visit {
        Place place;
        std::vector<Place> next;
    };
    // Depth-first search: meeting a place that is on the current path closes a cycle.
    std::vector<Visit> way;
    std::set<Place> met;
    const auto visit = [&](const Place& place) {
        if (met.insert(place).second) {
            way.push_back({place, graph->waits_for(place)});
        }
    };
    for (const Place& start : graph->front_packets()) {
        visit(start);
        while (!way.empty()) {
            if (way.back().next.empty()) {
                way.pop_back();
                continue;
            }
            const Place next = way.back().next.back();
            way.back().next.pop_back();
            if (const auto first = std::ranges::find(way, next, &Visit::place); first != way.end()) {
                std::vector<WaitingPacket> cycle;
                std::transform(first, way.end(), std::back_inserter(cycle),
                               [&](const Visit& each) { return graph->waiting_packet(each.place); });
                return cycle;
            }
            visit(next);
        }
    }
    return {};
}

}  // namespace nocbench
