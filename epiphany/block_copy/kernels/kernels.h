// Kernels of the block copies.
#pragma once

#include <cstdint>

#include "kernels/epiphany/epiphany_api.h"

namespace nocbench::block_copy {

enum class Executor : std::uint8_t { core, dma };

struct CopyTask {
    Executor executor = Executor::core;
    epiphany::Address source = 0;
    epiphany::Address destination = 0;
    std::uint32_t bytes = 0;
    std::uint32_t times = 1;
    epiphany::CopyLoop loop;  // loop of a core's copy
    bool is_cold = false;     // the core was idle before, so its code must be fetched
};

/// Copies the block repeatedly, by a separate call each time, in the timed zone. The zone begins and ends at the
/// benchmark's timer reads.
void copier(const CopyTask& task);

}  // namespace nocbench::block_copy
