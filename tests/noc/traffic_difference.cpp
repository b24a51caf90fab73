#include "tests/noc/traffic_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace nocbench::test {

namespace {

struct Event {
    std::string name;
    Cycle cycle = kNever;
};

std::vector<Event> events(const PacketTimes& times) {
    std::vector<Event> all{{"started", times.started},
                           {"read out of its tile", times.finished},
                           {"path requested", times.path_requested},
                           {"path reserved", times.path_reserved}};
    for (std::size_t number = 0; number <= times.further_ejections.size(); ++number) {
        all.push_back({fmt::format("head at destination {}", number), times.at(number).head});
        all.push_back({fmt::format("tail at destination {}", number), times.at(number).tail});
    }
    return all;
}

std::string text(Cycle cycle) { return cycle == kNever ? "never" : std::to_string(cycle); }

std::string description(const TrafficPlan& plan, const PlannedPacket& packet) {
    return fmt::format("{} to {}: {} flits, {} channel {}, stream {}, ready {}, {} ticks per flit, answer {}{}",
                       packet.source, fmt::join(destinations(plan, packet), " and "), packet.flits,
                       packet.is_static ? "static" : "dynamic", packet.virtual_channel, packet.injection_stream(),
                       packet.ready, packet.ticks_per_flit, packet.answer_flits, packet.linked ? ", linked" : "");
}

/// Packets that belong together: a chain of linked packets.
using Unit = std::vector<PlannedPacket>;

std::vector<Unit> units_of(const std::vector<PlannedPacket>& packets) {
    std::vector<Unit> units;
    bool continues = false;
    for (const PlannedPacket& packet : packets) {
        if (!continues) {
            units.emplace_back();
        }
        units.back().push_back(packet);
        continues = packet.linked;
    }
    return units;
}

std::vector<PlannedPacket> packets_of(const std::vector<Unit>& units) {
    std::vector<PlannedPacket> packets;
    for (const Unit& unit : units) {
        packets.insert(packets.end(), unit.begin(), unit.end());
    }
    return packets;
}

}  // namespace

std::string first_difference(const TrafficPlan& plan, const TrafficOutcome& expected, const TrafficOutcome& found) {
    const std::vector<PlannedPacket> packets = with_answers(plan);
    Cycle earliest = kNever;
    std::string difference;
    for (std::size_t index = 0; index < packets.size(); ++index) {
        const std::vector<Event> expected_events = events(expected.packets[index]);
        const std::vector<Event> found_events = events(found.packets[index]);
        for (std::size_t number = 0; number < expected_events.size(); ++number) {
            const auto& [name, expected_cycle] = expected_events[number];
            const Cycle found_cycle = found_events[number].cycle;
            if (expected_cycle != found_cycle && std::min(expected_cycle, found_cycle) < earliest) {
                earliest = std::min(expected_cycle, found_cycle);
                difference =
                    fmt::format("packet {} ({}): {} in {}, expected in {}", index, description(plan, packets[index]),
                                name, text(found_cycle), text(expected_cycle));
            }
        }
    }
    if (difference.empty() && expected.packets != found.packets) {
        difference = "flits that were metered, or how often packets were ejected";
    }
    // If packets did not arrive, the engine does not know their progress.
    if (difference.empty() && expected.packets_in_flight == 0 && expected != found) {
        difference = "flits that tiles or outputs sent";
    }
    return difference;
}

TrafficPlan smallest_plan(TrafficPlan plan, const std::function<bool(const TrafficPlan&)>& property) {
    std::vector<Unit> units = units_of(plan.packets);
    // Removes runs of packets: long runs while possible, then shorter ones.
    for (std::size_t length = std::max<std::size_t>(1, units.size() / 2); length > 0; length /= 2) {
        for (std::size_t first = 0; first < units.size();) {
            std::vector<Unit> fewer = units;
            const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(first);
            fewer.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(length, units.size() - first)));
            plan.packets = packets_of(fewer);
            if (property(plan)) {
                units = std::move(fewer);
            } else {
                first += length;
            }
        }
    }
    plan.packets = packets_of(units);
    return plan;
}

std::string description(const TrafficPlan& plan) {
    const NetworkParameters& parameters = plan.parameters;
    std::string all = fmt::format(
        "{} x {} of NoC {}; hop {}, credit {}, injection {}, reply {}, back-off {} doubled {} times; buffers {} + {} "
        "of "
        "{}; groups of {}, of responses {}; {}injection buffer {}, read ahead {}; windows of {}, nodes behind by [{}]; "
        "{} answer "
        "streams, {} "
        "requests held of a channel, "
        "{} after data; {}\n",
        plan.columns, plan.rows, plan.noc, parameters.hop_cycles, parameters.credit_return_cycles,
        parameters.injection_cycles, parameters.reservation_reply_cycles, parameters.reservation_backoff_cycles,
        parameters.reservation_backoff_doublings_max, parameters.private_flits_per_virtual_channel,
        parameters.shared_flits_per_virtual_channel_max, parameters.shared_flits_per_input_port,
        parameters.dynamic_group, parameters.dynamic_response_group,
        parameters.one_flit_per_input_port ? "a flit of each input port; " : "", parameters.injection_buffer_flits,
        parameters.read_ahead_flits, parameters.window_cycles, fmt::join(parameters.skew_cycles, " "),
        plan.answer_streams,
        plan.requests_held_per_channel_max ? std::to_string(*plan.requests_held_per_channel_max) : "any",
        plan.data_pause_cycles ? fmt::format("pauses of {}", *plan.data_pause_cycles) : "no pauses",
        parameters.link_flits_on_end_max == NetworkParameters::kNeverIdles
            ? "links do not idle"
            : fmt::format("links idle after {} flits", parameters.link_flits_on_end_max));
    for (const PlannedBlocking& blocking : plan.blockings) {
        all += fmt::format("node {} takes no requests from {} to {}\n", blocking.node, blocking.begin, blocking.end);
    }
    for (const PlannedPacket& packet : plan.packets) {
        all += description(plan, packet) + '\n';
    }
    return all;
}

}  // namespace nocbench::test
