// From the kernels of machines that a point set up itself to the measurement of the point.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/sim/machine.h"
#include "kernels/frame/primitive.h"

namespace nocbench {

/// Adds what the kernels of a machine that has run did: each moved `bytes_per_kernel` in its zone `label`, which is
/// also the label of its result row.
void add_machine(Measurement& measurement, const Machine& machine, double bytes_per_kernel, const std::string& label);

/// The row of processors: means of their durations and of their bandwidths.
ResultRow row_of_mean(const std::string& label, std::uint64_t transaction_size_bytes, const std::string& data_fault,
                      const std::vector<CoreResult>& processors);

/// Adds the row of all processors that have been added.
void add_row(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault,
             const std::string& label);

}  // namespace nocbench
