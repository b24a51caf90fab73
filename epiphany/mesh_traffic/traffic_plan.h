// Traffic of one point of a mesh test: plan, execution, check and measurement.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_device.h"
#include "epiphany/mesh_traffic/kernels/kernels.h"
#include "kernels/frame/primitive.h"

namespace nocbench::mesh_traffic {

/// Patterns of the vendor's example tests.
/// Source: adapteva epiphany-examples, emesh tests and e-bandwidth-test.
enum class Pattern : std::uint8_t {
    neighbors,   // every core writes to its four neighbours, around the edges, and then reads from them
    all_to_one,  // all other cores write to core (1, 1)
    bisection,   // cores of the left half write to those of the right half
};

/// Returns the size of the largest block that fits into a core's memory, by pattern.
std::uint32_t largest_block_bytes(Pattern pattern, int num_cores);

struct TrafficPlan {
    Pattern pattern = Pattern::neighbors;
    bool by_dma = true;
    std::uint32_t bytes = 0;
    std::uint32_t times = 1;
};

struct TrafficRun {
    Measurement measurement;  // without rows
    std::uint64_t bytes = 0;  // moved by all cores, per repetition
    std::string data_fault;   // first fault of the data; otherwise empty
};

TrafficRun run_traffic(const TrafficPlan& plan, const EpiphanyConstants& constants, const EpiphanyShape& shape,
                       const MachineWatcher& watcher = {});

}  // namespace nocbench::mesh_traffic
