#include "kernels/frame/epiphany_measurement.h"

#include <fmt/format.h>

#include <algorithm>

namespace nocbench {

namespace {

KernelReport report_of(const std::string& label, std::uint64_t transaction_size_bytes, const std::string& data_fault) {
    KernelReport report;
    report.label = label;
    report.transaction_size_bytes = transaction_size_bytes;
    report.data_fault = data_fault;
    report.summary = CoreSummary::mean;
    return report;
}

}  // namespace

EpiphanyShape shape_of(const Board& board) {
    return {.columns = static_cast<int>(board.columns),
            .rows = static_cast<int>(board.rows),
            .first_core_row = static_cast<int>(board.first_core_row),
            .first_core_column = static_cast<int>(board.first_core_column),
            .clock_hz = board.clock_hz};
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

void add_device(Measurement& measurement, const EpiphanyDevice& device, double bytes_per_core) {
    for (const KernelResult& kernel : device.kernel_results()) {
        const Zone& zone = kernel.zone(kEpiphanyZone);
        const Tick latency = zone.end - zone.start;
        measurement.cores.push_back(
            {kEpiphanyZone, kernel.identity, 0, latency, bytes_per_core / cycles_from_ticks(latency), zone.ledger});
    }
    for (const TileDeliveries& more : device.deliveries()) {
        const auto same = std::ranges::find(measurement.deliveries, more.tile, &TileDeliveries::tile);
        if (same == measurement.deliveries.end()) {
            measurement.deliveries.push_back(more);
        } else {
            same->bytes += more.bytes;
        }
    }
    measurement.elapsed_cycles += device.elapsed_cycles();
    measurement.flit_hops += device.flit_hops();
}

void add_row(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault) {
    measurement.rows.push_back(
        row_of_cores(report_of(kEpiphanyZone, transaction_size_bytes, data_fault), measurement.cores));
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
    for (const CoreResult& core : measurement.cores) {
        const std::string label = fmt::format("{} {},{}", kEpiphanyZone, core.identity.core.x, core.identity.core.y);
        measurement.rows.push_back(row_of_cores(report_of(label, transaction_size_bytes, data_fault), {core}));
    }
}

}  // namespace nocbench
