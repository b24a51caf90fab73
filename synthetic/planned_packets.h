// Packets that are known before a network runs: drawn as a test bench of a router in RTL draws them, or listed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/sim/simulated_time.h"
#include "synthetic/open_loop.h"
#include "synthetic/pattern.h"

namespace nocbench::synthetic {

/// Packets of all sources up to `end`, as one generator draws them: cycle by cycle, source by source, whether a packet
/// is created, and if one is, where it goes to. The generator is std::mt19937_64, and a share of 1 is 2^64 of its
/// numbers. The rate and the length of packets are those of `load`, whose seed is that of the generator.
std::vector<PlannedPacket> drawn_by_one_generator(const Load& load, Shape shape, Cycle end);

/// The packets of a list such as "0>15x32+1>15x32@10": from source 0 to destination 15, 32 flits, and in cycle 10 the
/// same from source 1. `length` is that of packets without one. Throws InputError that names the parameter `packets`.
std::vector<PlannedPacket> listed_packets(const std::string& list, Shape shape, int length, int most_flits);

}  // namespace nocbench::synthetic
