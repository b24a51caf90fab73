// Sweeps shared by several primitives on Tenstorrent chips, besides packet sizes.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// Returns the directed ideals of the published tests, which show the highest bandwidth: 256 calls of nearly all of L1
/// between two buffers of equal size. The quick tier has 16 calls.
Sweep directed_ideal_sweep(const Architecture& architecture, Tier tier);

/// Returns 1 to 256 calls of a flit to a packet, in powers of 4 and 2.
Sweep one_packet_sweep(const Architecture& architecture, Tier tier);

/// Returns the sweep of one_packet_sweep() with calls of the longest packet only.
Sweep one_packet_ideal_sweep(const Architecture& architecture, Tier tier);

/// Returns the published packet sizes for kernels that are compiled for each size; fewer sizes in the quick tier.
Sweep compiled_packet_size_sweep(const Architecture& architecture, Tier tier);

/// Returns 256 calls of 1 to 4096 flits, on both NoCs (`noc`), alternating over 1 to 4 virtual channels (`vcs`).
Sweep virtual_channel_sweep(const Architecture& architecture, Tier tier);

/// Returns one point of virtual_channel_sweep(): 256 calls of a flit over 4 virtual channels on NoC 0.
Sweep virtual_channel_custom_sweep(const Architecture& architecture, Tier tier);

/// Returns 1, 16 and 256 calls of a flit to 64 KiB on grids of 2x2 and 4x4 cores and on all cores (`master_grid`).
Sweep grid_sweep(const Architecture& architecture, Tier tier);

/// Returns one call of half of L1; of a packet in the quick tier.
Sweep half_l1_sweep(const Architecture& architecture, Tier tier);

std::size_t num_dram_banks(const Architecture& architecture, const Board& board);

/// Returns `first` times 1, 2, 4 ... up to `last`.
std::vector<std::int64_t> powers_of_two(std::int64_t first, std::int64_t last);

std::int64_t packet_bytes_max(const TorusArchitecture& architecture);

/// Returns the bytes of the longest call from a buffer at kL1BufferAddress.
std::int64_t l1_call_bytes_max(const TorusArchitecture& architecture);

}  // namespace nocbench
