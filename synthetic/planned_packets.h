// Packets known before the run: drawn as in an RTL router's test bench, or listed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/sim/simulated_time.h"
#include "synthetic/open_loop.h"
#include "synthetic/pattern.h"

namespace nocbench::synthetic {

/// Returns packets of all sources up to `end`, drawn from one generator cycle by cycle and source by source: first
/// whether a packet is created, then its destination. The generator is std::mt19937_64, with a share of 1 as 2^64 of
/// its numbers. Rate, packet length and seed are those of `load`.
std::vector<PlannedPacket> drawn_by_one_generator(const Load& load, Shape shape, Cycle end);

/// Returns the packets of a list such as "0>15x32+1>15x32@10": from source 0 to destination 15, 32 flits; in cycle 10,
/// the same from source 1. `length` is the default. Throws InputError that names the parameter `packets`.
std::vector<PlannedPacket> listed_packets(const std::string& list, Shape shape, int length, int most_flits);

}  // namespace nocbench::synthetic
