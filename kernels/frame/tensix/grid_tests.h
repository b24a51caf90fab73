// The tests of primitives in which every core of a grid talks to every core of a grid.
#pragma once

#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// What the two directions of these primitives differ in.
struct GridFamily {
    using Run = std::vector<KernelReport> (*)(const Point&);

    TransactionKind kind;     // of the calls
    const char* primitive;    // its folder
    const char* name;         // of all its tests, in the beginning: "All to All"
    const char* kernel;       // label of the result rows
    const char* verb;         // what a core does with the cores that it talks to: "writes to"
    const char* preposition;  // between the grids in the name of a test: "to"
    int packet_sizes_id;
    int first_ideal_id;  // those of the other ideals and of the virtual channels are counted from it
    int objects_id;
    int grid_sweep_id;
    Run run;           // between all cores
    Run run_grids;     // from a grid of masters to a grid of subordinates
    Run run_channels;  // likewise, on several virtual channels
    Run run_objects;   // likewise, by the object API
};

/// Packet sizes, directed ideals, virtual channels, and the tests of the object API.
std::vector<TestDefinition> grid_tests(const GridFamily& family);

}  // namespace nocbench
