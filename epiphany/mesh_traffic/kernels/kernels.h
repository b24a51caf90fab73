// Kernels that load the mesh.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/epiphany/epiphany_api.h"

namespace nocbench::mesh_traffic {

/// Block that a core copies repeatedly.
struct Transfer {
    epiphany::Address source = 0;
    epiphany::Address destination = 0;
    std::uint32_t bytes = 0;
    std::uint32_t times = 1;
};

/// Copies the blocks in order, by DMA or in a loop, in the timed zone.
void mover(const std::vector<Transfer>& transfers, bool by_dma);

/// Loads `size` bytes from `address`, dword by dword, repeatedly and back to back, in the timed zone.
void loader(epiphany::Address address, std::uint32_t size, std::uint32_t times);

}  // namespace nocbench::mesh_traffic
