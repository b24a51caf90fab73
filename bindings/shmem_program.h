// Conversion of OpenSHMEM programs and their results between Python and C++.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "bindings/point_result.h"

namespace nocbench::bindings {

/// Returns, by name, the address of each routine that the simulator executes, as a negative number.
pybind11::dict describe_shmem_routines();

/// Runs a program; scripts/nocbench/_core.pyi has the shape of `program` and of the result.
pybind11::dict run_shmem_program(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                 const Settings& settings);
pybind11::dict run_shmem_watched(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                 const Settings& settings, const MachineWatcher& watcher);

}  // namespace nocbench::bindings
