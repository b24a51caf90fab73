// Kernels of the block copies.
#pragma once

#include <cstdint>

#include "kernels/epiphany/epiphany_api.h"

namespace nocbench::block_copy {

enum class Executor : std::uint8_t { core, dma };

/// One core's copy.
struct CopyTask {
    Executor executor = Executor::core;
    epiphany::Address source = 0;
    epiphany::Address destination = 0;
    std::uint32_t bytes = 0;
    std::uint32_t times = 1;
    epiphany::CopyLoop loop;  // of a core
    bool is_cold = false;     // the core was idle before: its code must be fetched
};

/// Copies the block repeatedly in the timed zone, with a call each time. The zone begins and ends where the benchmark
/// reads its timer.
void copier(const CopyTask& task);

}  // namespace nocbench::block_copy
