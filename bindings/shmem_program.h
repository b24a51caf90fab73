// Conversion of OpenSHMEM programs and their results between Python and C++.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "bindings/point_result.h"

namespace nocbench::bindings {

/// Returns the address of each routine that the simulator executes, by name, as a negative number.
pybind11::dict describe_shmem_routines();

/// Run a program; scripts/nocbench/_core.pyi describes `program` and the result.
pybind11::dict run_shmem_program(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                 const Settings& settings);
pybind11::dict run_shmem_watched(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                 const Settings& settings, const MachineWatcher& watcher);

}  // namespace nocbench::bindings
