// Points with a trace: the zones of their kernels, booked times, and transactions.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <functional>
#include <string>

#include "bindings/point_result.h"
#include "kernels/frame/primitive.h"

namespace nocbench::bindings {

/// Runs a point. Keeps the first `max_records` transactions and intervals of kernels' time, but counts all.
pybind11::dict trace_point(const std::string& test_name, const std::string& arch, const std::string& board,
                           const Parameters& parameters, const Settings& settings, std::size_t max_records);

/// Runs a point, and returns the calls of its kernels as "calls". Each has: coordinate of the tile, RISC, event, NoC,
/// virtual channel, whether it is posted, bytes, coordinates of the other side, the address there, cycle. The other
/// side has no coordinate, one of a tile, or two of corners. All coordinates are physical.
pybind11::dict record_point(const std::string& test_name, const std::string& arch, const std::string& board,
                            const Parameters& parameters, const Settings& settings);

/// Traces a program of compiled kernels. "runs" has their results as from run_compiled_program().
pybind11::dict trace_compiled_program(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                      const Settings& settings, std::size_t max_records);

pybind11::dict trace_flow_table(const pybind11::dict& table, const std::string& arch, const std::string& board,
                                const Settings& settings, std::size_t max_records);

pybind11::dict trace_shmem_program(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                   const Settings& settings, std::size_t max_records);

/// Recorder of one run of compiled kernels.
struct RunRecorder {
    MachineWatcher watch;
    /// Adds the events to the result of the run, as trace_compiled_program() does.
    std::function<void(const pybind11::dict& result)> add_to;
};
RunRecorder record_run(std::size_t max_records);

}  // namespace nocbench::bindings
