// One core or all cores move pages of a buffer with one page per bank: always the page of one bank, or those of all
// banks in turn.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/meeting.h"
#include "kernels/frame/pages/page_transfers.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/tensix/estimator_tests.h"
#include "kernels/frame/tensix/sweeps.h"

namespace nocbench::multi_interleaved {

namespace {

/// Returns the cores of the compute grid row by row, as upstream assigns banks to them, or only the first one.
std::vector<LogicalCoordinate> cores_by_row(const Grid& grid, bool are_all) {
    std::vector<LogicalCoordinate> cores;
    for (int y = 0; y < (are_all ? grid.compute_rows() : 1); ++y) {
        for (int x = 0; x < (are_all ? grid.compute_columns() : 1); ++x) {
            cores.push_back({x, y});
        }
    }
    return cores;
}

template <TransactionKind kind, bool are_all_cores, bool are_all_banks>
std::vector<KernelReport> run(const Point& point) {
    PagePlan plan;
    plan.cores = cores_by_row(point.device().grid(), are_all_cores);
    plan.share = PageShare::in_turn;
    plan.pages_max = are_all_banks ? num_banks(point.device(), plan.memory) : 1;
    plan.l1_pages = 1;
    plan.meets = true;
    plan.summary = CoreSummary::together;
    const int noc = point.noc();
    if (kind == TransactionKind::read) {
        plan.reader = {
            .device_source = "dram_pages/multi_interleaved/kernels/device/object_reader.cpp", .riscv = 1, .noc = noc};
    } else {
        plan.writer = {
            .device_source = "dram_pages/multi_interleaved/kernels/device/object_writer.cpp", .riscv = 0, .noc = noc};
    }
    return run_pages(point, plan);
}

/// Returns pages of at most one packet, on both NoCs.
Sweep sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep = estimator_sweep(architecture, tier, {{"noc", {"0", "1"}}});
    std::erase_if(sweep.call_size_bytes,
                  [&](std::int64_t bytes) { return bytes > packet_bytes_max(torus_of(architecture)); });
    return sweep;
}

template <TransactionKind kind, bool are_all_cores, bool are_all_banks>
TestDefinition definition(int upstream_id, const std::string& name) {
    const bool is_read = kind == TransactionKind::read;
    TestDefinition test = estimator_test(
        {.upstream_id = upstream_id,
         .name = name,
         .primitive = "multi_interleaved",
         .description = fmt::format(
             "{} {}{} {} {}, by the object API.", are_all_cores ? "All cores" : "One core", is_read ? "read" : "write",
             are_all_cores ? "" : "s", is_read ? "from" : "to",
             are_all_banks ? "all banks of DRAM in turn" : "one bank of DRAM, another one for the next core"),
         .kind = kind,
         .parameters = {{"noc", is_read ? "1" : "0", "NoC that is used", false, true}, start_parameter("barrier")},
         .sweep = &sweep,
         .run = &run<kind, are_all_cores, are_all_banks>,
         .has_one_core = !are_all_cores});
    test.num_links = are_all_cores ? &num_dram_banks : nullptr;
    return test;
}

constexpr auto kRead = TransactionKind::read;
constexpr auto kWrite = TransactionKind::write;

const RegisterTests registration{{
    definition<kRead, false, false>(810, "DRAM Sharded One from One"),
    definition<kRead, true, false>(811, "DRAM Sharded All from All"),
    definition<kRead, false, true>(812, "DRAM Interleaved One from All"),
    definition<kRead, true, true>(813, "DRAM Interleaved All from All"),
    definition<kWrite, false, false>(814, "DRAM Sharded One to One"),
    definition<kWrite, true, false>(815, "DRAM Sharded All to All"),
    definition<kWrite, false, true>(816, "DRAM Interleaved One to All"),
    definition<kWrite, true, true>(817, "DRAM Interleaved All to All"),
}};

}  // namespace

}  // namespace nocbench::multi_interleaved
