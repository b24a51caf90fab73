// Programs of OpenSHMEM, from Python values and to them.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "bindings/point_result.h"

namespace nocbench::bindings {

/// By name: the address of each routine that the simulator carries out, as a negative number.
pybind11::dict describe_shmem_routines();

/// Runs a program; scripts/nocbench/_core.pyi has the shape of `program` and of the result.
pybind11::dict run_shmem_program(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                 const Settings& settings);
/// The same with a watcher of the machine.
pybind11::dict run_shmem_watched(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                 const Settings& settings, const MachineWatcher& watcher);

}  // namespace nocbench::bindings
