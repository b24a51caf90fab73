// What tests on Epiphany devices share: how they are defined, and the way from their kernels to the measurement of a
// point.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/epiphany/epiphany_device.h"
#include "kernels/frame/measurement.h"
#include "kernels/frame/primitive.h"

namespace nocbench {

EpiphanyShape shape_of(const Board& board);

std::uint32_t number_of_cores(const Board& board);

/// The values of a parameter that is a number of cores of the default board: each, or in the quick tier the least and
/// the most.
SweptParameter numbers_of_cores(const std::string& parameter, const Architecture& architecture, Tier tier);

/// The timed zone of kernels on Epiphany cores, and the label of their result rows.
inline constexpr const char* kEpiphanyZone = "Core";

/// A test for machines of this kind, with a section of its own on the plots page. The caller adds parameters, sweep and
/// measure.
TestDefinition epiphany_test(int id, const std::string& name, const std::string& primitive,
                             const std::string& description, const std::string& label = kEpiphanyZone);

/// As the functions of these names do, with the zone of the cores.
inline void add_machine(Measurement& measurement, const Machine& machine, double bytes_per_core) {
    add_machine(measurement, machine, bytes_per_core, kEpiphanyZone);
}
inline void add_row(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault) {
    add_row(measurement, transaction_size_bytes, data_fault, kEpiphanyZone);
}

/// Adds the row of all cores together, which start at the same time: the longest duration, and the bandwidth of
/// `num_transactions` that each are `transaction_size_bytes` for all cores.
void add_row_of_all(Measurement& measurement, std::uint64_t transaction_size_bytes, std::uint32_t num_transactions,
                    const std::string& data_fault);

/// Adds a row for each core that has been added: "Core 0,0".
void add_rows_by_core(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault);

}  // namespace nocbench
