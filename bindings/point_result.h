// Results of a point for Python.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>
#include <vector>

#include "device_model/sim/ledger.h"
#include "device_model/sim/machine.h"
#include "device_model/sim/processor.h"
#include "device_model/sim/simulated_time.h"
#include "kernels/frame/primitive.h"

namespace nocbench::bindings {

using Parameters = std::map<std::string, std::string>;
using Settings = std::vector<Setting>;

/// Returns a floor plan as a dictionary: columns, rows, flit_bytes, tiles, and the networks between them.
pybind11::dict describe_floor_plan(const FloorPlan& plan);

/// Returns cycles by cause, omitting causes without cycles.
pybind11::dict describe_waits(const Ledger& ledger);

/// Adds a processor's location to a dictionary; None for a processor on no tile.
void add_identity(const pybind11::dict& entry, const Processor::Identity& identity);

/// Returns rows, data faults, cores, links, deliveries and elapsed cycles (docs/results.md, "Details of a point").
pybind11::dict describe_result(const TestDefinition& test, const PointResult& point);

}  // namespace nocbench::bindings
