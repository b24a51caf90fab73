#include "kernels/frame/epiphany/measurement.h"

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

std::uint32_t number_of_cores(const Board& board) { return static_cast<std::uint32_t>(board.columns * board.rows); }

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

void add_machine(Measurement& measurement, const Machine& machine, double bytes_per_core, const std::string& label) {
    for (const KernelResult& kernel : machine.kernel_results()) {
        const Zone& zone = kernel.zone(label);
        const Tick latency = zone.end - zone.start;
        measurement.cores.push_back(
            {label, kernel.identity, 0, latency, bytes_per_core / cycles_from_ticks(latency), zone.ledger, label});
    }
    const auto add_links = [](std::vector<LinkUse>& sums, const std::vector<LinkUse>& links) {
        for (const LinkUse& more : links) {
            const auto same = std::ranges::find_if(sums, [&](const LinkUse& sum) {
                return sum.noc == more.noc && sum.router == more.router && sum.direction == more.direction;
            });
            if (same == sums.end()) {
                sums.push_back(more);
            } else {
                same->flits += more.flits;
            }
        }
    };
    add_links(measurement.links, machine.link_use());
    add_links(measurement.injections, machine.injection_use());
    for (const TileDeliveries& more : machine.deliveries()) {
        const auto same = std::ranges::find(measurement.deliveries, more.tile, &TileDeliveries::tile);
        if (same == measurement.deliveries.end()) {
            measurement.deliveries.push_back(more);
        } else {
            same->bytes += more.bytes;
        }
    }
    measurement.elapsed_cycles += machine.elapsed_cycles();
    measurement.flit_hops += machine.flit_hops();
    if (!measurement.floor_plan) {
        measurement.floor_plan = machine.floor_plan();
    }
}

void add_row(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault,
             const std::string& label) {
    measurement.rows.push_back(row_of_cores(report_of(label, transaction_size_bytes, data_fault), measurement.cores));
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
        measurement.rows.push_back(row_of_cores(report_of(core.kernel, transaction_size_bytes, data_fault), {core}));
    }
}

}  // namespace nocbench
