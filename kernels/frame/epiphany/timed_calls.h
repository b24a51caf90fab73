// Timing of OpenSHMEM calls: a loop of calls on all PEs simultaneously, as in the programs behind published figures.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "kernels/frame/primitive.h"
#include "kernels/shmem/native/native_guest.h"

namespace nocbench {

struct TimedCalls {
    int num_pes = 0;
    std::uint32_t num_calls = 1;  // in the loop
    shmem::Options options;
    double bytes_per_call = 0;     // moved by each PE
    std::uint64_t size_bytes = 0;  // of the result row
    /// Fills memory before the loop.
    std::function<void(shmem::Pe&)> prepare;
    /// Executes one iteration of the loop.
    std::function<void(shmem::Pe&, std::uint32_t turn)> call;
    /// Returns the fault of the data after the run; empty if there is none.
    std::function<std::string(const EpiphanyDevice&)> fault;
};

/// Calls a routine with the time of compiled code: arguments in registers, jump and return.
void call_routine(shmem::Pe& pe, std::string_view name, const std::function<void()>& routine);

/// Runs the loop, and adds the row of all PEs: the mean time of a call over iterations and PEs.
///
/// Simulation of the loop ends when iterations of all PEs together take equally long, within one in 500, or after 96
/// iterations. The remaining iterations take as long as the last half of the simulated ones. The statistic
/// `simulated_calls` counts the simulated ones.
Measurement measure_calls(const TimedCalls& calls, const Architecture& architecture, const Board& board,
                          const MachineWatcher& watcher);

}  // namespace nocbench
