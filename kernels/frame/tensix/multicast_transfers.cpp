#include "kernels/frame/tensix/multicast_transfers.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_model/sim/error.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/program.h"

namespace nocbench {

std::vector<PhysicalCoordinate> receivers_of(const Grid& grid, const MulticastSender& sender, bool loopback) {
    std::vector<PhysicalCoordinate> receivers = tensix_tiles_of(grid, sender.rectangle);
    const PhysicalCoordinate own_tile = grid.physical(sender.core);
    const bool is_inside = std::ranges::find(receivers, own_tile) != receivers.end();
    if (loopback && !is_inside) {
        complain_of_source_outside(sender.core, sender.rectangle);
    }
    if (is_inside && receivers.size() == 1) {
        throw InputError(fmt::format(
            "parameter grid or rectangle: expected a core besides the source {}, found none; a multicast cannot go to "
            "its source alone",
            to_string(sender.core)));
    }
    if (!loopback) {
        std::erase(receivers, own_tile);
    }
    return receivers;
}

std::vector<std::uint32_t> rectangle_arguments(const Grid& grid, const MulticastSender& sender, bool loopback,
                                               std::uint32_t virtual_channel, std::size_t num_receivers) {
    const TranslatedCoordinate first = grid.translated(sender.rectangle.first);
    const TranslatedCoordinate last = grid.translated(sender.rectangle.last);
    return {virtual_channel,
            static_cast<std::uint32_t>(first.x),
            static_cast<std::uint32_t>(first.y),
            static_cast<std::uint32_t>(last.x),
            static_cast<std::uint32_t>(last.y),
            static_cast<std::uint32_t>(num_receivers),
            loopback ? 1U : 0U};
}

std::uint32_t destination_buffer(const Point& point) {
    return point.flag("loopback") ? point.first_l1_buffer() : point.second_l1_buffer();
}

std::vector<KernelReport> run_multicast(const Point& point, const MulticastPlan& plan) {
    const Issuer issuer = point.multicast_issuer();
    const Grid& grid = point.device().grid();
    DataCheck check(point);
    Program program(point.device());
    for (const MulticastSender& sender : plan.senders) {
        const std::vector<PhysicalCoordinate> receivers = receivers_of(grid, sender, plan.loopback);
        const MemoryPlace source_buffer = l1_place(grid, sender.core, plan.source_address);
        const DataCheck::Data data = check.fill(source_buffer);
        for (const PhysicalCoordinate receiver : receivers) {
            check.expect({"sender", TransactionKind::write, source_buffer,
                          l1_place(grid, receiver, plan.destination_address), data});
        }
        std::vector<std::uint32_t> arguments{point.num_transactions(), point.call_size_bytes(), plan.source_address,
                                             plan.destination_address};
        const std::vector<std::uint32_t> rectangle =
            rectangle_arguments(grid, sender, plan.loopback, issuer.virtual_channel, receivers.size());
        arguments.insert(arguments.end(), rectangle.begin(), rectangle.end());
        arguments.push_back(plan.linked ? 1U : 0U);
        program.add_kernel({sender.core},
                           {"sender", plan.kernel, issuer.riscv, issuer.noc, arguments, plan.device_source, 1});
    }
    program.run();

    return {{.label = "Sender",
             .kernel = "sender",
             .zone = "RISCV0",
             .riscv = issuer.riscv,
             .noc = issuer.noc,
             .transaction_size_bytes = point.call_size_bytes(),
             .data_fault = check.fault("sender"),
             .data_zone = plan.data_zone}};
}

}  // namespace nocbench
