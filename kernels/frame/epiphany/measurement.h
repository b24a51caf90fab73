// Definition and measurement of tests on Epiphany devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_device.h"
#include "kernels/frame/measurement.h"
#include "kernels/frame/primitive.h"

namespace nocbench {

EpiphanyShape shape_of(const Board& board);

std::uint32_t number_of_cores(const Board& board);

/// Returns the values of a parameter that counts cores of the default board: all numbers, or in the quick tier the
/// minimum and the maximum.
SweptParameter numbers_of_cores(const std::string& parameter, const Architecture& architecture, Tier tier);

/// Timed zone of kernels on Epiphany cores, and label of their result rows.
inline constexpr const char* kEpiphanyZone = "Core";

/// Returns a test for Epiphany machines, with its own section on the plots page. The caller adds parameters, sweep and
/// measure.
TestDefinition epiphany_test(int id, const std::string& name, const std::string& primitive,
                             const std::string& description, const std::string& label = kEpiphanyZone);

/// Call the general functions with the zone of the cores.
inline void add_machine(Measurement& measurement, const Machine& machine, double bytes_per_core) {
    add_machine(measurement, machine, bytes_per_core, kEpiphanyZone);
}
inline void add_row(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault) {
    add_row(measurement, transaction_size_bytes, data_fault, kEpiphanyZone);
}

/// Adds the row of all cores together, which start simultaneously: the longest duration, and the bandwidth of
/// `num_transactions` transactions, each of `transaction_size_bytes` over all cores.
void add_row_of_all(Measurement& measurement, std::uint64_t transaction_size_bytes, std::uint32_t num_transactions,
                    const std::string& data_fault);

/// Adds a row for each core, labelled "Core 0,0".
void add_rows_by_core(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault);

}  // namespace nocbench
