// Tests of primitives in which every core of one grid transfers data with every core of another.
#pragma once

#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// Differences between the two directions of these primitives.
struct GridFamily {
    using Run = std::vector<KernelReport> (*)(const Point&);

    TransactionKind kind;     // of the calls
    const char* primitive;    // its folder
    const char* name;         // prefix of all its tests: "All to All"
    const char* kernel;       // label of the result rows
    const char* verb;         // a core's action on its partners: "writes to"
    const char* preposition;  // between the grids in a test's name: "to"
    int packet_sizes_id;
    int first_ideal_id;  // base of the ids of other ideals and of virtual channels
    int objects_id;
    int grid_sweep_id;
    int estimator_id;   // upstream's
    Run run;            // between all cores
    Run run_grids;      // from a grid of masters to a grid of subordinates
    Run run_channels;   // between grids, on several virtual channels
    Run run_objects;    // between grids, by the object API, in calls whose size the compiler does not know
    Run run_estimator;  // the same, in calls whose size the compiler knows
};

/// Returns the tests of packet sizes, directed ideals, virtual channels, and the object API.
std::vector<TestDefinition> grid_tests(const GridFamily& family);

}  // namespace nocbench
