// Host programs: compiled by the caller, and loaded into this process.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "bindings/point_result.h"

namespace nocbench::bindings {

/// Runs `main` of the shared library `library` with `arguments`; scripts/nocbench/_core.pyi describes the rest.
pybind11::tuple run_host_program(const std::string& library, const std::vector<std::string>& arguments,
                                 const std::string& arch, const std::string& board, const Settings& settings,
                                 const pybind11::dict& options);

}  // namespace nocbench::bindings
