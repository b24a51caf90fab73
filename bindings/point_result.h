// What Python is told about a point that has run.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>
#include <vector>

#include "device_model/sim/simulated_time.h"
#include "kernels/frame/primitive.h"

namespace nocbench::bindings {

using Parameters = std::map<std::string, std::string>;
using Settings = std::vector<Setting>;

/// Rows, cores, links, deliveries and elapsed cycles; docs/results.md, "Details of a point".
pybind11::dict describe_result(const TestDefinition& test, const PointResult& point);

}  // namespace nocbench::bindings
