// A point with a record of what happened when: the zones of its kernels, where their time went, and its transactions.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>

#include "bindings/point_result.h"

namespace nocbench::bindings {

/// Runs a point. Of transactions and of stretches of kernels' time, the first `max_records` each are kept, and all are
/// counted.
pybind11::dict trace_point(const std::string& test_name, const std::string& arch, const std::string& board,
                           const Parameters& parameters, const Settings& settings, std::size_t max_records);

/// Runs a point, and gives the calls of its kernels as "calls". Each has: coordinate of the tile, RISC, event, NoC,
/// virtual channel, whether it is posted, bytes, coordinates of the other side, the address there, cycle. The other
/// side has no coordinate, that of a tile, or two of corners. All coordinates are physical.
pybind11::dict record_point(const std::string& test_name, const std::string& arch, const std::string& board,
                            const Parameters& parameters, const Settings& settings);

/// The same of a program of compiled kernels. What run_compiled_program says of its kernels is in "runs".
pybind11::dict trace_compiled_program(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                      const Settings& settings, std::size_t max_records);

/// The same of a table of flows.
pybind11::dict trace_flow_table(const pybind11::dict& table, const std::string& arch, const std::string& board,
                                const Settings& settings, std::size_t max_records);

/// The same of a program of OpenSHMEM.
pybind11::dict trace_shmem_program(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                   const Settings& settings, std::size_t max_records);

}  // namespace nocbench::bindings
