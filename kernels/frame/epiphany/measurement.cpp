#include "kernels/frame/epiphany/measurement.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_model/arch/architecture.h"
#include "device_model/epiphany/arch/constants.h"

namespace nocbench {

EpiphanyShape shape_of(const Board& board) {
    const EpiphanyBoard& cores = epiphany_of(board);
    return {.columns = static_cast<int>(cores.columns),
            .rows = static_cast<int>(cores.rows),
            .first_core_row = static_cast<int>(cores.first_core_row),
            .first_core_column = static_cast<int>(cores.first_core_column),
            .clock_hz = board.clock_hz};
}

std::uint32_t number_of_cores(const Board& board) {
    return static_cast<std::uint32_t>(epiphany_of(board).columns * epiphany_of(board).rows);
}

SweptParameter numbers_of_cores(const std::string& parameter, const Architecture& architecture, Tier tier) {
    SweptParameter swept{parameter, {}};
    const std::uint32_t cores = number_of_cores(architecture.board(""));
    for (std::uint32_t number = 1; number <= cores; number += tier == Tier::quick ? cores - 1 : 1) {
        swept.values.push_back(std::to_string(number));
    }
    return swept;
}

TestDefinition epiphany_test(int id, const std::string& name, const std::string& primitive,
                             const std::string& description, const std::string& label) {
    TestDefinition definition;
    definition.id = id;
    definition.name = name;
    definition.kind = ArchitectureKind::epiphany_mesh;
    definition.primitive = primitive;
    definition.description = description;
    definition.headings = {name};
    definition.kernels = {label};
    return definition;
}

void add_row_of_all(Measurement& measurement, std::uint64_t transaction_size_bytes, std::uint32_t num_transactions,
                    const std::string& data_fault) {
    add_row(measurement, transaction_size_bytes, data_fault);
    ResultRow& row = measurement.rows.back();
    row.latency_cycles =
        cycles_from_ticks(std::ranges::max_element(measurement.cores, {}, &CoreResult::latency)->latency);
    row.bandwidth_bytes_per_cycle = static_cast<double>(transaction_size_bytes) * num_transactions / row.latency_cycles;
}

void add_rows_by_core(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault) {
    for (CoreResult& core : measurement.cores) {
        core.kernel = fmt::format("{} {},{}", kEpiphanyZone, core.identity.core.x, core.identity.core.y);
        measurement.rows.push_back(row_of_mean(core.kernel, transaction_size_bytes, data_fault, {core}));
    }
}

}  // namespace nocbench
