// Kernels that load the mesh.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/epiphany/epiphany_api.h"

namespace nocbench::mesh_traffic {

/// One block that a core copies, again and again.
struct Transfer {
    epiphany::Address source = 0;
    epiphany::Address destination = 0;
    std::uint32_t bytes = 0;
    std::uint32_t times = 1;
};

/// Copies one block after the other, by DMA or in a loop, in the timed zone.
void mover(const std::vector<Transfer>& transfers, bool by_dma);

/// Loads `size` bytes from `address` on, dword by dword if there are more than one, again and again, without anything
/// in between, in the timed zone.
void loader(epiphany::Address address, std::uint32_t size, std::uint32_t times);

}  // namespace nocbench::mesh_traffic
