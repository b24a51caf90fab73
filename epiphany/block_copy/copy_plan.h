// Copies by cores of an Epiphany chip at one point of a test: plan, run, check and measurement.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_device.h"
#include "epiphany/block_copy/kernels/kernels.h"
#include "kernels/frame/primitive.h"

namespace nocbench::block_copy {

struct CopyPlan {
    bool is_external = false;  // to or from external memory; else to or from the next core, cyclically
    bool reads = false;        // into the core's own memory; else out of it
    Executor executor = Executor::core;
    epiphany::CopyLoop loop;
    bool all_at_once = true;  // all cores copy simultaneously; else one at a time
    std::uint32_t bytes = 0;
    std::uint32_t times = 1;
    std::vector<int> cores;  // by number
};

/// Returns the copy loop as compiled for the published measurements. Those of external memory are half a year older
/// than those between cores, with a longer loop from their compiler; a descending one takes an instruction more.
/// Source: raw cycle counts of the EBSP authors, August 2015; Parallella transfer speeds, March 2016.
epiphany::CopyLoop published_loop(bool is_external, bool is_descending);

/// Addresses of the blocks in the memory of cores: source and destination in separate banks.
inline constexpr std::uint32_t kSourceOffset = 0x2000;
inline constexpr std::uint32_t kDestinationOffset = 0x4000;
inline constexpr std::uint32_t kLargestBlockBytes = 0x2000;

/// Returns the offset of a core's block in external memory.
std::uint32_t external_offset(int core);

/// Returns the data that a core copies.
std::vector<std::byte> pattern_of(const CopyPlan& plan, int core);

/// Runs the plan. The measurement has no row yet; `data_fault` is the first fault of the copied data, empty if there is
/// none.
Measurement run_copies(const CopyPlan& plan, const EpiphanyConstants& constants, const EpiphanyShape& shape,
                       std::string& data_fault, const MachineWatcher& watcher = {});

}  // namespace nocbench::block_copy
