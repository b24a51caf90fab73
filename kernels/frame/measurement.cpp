#include "kernels/frame/measurement.h"

#include <algorithm>

namespace nocbench {

void add_machine(Measurement& measurement, const Machine& machine, double bytes_per_kernel, const std::string& label) {
    for (const KernelResult& kernel : machine.kernel_results()) {
        const Zone& zone = kernel.zone(label);
        const Tick latency = zone.end - zone.start;
        measurement.cores.push_back(
            {label, kernel.identity, 0, latency, bytes_per_kernel / cycles_from_ticks(latency), zone.ledger, label});
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

ResultRow row_of_mean(const std::string& label, std::uint64_t transaction_size_bytes, const std::string& data_fault,
                      const std::vector<CoreResult>& processors) {
    KernelReport report;
    report.label = label;
    report.transaction_size_bytes = transaction_size_bytes;
    report.data_fault = data_fault;
    report.summary = CoreSummary::mean;
    return row_of_cores(report, processors);
}

void add_row(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault,
             const std::string& label) {
    measurement.rows.push_back(row_of_mean(label, transaction_size_bytes, data_fault, measurement.cores));
}

}  // namespace nocbench
