// How long calls of OpenSHMEM take: a loop of calls on all PEs at once, as the programs behind published figures time
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "device_model/arch/architecture.h"
#include "kernels/frame/primitive.h"
#include "kernels/shmem/native/native_guest.h"

namespace nocbench {

struct TimedCalls {
    int num_pes = 0;
    std::uint32_t num_calls = 1;  // in the loop
    shmem::Options options;
    double bytes_per_call = 0;     // that a PE moves
    std::uint64_t size_bytes = 0;  // of the result row
    /// Before the loop: fills memory.
    std::function<void(shmem::Pe&)> prepare;
    /// One turn of it.
    std::function<void(shmem::Pe&, std::uint32_t turn)> call;
    /// After the run: what is wrong with the data; empty: nothing.
    std::function<std::string(const EpiphanyDevice&)> fault;
};

/// Calls a routine as compiled code does: arguments in registers, the jumps there and back.
void call_routine(shmem::Pe& pe, std::string_view name, const std::function<void()>& routine);

/// Runs the loop and adds the row of all PEs: the mean of a call, over turns and PEs.
///
/// Once the turns of all PEs together take the same time, to one in 500, or after 96 of them, the rest are not
/// simulated: they take as long as the last half of those that were. The statistic `simulated_calls` says how many
/// there were.
Measurement measure_calls(const TimedCalls& calls, const Architecture& architecture, const Board& board,
                          const MachineWatcher& watcher);

}  // namespace nocbench
