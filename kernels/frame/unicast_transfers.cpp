#include "kernels/frame/unicast_transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "device_model/noc/packet.h"
#include "device_model/sim/error.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/meeting.h"

namespace nocbench {

namespace {

struct Names {
    const char* label;
    const char* kernel;
    const char* zone;
};

Names names_of(TransactionKind kind) {
    return kind == TransactionKind::read ? Names{.label = "Receiver", .kernel = "requestor", .zone = "RISCV1"}
                                         : Names{.label = "Sender", .kernel = "sender", .zone = "RISCV0"};
}

void expect_copies(DataCheck& check, const Point& point, const UnicastPlan& plan) {
    const Grid& grid = point.device().grid();
    std::map<LogicalCoordinate, DataCheck::Data> data;
    const auto expect = [&](LogicalCoordinate from, LogicalCoordinate to) {
        const MemoryPlace source = l1_place(grid, from, plan.source_address);
        const auto [filled, is_new] = data.try_emplace(from);
        if (is_new) {
            filled->second = check.fill(source);
        }
        check.expect({names_of(plan.kind).kernel, plan.kind, source, l1_place(grid, to, plan.destination_address),
                      filled->second});
    };
    for (const Initiator& initiator : plan.initiators) {
        for (const LogicalCoordinate partner : initiator.partners) {
            plan.kind == TransactionKind::read ? expect(partner, initiator.core) : expect(initiator.core, partner);
        }
    }
}

std::vector<std::uint32_t> runtime_args(const Grid& grid, const UnicastPlan& plan,
                                        const std::vector<LogicalCoordinate>& partners) {
    std::vector<std::uint32_t> args;
    for (const LogicalCoordinate partner : partners) {
        const TranslatedCoordinate place = grid.translated(partner);
        const auto x = static_cast<std::uint32_t>(place.x);
        const auto y = static_cast<std::uint32_t>(place.y);
        if (plan.coordinates == UnicastPlan::Coordinates::packed) {
            args.push_back(packed_coordinates(x, y));
        } else {
            args.insert(args.end(), {x, y});
        }
    }
    return args;
}

std::vector<LogicalCoordinate> without(std::vector<LogicalCoordinate> cores, LogicalCoordinate left_out) {
    std::erase(cores, left_out);
    return cores;
}

}  // namespace

std::vector<KernelReport> run_unicast(const Point& point, Program& program, const UnicastPlan& plan) {
    const Issuer issuer = point.unicast_issuer();
    const bool stateful = point.defines("stateful") && point.flag("stateful");
    const Names names = names_of(plan.kind);
    const auto num_partners = static_cast<std::uint32_t>(plan.initiators.front().partners.size());
    DataCheck check(point);
    expect_copies(check, point, plan);

    const std::uint32_t channel =
        point.defines("vcs") ? point.number("vcs", 1, kFirstBroadcastVirtualChannel) : issuer.virtual_channel;
    std::vector<std::uint32_t> arguments{point.num_transactions(),
                                         point.call_size_bytes(),
                                         plan.source_address,
                                         plan.destination_address,
                                         channel,
                                         stateful ? 1U : 0U,
                                         num_partners};
    arguments.insert(arguments.end(), plan.more_arguments.begin(), plan.more_arguments.end());
    std::optional<Meeting> meeting;
    if (point.defines("start")) {
        std::vector<LogicalCoordinate> cores;
        std::ranges::transform(plan.initiators, std::back_inserter(cores), &Initiator::core);
        meeting.emplace(point, program, cores, 1);
        arguments.push_back(meeting->takes_place() ? 1U : 0U);
    }
    for (std::size_t index = 0; index < plan.initiators.size(); ++index) {
        const Initiator& initiator = plan.initiators[index];
        program.add_kernel({initiator.core},
                           {names.kernel, plan.kernel, issuer.riscv, issuer.noc, arguments, plan.device_source,
                            plan.num_run_time_args},
                           meeting ? meeting->start(index) : 0);
        std::vector<std::uint32_t> of_kernel = runtime_args(point.device().grid(), plan, initiator.partners);
        if (meeting && meeting->takes_place()) {
            const std::vector<std::uint32_t> of_meeting = meeting->arguments(issuer.riscv);
            of_kernel.insert(of_kernel.end(), of_meeting.begin(), of_meeting.end());
        }
        program.set_runtime_args(initiator.core, issuer.riscv, of_kernel);
    }
    program.run();

    return {{.label = names.label,
             .kernel = names.kernel,
             .zone = names.zone,
             .riscv = issuer.riscv,
             .noc = issuer.noc,
             .transaction_size_bytes = std::uint64_t{point.call_size_bytes()} * num_partners,
             .data_fault = check.fault(names.kernel),
             .data_zone = plan.data_zone}};
}

void complain_of_source_outside(LogicalCoordinate source, const LogicalRectangle& rectangle) {
    throw InputError(fmt::format("parameter loopback: expected the source {} within the rectangle {}, found it outside",
                                 to_string(source), to_string(rectangle)));
}

std::vector<LogicalCoordinate> partners_of(const Point& point, LogicalCoordinate initiator) {
    return partners_of(point.rectangle(), initiator, point.flag("loopback"));
}

std::vector<LogicalCoordinate> partners_of(const LogicalRectangle& rectangle, LogicalCoordinate initiator,
                                           bool loopback) {
    std::vector<LogicalCoordinate> partners = cores_of(rectangle);
    const bool is_inside = std::ranges::find(partners, initiator) != partners.end();
    if (loopback) {
        if (!is_inside) {
            complain_of_source_outside(initiator, rectangle);
        }
        return partners;
    }
    partners = without(std::move(partners), initiator);
    if (partners.empty()) {
        throw InputError(
            fmt::format("parameter grid or rectangle: expected a core besides the source {}, found none; with "
                        "loopback=1, the source takes part",
                        to_string(initiator)));
    }
    // The published experiments subtract the source from the rectangle: the source's own column comes last.
    std::ranges::stable_partition(partners, [&](LogicalCoordinate core) { return core.x != initiator.x; });
    return partners;
}

std::vector<Initiator> all_with_all(const Point& point) {
    const std::vector<LogicalCoordinate> cores = cores_of(point.rectangle());
    const bool loopback = point.flag("loopback");
    if (!loopback && cores.size() == 1) {
        throw InputError(
            "parameter grid or rectangle: expected more than one core, found one; with loopback=1, it takes part");
    }
    std::vector<Initiator> initiators;
    initiators.reserve(cores.size());
    for (const LogicalCoordinate core : cores) {
        initiators.push_back({.core = core, .partners = loopback ? cores : without(cores, core)});
    }
    return initiators;
}

std::vector<Initiator> masters_with_subordinates(const Point& point) {
    const std::vector<LogicalCoordinate> subordinates =
        cores_of(point.grid(point.is_given("subordinate_grid") ? "subordinate_grid" : "master_grid"));
    std::vector<Initiator> initiators;
    for (const LogicalCoordinate core : cores_of(point.grid("master_grid"))) {
        initiators.push_back({.core = core, .partners = subordinates});
    }
    return initiators;
}

}  // namespace nocbench
