// Packets known before the run: drawn as in the test bench of an RTL router, or listed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/sim/simulated_time.h"
#include "synthetic/open_loop.h"
#include "synthetic/pattern.h"

namespace nocbench::synthetic {

/// Returns packets of all sources up to `end`, drawn from one generator, cycle by cycle and source by source: first the
/// decision to create a packet, then its destination. The generator is std::mt19937_64; a probability of 1 corresponds
/// to 2^64. Rate, packet length and seed are those of `load`.
std::vector<PlannedPacket> drawn_by_one_generator(const Load& load, Shape shape, Cycle end);

/// Returns the packets of a list. "0>15x32+1>15x32@10" stands for 32 flits from source 0 to destination 15 in cycle 0,
/// and 32 flits from source 1 to destination 15 in cycle 10. `length` is the default length. Throws InputError that
/// names the parameter `packets`.
std::vector<PlannedPacket> listed_packets(const std::string& list, Shape shape, int length, int most_flits);

}  // namespace nocbench::synthetic
