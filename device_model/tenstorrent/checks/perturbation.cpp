#include "device_model/tenstorrent/checks/perturbation.h"

#include "device_model/sim/random_numbers.h"

namespace nocbench {

namespace {

// Longer than the launch of all cores takes, and than a round trip with the largest packet.
constexpr std::uint64_t kStartCyclesMax = 4000;
constexpr std::uint64_t kOtherCyclesMax = 600;
constexpr std::uint64_t kEventsPerDelay = 4;

}  // namespace

Cycle Perturbation::next(Kind kind, NodeIndex node, int noc) {
    constexpr unsigned kKindBit = 56;
    constexpr unsigned kNocBit = 52;
    constexpr unsigned kNodeBit = 36;
    const std::uint64_t tile = std::uint64_t{static_cast<std::uint8_t>(kind)} << kKindBit |
                               static_cast<std::uint64_t>(noc) << kNocBit | std::uint64_t{node} << kNodeBit;
    const std::uint64_t place = tile | counts_[tile]++;
    RandomNumbers random(settings_.seed ^ splitmix64(place));
    const std::uint64_t chosen = random.next();
    const std::uint64_t most = kind == Kind::start ? kStartCyclesMax : kOtherCyclesMax;
    if ((kind != Kind::start && chosen % kEventsPerDelay != 0) ||
        (settings_.only.has_value() && !settings_.only->contains(place))) {
        return 0;
    }
    const auto cycles = static_cast<Cycle>(random.next() % most) + 1;
    delays_.push_back({place, kind, node, noc, cycles});
    return cycles;
}

}  // namespace nocbench
