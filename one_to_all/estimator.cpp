// Writes to a grid, a row or a column of cores, by unicast and by multicast: from one core, or from a whole row or
// column at once.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/tensix/estimator_tests.h"
#include "kernels/frame/tensix/multicast_transfers.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/frame/unicast_transfers.h"

namespace nocbench::one_to_all {

namespace {

constexpr const char* kUnicast = "unicast";
constexpr const char* kMulticast = "multicast";
constexpr const char* kLinkedMulticast = "multicast_linked";

/// Sending cores and the cores that each of them writes to.
struct Placement {
    LogicalRectangle senders;
    LogicalRectangle receivers;
};

/// Returns a sender to the right of the grid of receivers. With loopback, or if no core is there, it is in their first
/// corner.
Placement one_to_grid(const Point& point, bool /*is_unicast*/, bool loopback) {
    const LogicalRectangle grid = point.grid("grid");
    const bool fills_rows = grid.last.x + 1 == point.device().grid().compute_columns();
    const LogicalCoordinate sender = loopback || fills_rows ? grid.first : LogicalCoordinate{grid.last.x + 1, 0};
    return {.senders = {sender, sender}, .receivers = grid};
}

/// Returns the first row or column as receivers, and its first core or all of its cores as senders; those of the next
/// row or column for multicasts without loopback.
template <bool is_row, bool has_one_sender>
Placement line(const Point& point, bool is_unicast, bool loopback) {
    const Grid& grid = point.device().grid();
    const int length = is_row ? grid.compute_columns() : grid.compute_rows();
    const auto core = [](int along, int across) {
        return is_row ? LogicalCoordinate{along, across} : LogicalCoordinate{across, along};
    };
    const int place = is_unicast || loopback ? 0 : 1;
    return {.senders = {core(0, place), core(has_one_sender ? 0 : length - 1, place)},
            .receivers = {core(0, 0), core(length - 1, 0)}};
}

/// Runs the unicasts or multicasts of a placement.
template <Placement (*place)(const Point&, bool is_unicast, bool loopback)>
std::vector<KernelReport> run(const Point& point) {
    const std::size_t mechanism = point.choice("mechanism", {kUnicast, kMulticast, kLinkedMulticast});
    const bool is_unicast = mechanism == 0;
    const bool loopback = point.flag("loopback");
    if (is_unicast && loopback) {
        throw InputError("parameter loopback: expected 0 with mechanism=unicast, found 1");
    }
    if (!is_unicast && point.defines("stateful") && point.flag("stateful")) {
        throw InputError("parameter stateful: expected 0 with multicasts, which have no stateful calls, found 1");
    }
    const Placement placement = place(point, is_unicast, loopback);
    const std::vector<LogicalCoordinate> senders = cores_of(placement.senders);
    const bool has_one_sender = senders.size() == 1;
    const std::uint32_t source_address = point.first_l1_buffer();
    // A buffer that another core sends from must not be overwritten.
    const std::uint32_t destination_address =
        loopback && has_one_sender ? point.first_l1_buffer() : point.second_l1_buffer();
    if (is_unicast) {
        Program program(point.device());
        UnicastPlan plan{.device_source = "one_to_all/kernels/device/object_unicast_sender.cpp",
                         .initiators = {},
                         .source_address = source_address,
                         .destination_address = destination_address};
        for (const LogicalCoordinate core : senders) {
            plan.initiators.push_back(
                {core, has_one_sender ? partners_of(placement.receivers, core, false) : cores_of(placement.receivers)});
        }
        return run_unicast(point, program, plan);
    }
    MulticastPlan plan{.device_source = "one_to_all/kernels/device/object_multicast_sender.cpp",
                       .senders = {},
                       .source_address = source_address,
                       .destination_address = destination_address,
                       .loopback = loopback,
                       .linked = mechanism == 2};
    for (const LogicalCoordinate core : senders) {
        plan.senders.push_back({core, placement.receivers});
    }
    return run_multicast(point, plan);
}

/// Adds the mechanisms to a sweep. Leaves out unicasts with loopback, and stateful calls of multicasts and of a packet
/// or more, which upstream does not make.
Sweep with_mechanisms(Sweep sweep, const Architecture& architecture, bool has_stateful) {
    sweep.parameters.push_back({"mechanism", {kUnicast, kMulticast, kLinkedMulticast}});
    sweep.parameters.push_back({"loopback", {"0", "1"}});
    sweep.left_out = {{{"mechanism", kUnicast}, {"loopback", "1"}}};
    if (has_stateful) {
        sweep.parameters.push_back({"stateful", {"0", "1"}});
        for (const char* multicast : {kMulticast, kLinkedMulticast}) {
            sweep.left_out.push_back({{"mechanism", multicast}, {"stateful", "1"}});
        }
        for (const std::int64_t bytes : sweep.call_size_bytes) {
            if (bytes >= packet_bytes_max(torus_of(architecture))) {
                sweep.left_out.push_back({{"stateful", "1"}, {"call_size", std::to_string(bytes)}});
            }
        }
    }
    return sweep;
}

Sweep grid_sweep(const Architecture& architecture, Tier tier) {
    const std::vector<std::string> grids = estimator_grids(architecture, tier);
    Sweep sweep = with_mechanisms(estimator_sweep(architecture, tier, {{"grid", grids}}), architecture, true);
    for (const char* multicast : {kMulticast, kLinkedMulticast}) {
        sweep.left_out.push_back({{"grid", "all"}, {"mechanism", multicast}, {"loopback", "0"}});
    }
    return sweep;
}

template <bool has_stateful>
Sweep line_sweep(const Architecture& architecture, Tier tier) {
    return with_mechanisms(estimator_sweep(architecture, tier, {}), architecture, has_stateful);
}

constexpr auto* kOneToLineSweep = &line_sweep<true>;
constexpr auto* kLineToLineSweep = &line_sweep<false>;

TestDefinition definition(int upstream_id, const std::string& name, const std::string& who,
                          Sweep (*sweep)(const Architecture&, Tier),
                          std::vector<KernelReport> (*run_point)(const Point&)) {
    std::vector<ParameterDefinition> parameters{
        {"mechanism", kUnicast,
         "unicast: a call to each receiver; multicast: one call to all; multicast_linked: all calls but the last are "
         "linked",
         false, true},
        {"loopback", "0", "1: senders are among the receivers of their multicasts; 0: they are beside them", false,
         true}};
    if (sweep != kLineToLineSweep) {
        parameters.push_back(swept_stateful_parameter());
    }
    if (sweep == &grid_sweep) {
        ParameterDefinition grid = area_parameters("2x2", "").front();
        grid.is_swept = true;
        parameters.insert(parameters.begin(), std::move(grid));
    }
    return estimator_test({.upstream_id = upstream_id,
                           .name = name,
                           .primitive = "one_to_all",
                           .description = fmt::format("{} by unicast, multicast or linked multicast.", who),
                           .kind = TransactionKind::write,
                           .parameters = joined({parameters, processor_parameters(TransactionKind::write)}),
                           .sweep = sweep,
                           .run = run_point,
                           .has_one_core = sweep != kLineToLineSweep});
}

const RegisterTests registration{{
    definition(802, "L1 One to All", "One core writes to a grid of cores", &grid_sweep, &run<&one_to_grid>),
    definition(806, "L1 One to Row", "One core writes to the first row", kOneToLineSweep, &run<&line<true, true>>),
    definition(807, "L1 Row to Row", "All cores of a row write to the first row at once", kLineToLineSweep,
               &run<&line<true, false>>),
    definition(808, "L1 One to Column", "One core writes to the first column", kOneToLineSweep,
               &run<&line<false, true>>),
    definition(809, "L1 Column to Column", "All cores of a column write to the first column at once", kLineToLineSweep,
               &run<&line<false, false>>),
}};

}  // namespace

}  // namespace nocbench::one_to_all
