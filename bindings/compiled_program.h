// Programs of compiled kernels, from Python values and to them.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>

#include "bindings/point_result.h"

namespace nocbench::bindings {

/// Runs a program; scripts/nocbench/_core.pyi has the shape of `program` and of the result.
pybind11::dict run_compiled_program(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                    const Settings& settings);

}  // namespace nocbench::bindings
