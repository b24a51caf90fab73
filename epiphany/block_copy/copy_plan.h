// Copies by cores of an Epiphany chip at one point of a test: plan, execution, check and measurement.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_device.h"
#include "epiphany/block_copy/kernels/kernels.h"
#include "kernels/frame/primitive.h"

namespace nocbench::block_copy {

struct CopyPlan {
    bool is_external = false;  // true: external memory; false: the next core, cyclically
    bool reads = false;        // true: into the core's memory; false: out of it
    Executor executor = Executor::core;
    epiphany::CopyLoop loop;
    bool all_at_once = true;  // true: all cores copy simultaneously; false: one core at a time
    std::uint32_t bytes = 0;
    std::uint32_t times = 1;
    std::vector<int> cores;  // cores by number
};

/// Returns the copy loop as compiled for the published measurements. Those of external memory are half a year older
/// than those between cores, and their compiler made a longer loop. A descending loop takes one instruction more.
/// Source: raw cycle counts of the EBSP authors, August 2015; Parallella transfer speeds, March 2016.
epiphany::CopyLoop published_loop(bool is_external, bool is_descending);

/// Addresses of the blocks in a core's memory. Source and destination are in separate banks.
inline constexpr std::uint32_t kSourceOffset = 0x2000;
inline constexpr std::uint32_t kDestinationOffset = 0x4000;
inline constexpr std::uint32_t kLargestBlockBytes = 0x2000;

/// Returns the offset of a core's block in external memory.
std::uint32_t external_offset(int core);

std::vector<std::byte> pattern_of(const CopyPlan& plan, int core);

/// Runs the plan and returns a measurement without rows. Sets `data_fault` to the first fault of the copied data, or to
/// an empty string.
Measurement run_copies(const CopyPlan& plan, const EpiphanyConstants& constants, const EpiphanyShape& shape,
                       std::string& data_fault, const MachineWatcher& watcher = {});

}  // namespace nocbench::block_copy
