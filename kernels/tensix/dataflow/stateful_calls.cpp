#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/tensix/dataflow/caller.h"
#include "kernels/tensix/dataflow/commands.h"
#include "kernels/tensix/dataflow/transfers.h"
#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/program.h"

namespace nocbench::dataflow {

namespace {

/// Writes the registers shared by stateful calls through `buffer`.
KernelContext::CommandState set_state(const Caller& caller, std::uint64_t noc_address, std::uint32_t size, int noc,
                                      std::uint8_t vc, bool posted, std::uint8_t buffer) {
    static_cast<void>(decode(caller, noc_address));
    check_is_one_packet(caller, size);
    caller.show(buffer == kReadBuffer ? "READ_SET_STATE" : "WRITE_SET_STATE", noc, noc_address, size, vc, posted);
    caller.risc.wait_for_command_buffer(noc, buffer);
    caller.risc.spend(caller.cost().set_state_ticks - caller.cost().register_load_ticks);
    return {noc_address, size, vc, posted};
}

const KernelContext::CommandState& require_state(const Caller& caller,
                                                 const std::optional<KernelContext::CommandState>& state,
                                                 const char* set_state_call) {
    if (!state.has_value()) {
        caller.fail(fmt::format("expected {} before it, with no other such call since, found none", set_state_call));
    }
    return *state;
}

/// Returns the NoC address of a call's `address` on the tile of the state.
std::uint64_t address_of_state(const KernelContext::CommandState& state, std::uint32_t address) {
    constexpr std::uint64_t kLowBits = ~std::uint32_t{0};
    return (state.noc_address & ~kLowBits) | address;
}

}  // namespace

void noc_async_read_one_packet_set_state(std::uint64_t source, std::uint32_t size, std::uint8_t noc, std::uint8_t vc) {
    const Caller caller("noc_async_read_one_packet_set_state");
    const int number = caller.noc(noc);
    caller.context.read_state[static_cast<std::size_t>(number)] =
        set_state(caller, source, size, number, vc, false, kReadBuffer);
}

void noc_async_read_one_packet_with_state(std::uint32_t source_address, std::uint32_t destination_l1,
                                          std::uint8_t noc) {
    const Caller caller("noc_async_read_one_packet_with_state");
    const int number = caller.noc(noc);
    const KernelContext::CommandState& state = require_state(
        caller, caller.context.read_state[static_cast<std::size_t>(number)], "noc_async_read_one_packet_set_state");
    const std::uint64_t source = address_of_state(state, source_address);
    caller.show("READ_WITH_STATE", number, source);
    const CommandTarget target = decode(caller, source);
    check_transfer(caller, target, destination_l1, state.bytes, true);
    issue(caller, {TransactionKind::read, kReadBuffer, state.virtual_channel, number, false, 0, true}, target,
          destination_l1, state.bytes, caller.cost().stateful_read_call_ticks);
    ++caller.issued(number).reads;
}

template <bool posted>
void noc_async_write_one_packet_set_state(std::uint64_t destination, std::uint32_t size, std::uint8_t noc,
                                          std::uint8_t vc) {
    const Caller caller("noc_async_write_one_packet_set_state");
    const int number = caller.noc(noc);
    caller.context.write_state[static_cast<std::size_t>(number)] =
        set_state(caller, destination, size, number, vc, posted, kWriteBuffer);
}

template <bool posted>
void noc_async_write_one_packet_with_state(std::uint32_t source_l1, std::uint32_t destination_address,
                                           std::uint8_t noc) {
    const Caller caller("noc_async_write_one_packet_with_state");
    const int number = caller.noc(noc);
    const KernelContext::CommandState& state = require_state(
        caller, caller.context.write_state[static_cast<std::size_t>(number)], "noc_async_write_one_packet_set_state");
    const std::uint64_t destination = address_of_state(state, destination_address);
    caller.show("WRITE_WITH_STATE", number, destination, 0, 0, posted);
    const CommandTarget target = decode(caller, destination);
    if (state.posted != posted) {
        caller.fail(fmt::format("expected {} writes, as they were set up, found {} ones",
                                state.posted ? "posted" : "non-posted", posted ? "posted" : "non-posted"));
    }
    check_transfer(caller, target, source_l1, state.bytes, false);
    const Command command{TransactionKind::write, kWriteBuffer, state.virtual_channel, number, posted, 0, true};
    issue(caller, command, target, source_l1, state.bytes, caller.cost().stateful_write_call_ticks);
    count_write(caller, command, target);
}

template void noc_async_write_one_packet_set_state<false>(std::uint64_t, std::uint32_t, std::uint8_t, std::uint8_t);
template void noc_async_write_one_packet_set_state<true>(std::uint64_t, std::uint32_t, std::uint8_t, std::uint8_t);
template void noc_async_write_one_packet_with_state<false>(std::uint32_t, std::uint32_t, std::uint8_t);
template void noc_async_write_one_packet_with_state<true>(std::uint32_t, std::uint32_t, std::uint8_t);

}  // namespace nocbench::dataflow
