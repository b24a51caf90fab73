#include "kernels/tensix/dataflow/multicasts.h"

#include <fmt/format.h>

#include <string_view>

#include "device_model/tenstorrent/tile/niu_command.h"
#include "kernels/tensix/dataflow/transfers.h"
#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dataflow {

CommandTarget decode_multicast(const Caller& caller, std::uint64_t noc_address, int noc, bool includes_source,
                               std::uint32_t num_dests, bool linked) {
    if (!has_rectangle(noc_address)) {
        caller.fail("expected the address of a multicast from get_noc_multicast_addr, found that of one tile");
    }
    const CommandTarget target = caller.checked([&] {
        return multicast_target(caller.state, caller.risc.identity().node, noc, noc_address, includes_source, linked);
    });
    if (includes_source && !reaches(caller.state, noc, target, caller.risc.identity().node)) {
        const std::string_view call(caller.call);
        caller.fail(fmt::format("{}: expected the source in it, found it outside; {} is for that",
                                rectangle_name(caller.state, noc, noc_address),
                                call.substr(0, call.find("_loopback_src"))));
    }
    if (num_dests != target.num_receivers) {
        caller.fail(fmt::format("num_dests: expected the {} receivers of {}{}, found {}; {} counts on it and would {}",
                                target.num_receivers, rectangle_name(caller.state, noc, noc_address),
                                includes_source ? "" : ", its source not counted", num_dests,
                                std::string_view(caller.call) == "noc_semaphore_inc_multicast"
                                    ? "noc_async_atomic_barrier"
                                    : "noc_async_write_barrier",
                                num_dests > target.num_receivers ? "never end" : "end too early"));
    }
    return target;
}

void write_multicast(const char* call, std::uint32_t source, std::uint32_t size, const Multicast& multicast,
                     bool one_packet, std::uint8_t buffer) {
    const Caller caller(call);
    const int noc = caller.noc(multicast.noc);
    const CommandTarget target = decode_multicast(caller, multicast.destinations, noc, multicast.includes_source,
                                                  multicast.num_dests, multicast.linked);
    const std::uint8_t vc = caller.multicast_channel(multicast.vc);
    caller.show("WRITE_MULTICAST", noc, multicast.destinations, size, vc);
    write(caller, source, target, size, {TransactionKind::write, buffer, vc, noc, false, 0}, one_packet);
}

void noc_async_write_multicast(std::uint32_t source_l1, std::uint64_t destinations, std::uint32_t size,
                               std::uint32_t num_dests, bool linked, std::uint8_t noc, std::uint8_t vc) {
    write_multicast("noc_async_write_multicast", source_l1, size, {destinations, num_dests, linked, false, noc, vc},
                    false, kWriteBuffer);
}

void noc_async_write_multicast_one_packet(std::uint32_t source_l1, std::uint64_t destinations, std::uint32_t size,
                                          std::uint32_t num_dests, bool linked, std::uint8_t noc, std::uint8_t vc) {
    write_multicast("noc_async_write_multicast_one_packet", source_l1, size,
                    {destinations, num_dests, linked, false, noc, vc}, true, kWriteBuffer);
}

void noc_async_write_multicast_loopback_src(std::uint32_t source_l1, std::uint64_t destinations, std::uint32_t size,
                                            std::uint32_t num_dests, bool linked, std::uint8_t noc, std::uint8_t vc) {
    write_multicast("noc_async_write_multicast_loopback_src", source_l1, size,
                    {destinations, num_dests, linked, true, noc, vc}, false, kWriteBuffer);
}

}  // namespace nocbench::dataflow
