#include "kernels/epiphany_measurement.h"

#include <fmt/format.h>

#include <algorithm>

namespace nocbench {

EpiphanyShape shape_of(const Board& board) {
    return {.columns = static_cast<int>(board.columns),
            .rows = static_cast<int>(board.rows),
            .first_core_row = static_cast<int>(board.first_core_row),
            .first_core_column = static_cast<int>(board.first_core_column),
            .clock_hz = board.clock_hz};
}

void add_device(Measurement& measurement, const EpiphanyDevice& device, double bytes_per_core) {
    for (const KernelResult& kernel : device.kernel_results()) {
        const Zone& zone = kernel.zone(kEpiphanyZone);
        const Tick latency = zone.end - zone.start;
        const double cycles = static_cast<double>(latency) / static_cast<double>(kTicksPerCycle);
        measurement.cores.push_back({kEpiphanyZone, kernel.identity, 0, latency, bytes_per_core / cycles, zone.ledger});
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

void add_row(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault,
             bool together) {
    KernelReport report;
    report.label = kEpiphanyZone;
    report.transaction_size_bytes = transaction_size_bytes;
    report.data_fault = data_fault;
    report.summary = CoreSummary::mean;
    ResultRow row = row_of_cores(report, measurement.cores);
    if (together) {
        // All start at the same time.
        double bytes = 0;
        Tick longest = 0;
        for (const CoreResult& core : measurement.cores) {
            const double cycles = static_cast<double>(core.latency) / static_cast<double>(kTicksPerCycle);
            bytes += core.bandwidth_bytes_per_cycle * cycles;
            longest = std::max(longest, core.latency);
        }
        row.latency_cycles = static_cast<double>(longest) / static_cast<double>(kTicksPerCycle);
        row.bandwidth_bytes_per_cycle = bytes / row.latency_cycles;
    }
    measurement.rows.push_back(row);
}

void add_rows_by_core(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault) {
    for (const CoreResult& core : measurement.cores) {
        KernelReport report;
        report.label = fmt::format("{} {},{}", kEpiphanyZone, core.identity.core.x, core.identity.core.y);
        report.transaction_size_bytes = transaction_size_bytes;
        report.data_fault = data_fault;
        measurement.rows.push_back(row_of_cores(report, {core}));
    }
}

}  // namespace nocbench
