#include "kernels/tensix/dataflow/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/risc.h"
#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/program.h"

namespace nocbench::dataflow {

namespace {

/// Returns the alternative for a multicast address in a unicast call.
std::string_view instead_of_unicast(std::string_view call) {
    if (call.starts_with("noc_async_read")) {
        return "reads have one source";
    }
    if (call == "noc_semaphore_inc") {
        return "noc_semaphore_inc_multicast takes it";
    }
    if (call == "noc_semaphore_set_remote") {
        return "noc_semaphore_set_multicast takes it";
    }
    return "noc_async_write_multicast takes it, and nothing posts multicasts, since the hardware does not do that "
           "safely";
}

/// Marks the registers of stateful calls as overwritten.
void overwrite_state(const Caller& caller, const Command& command) {
    const auto noc = static_cast<std::size_t>(command.noc);
    if (command.buffer == kWriteBuffer) {
        caller.context.write_state[noc].reset();
    } else if (command.buffer == kReadBuffer) {
        caller.context.read_state[noc].reset();
    }
}

/// Returns the extra cost of a new target, or of the first repeat of a target, for calls of one kind: code around the
/// calls, or a loop to enter.
Tick target_ticks(const Caller& caller, const Command& command, const CommandTarget& target) {
    const bool is_read = command.kind == TransactionKind::read;
    const RiscConstants& cost = caller.cost();
    KernelContext::LastCall& last = caller.context.last_calls[static_cast<std::size_t>(command.kind)];
    const bool is_same = last.count != 0 && last.node == target.node && last.tree == target.tree;
    const bool is_first = last.count == 0;
    last = {target.node, target.tree, is_same ? last.count + 1 : 1};
    if (is_same) {
        return last.count != 2 ? 0 : is_read ? cost.read_first_repeat_ticks : cost.write_first_repeat_ticks;
    }
    return is_first ? 0 : is_read ? cost.read_new_target_ticks : cost.write_new_target_ticks;
}

}  // namespace

CommandTarget decode(const Caller& caller, std::uint64_t noc_address) {
    if (has_rectangle(noc_address)) {
        caller.fail(fmt::format("expected the address of one tile, found that of a multicast; {}",
                                instead_of_unicast(caller.call)));
    }
    return caller.checked([&] { return unicast_target(caller.state, noc_address); });
}

void check_target(const Caller& caller, const char* what, const CommandTarget& target, std::uint64_t size) {
    if (target.memory != MemoryKind::l1) {
        caller.checked([&] { require_target_range(caller.state, what, target, size); });
    } else {
        caller.check_l1(what, target.address, size);
    }
}

void issue(const Caller& caller, const Command& command, const CommandTarget& target, std::uint64_t own_address,
           std::uint32_t bytes, Tick call_ticks) {
    const bool is_dynamic = target.tree == kNoTree && (command.vc & NOC_DYNAMIC_VC) != 0;
    NiuCommand asked;
    asked.kind = command.kind;
    asked.buffer = command.buffer;
    asked.virtual_channel = static_cast<std::uint8_t>(command.vc & ~(is_dynamic ? NOC_DYNAMIC_VC : 0));
    asked.is_dynamic = is_dynamic;
    asked.noc = command.noc;
    asked.posted = command.posted;
    asked.operand = command.operand;
    asked.has_inline_data = command.has_inline_data;
    asked.names_tile = !command.is_stateful;
    asked.bytes = bytes;
    asked.own_address = own_address;
    asked.target = target;
    Risc& risc = caller.risc;
    caller.checked([&] { require_virtual_channel(caller.state, asked); });
    caller.require_no_owner(command.noc);
    caller.checked([&] { keep_chain(risc, asked); });
    if (!command.is_stateful) {
        overwrite_state(caller, command);
    }
    risc.wait_for_command_buffer(command.noc, command.buffer);
    risc.spend(call_ticks - caller.cost().register_load_ticks);
    risc.spend(target_ticks(caller, command, target));
    submit_command(risc, asked);
}

std::uint32_t max_packet_bytes(const DeviceState& state) {
    const RouterConstants& router = state.architecture.router;
    return static_cast<std::uint32_t>(router.flit_bytes * router.max_packet_data_flits);
}

void check_transfer(const Caller& caller, const CommandTarget& target, std::uint32_t own_address, std::uint32_t size,
                    bool is_read) {
    if (size == 0) {
        caller.fail("size: expected at least 1 byte, found 0");
    }
    const char* const own_name = is_read ? "destination" : "source";
    const char* const target_name = is_read ? "source" : "destination";
    caller.check_l1(own_name, own_address, size);
    check_target(caller, target_name, target, size);
    NiuCommand moved;
    moved.kind = is_read ? TransactionKind::read : TransactionKind::write;
    moved.own_address = own_address;
    moved.target = target;
    caller.checked([&] { require_alignment(caller.state, moved); });
}

void check_is_one_packet(const Caller& caller, std::uint32_t size) {
    const std::uint32_t packet_bytes = max_packet_bytes(caller.state);
    if (size > packet_bytes) {
        caller.fail(fmt::format("size: expected at most one packet of {} bytes, found {}", packet_bytes, size));
    }
}

}  // namespace nocbench::dataflow
