#include "synthetic/planned_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <random>
#include <string_view>

#include "device_model/sim/error.h"
#include "device_model/sim/random_numbers.h"

namespace nocbench::synthetic {

namespace {

/// Consumes a number at the front of `text`; returns -1 unless it is within [0, most].
int take_number(std::string_view& text, int most) {
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0 || number > most) {
        return -1;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool take(std::string_view& text, char character) {
    const bool is_there = text.starts_with(character);
    text.remove_prefix(is_there ? 1 : 0);
    return is_there;
}

}  // namespace

std::vector<PlannedPacket> drawn_by_one_generator(const Load& load, Shape shape, Cycle end) {
    std::mt19937_64 generator(load.seed);  // NOLINT(cert-msc51-cpp,bugprone-random-generator-seed): reproducible
    const auto share = [&] { return std::ldexp(static_cast<double>(generator()), -64); };
    const auto draw = [&](std::uint64_t number) { return static_cast<int>(generator() % number); };
    const double packets_per_cycle = load.flits_per_source_and_cycle / load.packet_flits;
    std::vector<PlannedPacket> packets;
    for (Cycle cycle = 0; cycle < end; ++cycle) {
        for (int source = 0; source < shape.size(); ++source) {
            if (share() < packets_per_cycle) {
                packets.push_back({.created = cycle,
                                   .source = source,
                                   .destination = load.pattern.destination(source, share, draw),
                                   .flits = load.packet_flits});
            }
        }
    }
    return packets;
}

std::vector<PlannedPacket> listed_packets(const std::string& list, Shape shape, int length, int most_flits) {
    constexpr int kMostCycles = 1'000'000;
    std::vector<PlannedPacket> packets;
    std::string_view rest = list;
    do {
        PlannedPacket packet{.flits = length};
        packet.source = take_number(rest, shape.size() - 1);
        const bool has_arrow = take(rest, '>');
        packet.destination = take_number(rest, shape.size() - 1);
        packet.flits = take(rest, 'x') ? take_number(rest, most_flits) : length;
        packet.created = take(rest, '@') ? take_number(rest, kMostCycles) : 0;
        if (!has_arrow || packet.source < 0 || packet.destination < 0 || packet.flits < 1 || packet.created < 0 ||
            (!rest.empty() && rest.front() != '+')) {
            throw InputError(fmt::format(
                "parameter packets: expected source>destination, with xflits (1 to {}) or @cycle behind it or not, of "
                "nodes 0 to {}, and + before the next one, found '{}'",
                most_flits, shape.size() - 1, list));
        }
        packets.push_back(packet);
    } while (take(rest, '+'));
    std::ranges::stable_sort(packets, {}, &PlannedPacket::created);
    return packets;
}

}  // namespace nocbench::synthetic
