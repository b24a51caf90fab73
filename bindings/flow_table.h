// Conversion of flow tables and their results between Python and C++.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>

#include "bindings/point_result.h"

namespace nocbench::bindings {

/// Run a table; scripts/nocbench/_core.pyi describes `table` and the result.
pybind11::dict run_flow_table(const pybind11::dict& table, const std::string& arch, const std::string& board,
                              const Settings& settings);
pybind11::dict run_flow_table_watched(const pybind11::dict& table, const std::string& arch, const std::string& board,
                                      const Settings& settings, const MachineWatcher& watcher);

}  // namespace nocbench::bindings
