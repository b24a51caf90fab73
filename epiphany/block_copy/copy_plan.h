// What cores of an Epiphany chip copy at one point of a test, and how that is run, checked and measured.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_device.h"
#include "epiphany/block_copy/kernels/kernels.h"
#include "kernels/frame/primitive.h"

namespace nocbench::block_copy {

struct CopyPlan {
    bool is_external = false;  // to or from external memory; else to or from the next core, the last one's is the first
    bool reads = false;        // from there to the core's own memory; else writes there
    Executor executor = Executor::core;
    epiphany::CopyLoop loop;
    bool all_at_once = true;  // the cores copy at the same time; else each by itself, with no other core at work
    std::uint32_t bytes = 0;
    std::uint32_t times = 1;
    std::vector<int> cores;  // by number
};

/// The loop as the published measurements had it compiled. Those of external memory are half a year older than those
/// between cores, and their compiler made a longer loop of it; a descending one takes an instruction more.
/// Source: raw cycle counts of the EBSP authors, August 2015; Parallella transfer speeds, March 2016.
epiphany::CopyLoop published_loop(bool is_external, bool is_descending);

/// Addresses of the blocks in the memory of cores: what is read, and what is written, on banks of their own.
inline constexpr std::uint32_t kSourceOffset = 0x2000;
inline constexpr std::uint32_t kDestinationOffset = 0x4000;
inline constexpr std::uint32_t kLargestBlockBytes = 0x2000;

/// The block of a core in external memory.
std::uint32_t external_offset(int core);

/// What is copied by a core.
std::vector<std::byte> pattern_of(const CopyPlan& plan, int core);

/// Runs the plan. The measurement has no row yet; `data_fault`
/// says what was found wrong first in what was copied, and is empty if nothing was.
Measurement run_copies(const CopyPlan& plan, const EpiphanyConstants& constants, const EpiphanyShape& shape,
                       std::string& data_fault, const MachineWatcher& watcher = {});

}  // namespace nocbench::block_copy
