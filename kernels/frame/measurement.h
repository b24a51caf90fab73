// Measurement of points that set up their own machines, from the machines' kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/sim/machine.h"
#include "kernels/frame/primitive.h"

namespace nocbench {

/// Adds the kernels of a machine that has run. Each moved `bytes_per_kernel` in its zone `label`, which is also the
/// label of its result row.
void add_machine(Measurement& measurement, const Machine& machine, double bytes_per_kernel, const std::string& label);

/// Returns a row of processors: means of their durations and bandwidths.
ResultRow row_of_mean(const std::string& label, std::uint64_t transaction_size_bytes, const std::string& data_fault,
                      const std::vector<CoreResult>& processors);

/// Adds the row of all processors added before.
void add_row(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault,
             const std::string& label);

}  // namespace nocbench
