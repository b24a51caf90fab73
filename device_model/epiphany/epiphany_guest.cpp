#include "device_model/epiphany/epiphany_guest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>

#include "device_model/epiphany/epiphany_state.h"
#include "device_model/riscv/guest_fault.h"
#include "device_model/sim/error.h"

namespace nocbench {

namespace {

/// Thrown to leave a program that someone else has ended.
class ProgramEnded : public std::exception {};

riscv::InstructionTimes instruction_times(const EpiphanyCoreConstants& costs) {
    riscv::InstructionTimes times;
    times.load_cycles = cycle_at_or_after(costs.load_ticks + costs.local_load_use_ticks);
    times.float_cycles = cycle_at_or_after(costs.float_ticks);
    times.float_user_cycles = cycle_at_or_after(costs.float_user_ticks);
    times.taken_branch_cycles = cycle_at_or_after(costs.taken_branch_ticks);
    times.divide_cycles = cycle_at_or_after(costs.divide_ticks);
    times.float_divide_cycles = cycle_at_or_after(costs.float_divide_ticks);
    return times;
}

}  // namespace

EpiphanyGuest::EpiphanyGuest(Program program)
    : core_(EpiphanyCore::current()),
      program_(std::move(program)),
      memory_(static_cast<std::size_t>(core_.state().constants.core.memory_bytes)),
      hart_(program_.code, instruction_times(core_.state().constants.core),
            {memory_, program_.readable_begin, program_.writable_begin}, *this) {
    const NodeIndex node = core_.identity().node;
    core_.state().memory.read({false, node, 0}, memory_);
    core_.state().memory.set_guest(node, this);
    core_.set_place_in_program([this] { return place(); });
}

EpiphanyGuest::~EpiphanyGuest() {
    core_.set_place_in_program({});
    const NodeIndex node = core_.identity().node;
    core_.state().memory.set_guest(node, nullptr);
    core_.state().memory.write({false, node, 0}, memory_);
}

void EpiphanyGuest::run(std::uint32_t entry) {
    try {
        hart_.run(entry, next_cycle());
    } catch (const ProgramEnded&) {
        return;
    } catch (const riscv::GuestFault& fault) {
        throw KernelError(fmt::format("{}: {}: {}", core_.name(), place(), fault.what()));
    } catch (const KernelError& error) {  // from an access outside the memory, or the time limit
        throw KernelError(fmt::format("{}; it is at {}", error.what(), place()));
    }
}

void EpiphanyGuest::end() {
    has_ended_ = true;
    // Discards instructions executed past this time. Skipped polling rounds count for their loop.
    hart_.interrupt(cycle_at_or_after(core_.state().event_tick));
    core_.state().interrupts.wake(core_.identity().node, core_.state().event_tick);
}

template <class Action>
void EpiphanyGuest::book_waits_of(const Action& action) {
    const WaitingPlace here{hart_.place(), hart_.place_of_last_call()};
    const Ledger before = core_.zones().front().ledger;
    action();
    Ledger waits = core_.zones().front().ledger.since(before);
    waits.book(Cause::issue, -waits.ticks(Cause::issue));
    if (waits.total() != 0) {
        waits_[here].add(waits);
    }
}

void EpiphanyGuest::require_running() const {
    if (has_ended_) {
        throw ProgramEnded();
    }
}

void EpiphanyGuest::about_to_be_read(std::uint64_t offset, std::size_t bytes, Tick tick) {
    hart_.touch_by_read(static_cast<std::uint32_t>(offset), bytes, cycle_at_or_after(tick));
}

void EpiphanyGuest::write(std::uint64_t offset, std::span<const std::byte> bytes, Tick tick) {
    hart_.touch_by_write(static_cast<std::uint32_t>(offset), bytes, cycle_at_or_after(tick));
}

void EpiphanyGuest::interrupt(Tick tick) { hart_.interrupt(cycle_at_or_after(tick)); }

Cycle EpiphanyGuest::take_interrupts(Cycle cycle) {
    if (!core_.state().interrupts.is_due(core_)) {
        return cycle;
    }
    go_on_to(cycle);
    book_waits_of([&] { core_.state().interrupts.take(core_); });
    return next_cycle();
}

void EpiphanyGuest::go_on_to(Cycle cycle) {
    core_.advance_to(ticks_from_cycles(cycle));
    core_.book_until_now(Cause::issue);
}

Cycle EpiphanyGuest::next_cycle() {
    const Cycle cycle = cycle_at_or_after(core_.now());
    go_on_to(cycle);
    core_.state().undisturbed.deliver_to(core_.identity().node);
    return cycle;
}

void EpiphanyGuest::meet(Cycle cycle) {
    core_.state().undisturbed.guest_has_executed(core_.identity().node);
    core_.advance_to(ticks_from_cycles(cycle));
    core_.synchronize();
    core_.book_until_now(Cause::issue);
    core_.state().undisturbed.deliver_to(core_.identity().node);
    require_running();
}

void EpiphanyGuest::sleep(Cycle cycle) {
    core_.state().undisturbed.guest_has_executed(core_.identity().node);
    go_on_to(cycle);
    const std::optional<std::uint32_t> watched = hart_.watched_address();
    const Stall loop = watched.has_value() ? Stall{"a loop", "another core to write there", *watched}
                                           : Stall{"a loop that looks at nothing that others could change", "ever"};
    book_waits_of([&] {
        core_.begin_stall(loop);
        core_.stand_still();
        core_.end_stall(Cause::semaphore, ticks_from_cycles(hart_.slept_cycles()));
    });
    core_.state().undisturbed.deliver_to(core_.identity().node);
    require_running();
}

void EpiphanyGuest::goes_on_at(Cycle cycle) {
    if (hart_.is_asleep()) {
        core_.release(ticks_from_cycles(cycle));
    } else {
        core_.resume_instead_at(ticks_from_cycles(cycle));
    }
}

Cycle EpiphanyGuest::load(std::uint32_t address, std::span<std::byte> out, Cycle cycle) {
    go_on_to(cycle);
    book_waits_of([&] {
        const std::uint64_t value = core_.state().accesses.load(core_, "load", address, out.size());
        std::memcpy(out.data(), &value, out.size());
    });
    return next_cycle();
}

Cycle EpiphanyGuest::store(std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle) {
    go_on_to(cycle);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), bytes.size());
    book_waits_of([&] { core_.state().accesses.store(core_, "store", address, bytes.size(), value); });
    return next_cycle();
}

void EpiphanyGuest::about_to_access(std::uint32_t address, std::size_t bytes) {
    core_.state().memory.end_reservations({false, core_.identity().node, address}, bytes, true);
}

riscv::Outside::CallResult EpiphanyGuest::call(std::uint32_t address, Cycle cycle) {
    go_on_to(cycle);
    core_.synchronize();
    bool has_ended = false;
    book_waits_of([&] { has_ended = program_.call(*this, address); });
    return {has_ended, next_cycle()};
}

}  // namespace nocbench
