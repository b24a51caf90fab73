#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "device_model/tenstorrent/risc.h"
#include "kernels/tensix/dataflow/caller.h"
#include "kernels/tensix/dataflow/commands.h"
#include "kernels/tensix/dataflow/l1_words.h"
#include "kernels/tensix/dataflow/multicasts.h"
#include "kernels/tensix/dataflow/transfers.h"
#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/program.h"

namespace nocbench::dataflow {

namespace {

void increment_semaphore(const Caller& caller, const CommandTarget& target, std::uint32_t increment, int noc,
                         std::uint8_t vc) {
    caller.check_l1("semaphore", target.address, sizeof(std::uint32_t));
    caller.check_alignment("semaphore", target.address, sizeof(std::uint32_t));
    const Command command{TransactionKind::atomic_increment, kAtomicBuffer, vc, noc, false, increment};
    issue(caller, command, target, 0, 0, caller.cost().semaphore_call_ticks);
    caller.issued(noc).atomics += std::max<std::uint64_t>(1, target.num_receivers);
}

class SemaphoreCondition final : public WaitCondition {
public:
    SemaphoreCondition(const Caller& caller, std::uint32_t address, std::uint32_t wanted, bool at_least)
        : caller_(caller), address_(address), wanted_(wanted), at_least_(at_least) {}
    [[nodiscard]] bool is_met() const override {
        const std::uint32_t value = peek_l1_word(caller_, address_);
        return at_least_ ? value >= wanted_ : value == wanted_;
    }
    [[nodiscard]] std::string description() const override {
        return fmt::format("{} for the semaphore at 0x{:x} to be {}{} (it is {})", caller_.call, address_,
                           at_least_ ? "at least " : "", wanted_, peek_l1_word(caller_, address_));
    }

private:
    const Caller& caller_;
    std::uint32_t address_;
    std::uint32_t wanted_;
    bool at_least_;
};

void wait_for_semaphore(const Caller& caller, L1Pointer semaphore, std::uint32_t value, bool at_least) {
    check_l1_word(caller, semaphore.address());
    caller.show("SEMAPHORE_WAIT", caller.context.noc);
    const Tick load = caller.cost().l1_load_ticks;
    caller.risc.wait_until(SemaphoreCondition(caller, semaphore.address(), value, at_least), Cause::semaphore, load,
                           load);
}

}  // namespace

std::uint32_t get_semaphore(std::uint32_t id) {
    const Caller caller("get_semaphore");
    if (id >= caller.context.core->num_semaphores) {
        caller.fail(fmt::format("semaphore {} does not exist on this core; there are {}", id,
                                caller.context.core->num_semaphores));
    }
    return semaphore_address(caller.state.architecture, id);
}

void noc_semaphore_inc(std::uint64_t semaphore, std::uint32_t increment, std::uint8_t noc, std::uint8_t vc) {
    const Caller caller("noc_semaphore_inc");
    const int number = caller.noc(noc);
    const CommandTarget target = decode(caller, semaphore);
    if (target.memory != MemoryKind::l1) {
        caller.fail(fmt::format("({}, {}) is a {} tile; only L1 takes atomics", target.place.x, target.place.y,
                                to_string(caller.state.grid.tile_kind(target.place))));
    }
    caller.show("SEMAPHORE_INC", number, semaphore, 0, vc);
    increment_semaphore(caller, target, increment, number, vc);
}

void noc_semaphore_set_remote(std::uint32_t source_l1, std::uint64_t semaphore, std::uint8_t noc) {
    write_unicast("noc_semaphore_set_remote", source_l1, semaphore, sizeof(std::uint32_t), noc, NOC_UNICAST_WRITE_VC,
                  false, true, kSmallWriteBuffer);
}

void noc_semaphore_set_multicast(std::uint32_t source_l1, std::uint64_t semaphores, std::uint32_t num_dests,
                                 bool linked, std::uint8_t noc) {
    write_multicast("noc_semaphore_set_multicast", source_l1, sizeof(std::uint32_t),
                    {semaphores, num_dests, linked, false, noc, NOC_MULTICAST_WRITE_VC}, true, kSmallWriteBuffer);
}

void noc_semaphore_set_multicast_loopback_src(std::uint32_t source_l1, std::uint64_t semaphores,
                                              std::uint32_t num_dests, bool linked, std::uint8_t noc) {
    write_multicast("noc_semaphore_set_multicast_loopback_src", source_l1, sizeof(std::uint32_t),
                    {semaphores, num_dests, linked, true, noc, NOC_MULTICAST_WRITE_VC}, true, kSmallWriteBuffer);
}

void noc_semaphore_inc_multicast(std::uint64_t semaphores, std::uint32_t increment, std::uint32_t num_dests,
                                 std::uint8_t noc, std::uint8_t vc) {
    const Caller caller("noc_semaphore_inc_multicast");
    const int number = caller.noc(noc);
    const CommandTarget target = decode_multicast(caller, semaphores, number, false, num_dests, false);
    const std::uint8_t channel = caller.multicast_channel(vc);
    caller.show("SEMAPHORE_INC", number, semaphores, 0, channel);
    increment_semaphore(caller, target, increment, number, channel);
}

void noc_semaphore_set(L1Pointer semaphore, std::uint32_t value) {
    const Caller caller("noc_semaphore_set");
    caller.show("SEMAPHORE_SET", caller.context.noc);
    *semaphore = value;
}

void noc_semaphore_wait(L1Pointer semaphore, std::uint32_t value) {
    wait_for_semaphore(Caller("noc_semaphore_wait"), semaphore, value, false);
}

void noc_semaphore_wait_min(L1Pointer semaphore, std::uint32_t value) {
    wait_for_semaphore(Caller("noc_semaphore_wait_min"), semaphore, value, true);
}

}  // namespace nocbench::dataflow
