// Seeded delays, by which a program meets orders of events that its own timing hides. A delay depends on the seed and
// on its place alone, so that a run with some of the delays of another one has just these.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "device_model/sim/ids.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class Perturbation {
public:
    enum class Kind : std::uint8_t { start, command, arrival, response };

    struct Settings {
        std::uint64_t seed = 0;
        std::optional<std::set<std::uint64_t>> only;  // places of delays; empty: all
    };

    struct Delay {
        std::uint64_t place = 0;
        Kind kind = Kind::start;
        NodeIndex node = 0;
        int noc = 0;  // of a start, the RISC
        Cycle cycles = 0;
    };

    explicit Perturbation(Settings settings) : settings_(std::move(settings)) {}

    /// Returns the delay of the next event of a kind on a tile.
    Cycle next(Kind kind, NodeIndex node, int noc);
    [[nodiscard]] const std::vector<Delay>& delays() const { return delays_; }

private:
    Settings settings_;
    std::map<std::uint64_t, std::uint64_t> counts_;  // of events so far, by kind and place
    std::vector<Delay> delays_;
};

}  // namespace nocbench
