#include "one_to_all/multicast_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_model/sim/error.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/program.h"
#include "one_to_all/kernels/kernels.h"

namespace nocbench::one_to_all {

std::uint32_t destination_buffer(const Point& point) {
    return point.flag("loopback") ? point.first_l1_buffer() : point.second_l1_buffer();
}

std::vector<PhysicalCoordinate> receivers_of(const Grid& grid, const MulticastPlan& plan) {
    std::vector<PhysicalCoordinate> receivers = tensix_tiles_of(grid, plan.rectangle);
    const PhysicalCoordinate source_tile = grid.physical(plan.source);
    const bool is_inside = std::ranges::find(receivers, source_tile) != receivers.end();
    if (plan.loopback && !is_inside) {
        complain_of_source_outside(plan.source, plan.rectangle);
    }
    if (is_inside && receivers.size() == 1) {
        throw InputError(fmt::format(
            "parameter grid or rectangle: expected a core besides the source {}, found none; a multicast cannot go to "
            "its source alone",
            to_string(plan.source)));
    }
    if (!plan.loopback) {
        std::erase(receivers, source_tile);
    }
    return receivers;
}

std::vector<std::uint32_t> rectangle_arguments(const Point& point, const MulticastPlan& plan,
                                               std::uint32_t virtual_channel, std::size_t num_receivers) {
    const Grid& grid = point.device().grid();
    const TranslatedCoordinate first = grid.translated(plan.rectangle.first);
    const TranslatedCoordinate last = grid.translated(plan.rectangle.last);
    return {virtual_channel,
            static_cast<std::uint32_t>(first.x),
            static_cast<std::uint32_t>(first.y),
            static_cast<std::uint32_t>(last.x),
            static_cast<std::uint32_t>(last.y),
            static_cast<std::uint32_t>(num_receivers),
            plan.loopback ? 1U : 0U};
}

std::vector<KernelReport> run_multicast_plan(const Point& point, const MulticastPlan& plan) {
    const Issuer issuer = point.multicast_issuer();
    const Grid& grid = point.device().grid();
    const std::vector<PhysicalCoordinate> receivers = receivers_of(grid, plan);
    const std::uint32_t source_address = point.first_l1_buffer();
    const std::uint32_t destination_address = plan.loopback ? source_address : point.second_l1_buffer();

    const MemoryPlace source_buffer = l1_place(grid, plan.source, source_address);
    DataCheck check(point);
    const DataCheck::Data data = check.fill(source_buffer);
    for (const PhysicalCoordinate receiver : receivers) {
        check.expect(
            {"sender", TransactionKind::write, source_buffer, l1_place(grid, receiver, destination_address), data});
    }

    std::vector<std::uint32_t> arguments{point.num_transactions(), point.call_size_bytes(), source_address,
                                         destination_address};
    const std::vector<std::uint32_t> rectangle =
        rectangle_arguments(point, plan, issuer.virtual_channel, receivers.size());
    arguments.insert(arguments.end(), rectangle.begin(), rectangle.end());
    arguments.push_back(plan.linked ? 1U : 0U);
    Program program(point.device());
    program.add_kernel({plan.source}, {"sender", plan.device_source.empty() ? &multicast_sender : nullptr, issuer.riscv,
                                       issuer.noc, arguments, plan.device_source, true});
    program.run();

    return {{.label = "Sender",
             .kernel = "sender",
             .zone = "RISCV0",
             .riscv = issuer.riscv,
             .noc = issuer.noc,
             .transaction_size_bytes = point.call_size_bytes(),
             .data_fault = check.fault("sender")}};
}

}  // namespace nocbench::one_to_all
