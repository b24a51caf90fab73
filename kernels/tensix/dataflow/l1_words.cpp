#include "kernels/tensix/dataflow/l1_words.h"

#include <span>

#include "device_model/sim/memory.h"
#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dataflow {

std::uint32_t peek_l1_word(const Caller& caller, std::uint32_t address) {
    std::uint32_t value = 0;
    caller.state.memory(caller.risc.identity().node).read(address, std::as_writable_bytes(std::span(&value, 1)));
    return value;
}

void check_l1_word(const Caller& caller, std::uint32_t address) {
    caller.check_l1("address", address, sizeof(std::uint32_t));
    caller.check_alignment("address", address, sizeof(std::uint32_t));
}

std::uint32_t load_l1_word(std::uint32_t address) {
    const Caller caller("load from L1");
    check_l1_word(caller, address);
    caller.risc.synchronize();
    const std::uint32_t value = peek_l1_word(caller, address);
    caller.risc.spend(caller.cost().l1_load_ticks);
    return value;
}

void store_l1_word(std::uint32_t address, std::uint32_t value) {
    const Caller caller("store to L1");
    check_l1_word(caller, address);
    caller.risc.spend(caller.cost().l1_store_ticks);
    caller.risc.synchronize();
    const NodeIndex node = caller.risc.identity().node;
    caller.state.write_memory(node, address, std::as_bytes(std::span(&value, 1)), caller.risc.now());
    caller.state.notify_tile(node, caller.risc.now(), nullptr);
}

}  // namespace nocbench::dataflow
