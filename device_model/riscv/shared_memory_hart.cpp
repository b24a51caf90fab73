#include "device_model/riscv/shared_memory_hart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/isa/arithmetic.h"

namespace nocbench::riscv {

namespace {

constexpr Cycle kCyclesAhead = 2000;
constexpr std::uint32_t kWordBytes = 4;

/// Returns the bytes that a load or store moves; 0 for other operations.
std::uint32_t bytes_of(Operation operation) {
    switch (operation) {
#define NOCBENCH_RISCV_LOAD(operation, type) \
    case Operation::operation:               \
        return sizeof(type);
#define NOCBENCH_RISCV_STORE(operation, type) NOCBENCH_RISCV_LOAD(operation, type)
#include "device_model/riscv/isa/semantics.inl"
        default:
            return 0;
    }
}

/// Returns the register value after a load of `value`, which is zero-extended.
std::uint32_t extended(Operation operation, std::uint32_t value) {
    switch (operation) {
#define NOCBENCH_RISCV_LOAD(operation, type) \
    case Operation::operation:               \
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<type>(value)));
#include "device_model/riscv/isa/semantics.inl"
        default:
            return value;
    }
}

}  // namespace

SharedMemoryHart::SharedMemoryHart(const Code& code, const InstructionTimes& times, const Memory& memory,
                                   Outside& outside)
    : code_(code),
      outside_(outside),
      times_(times),
      memory_(memory.bytes),
      readable_begin_(memory.readable_begin),
      writable_begin_(memory.writable_begin),
      cycles_ahead_(kCyclesAhead),
      stamps_((memory.bytes.size() >> kStampShift) + 1, -1),
      before_(kChangesMax),
      uses_(code.size() + 1) {}

std::optional<std::uint32_t> SharedMemoryHart::place_of_last_call() const {
    const std::uint32_t back = code_.place(state_.registers[kReturnAddress]);
    if (back > code_.size()) {
        return std::nullopt;
    }
    for (const std::uint32_t places : {2U, 1U}) {
        if (back >= places) {
            const Instruction& before = code_.instructions()[back - places];
            const bool is_jump = before.operation == Operation::jal || before.operation == Operation::jalr;
            if (is_jump && before.bytes == places * 2 && before.destination == kReturnAddress) {
                return back - places;
            }
        }
    }
    return std::nullopt;
}

void SharedMemoryHart::run(std::uint32_t start, Cycle cycle) {
    state_.place = 0;
    state_.now = cycle;
    state_.place = code_.place_of_start(start);
    ++uses_[state_.place].entered;
    commit();
    try {
        run_on();
    } catch (...) {
        --uses_[state_.place].entered;  // the current instruction has not been executed
        throw;
    }
}

void SharedMemoryHart::run_on() {
    for (;;) {
        const Stop stop = execute(std::max(state_.now, next_issue_) + cycles_ahead_, 1);
        const bool is_inside = stop == Stop::limit || stop == Stop::loop;
        activity_ = Activity::ahead;
        outside_.meet(is_inside ? state_.now : issue_of(code_.instructions()[state_.place]));
        activity_ = Activity::outside;
        commit();
        take_interrupts();
        if (std::exchange(has_gone_back_, false) || stop == Stop::limit) {
            continue;
        }
        if (!is_inside) {
            const Cycle issue = issue_of(code_.instructions()[state_.place]);
            uses_[state_.place].further_cycles += issue - state_.now;
            state_.now = issue;
        }
        if (act(stop)) {
            return;
        }
        take_interrupts();
        commit();
    }
}

void SharedMemoryHart::take_interrupts() {
    const Cycle cycle = outside_.take_interrupts(state_.now);
    if (cycle != state_.now) {
        uses_[state_.place].further_cycles += cycle - state_.now;
        state_.now = cycle;
        ++effects_;
        commit();
    }
}

void SharedMemoryHart::commit() {
    committed_ = state_;
    committed_loop_ = loop_;
    if (loop_.is_valid && committed_sample_.number != sample_.number) {
        committed_sample_ = sample_;
    }
    committed_effects_ = effects_;
    num_changes_ = 0;
    arrivals_.clear();
}

// Others

bool SharedMemoryHart::has_looked_at(std::uint32_t address, std::size_t bytes, Cycle cycle) const {
    const std::size_t last = (address + bytes - 1) >> kStampShift;
    for (std::size_t stamp = address >> kStampShift; stamp <= last; ++stamp) {
        if (stamps_[stamp] >= cycle) {
            return true;
        }
    }
    return false;
}

bool SharedMemoryHart::depends_on(std::uint32_t address, std::size_t bytes) const {
    const auto overlaps = [&](const Arrival& arrival) {
        return arrival.change.address < address + bytes && address < arrival.change.address + arrival.change.bytes;
    };
    return activity_ != Activity::outside &&
           (has_looked_at(address, bytes, committed_.now) || std::ranges::any_of(arrivals_, overlaps));
}

void SharedMemoryHart::touch_by_read(std::uint32_t address, std::size_t bytes, Cycle cycle) {
    if (activity_ == Activity::ahead && has_looked_at(address, bytes, cycle)) {
        rewind_to(cycle);
    }
}

void SharedMemoryHart::touch_by_write(std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle) {
    Change change{address, static_cast<std::uint32_t>(bytes.size()), {}};
    std::ranges::copy(bytes, change.value.begin());
    // A sleeping hart has tried a round from now() on.
    const bool has_looked = activity_ != Activity::outside &&
                            has_looked_at(address, bytes.size(), activity_ == Activity::ahead ? cycle : state_.now);
    if (activity_ == Activity::ahead) {
        if (has_looked) {
            rewind_to(cycle);
        } else if (num_changes_ == kChangesMax) {
            // Rollback buffer full: execute again up to now and commit.
            rewind_to(cycle);
            commit();
        }
        arrivals_.push_back({change, cycle});
        write(change);
        return;
    }
    if (activity_ == Activity::asleep && has_looked) {
        leap_to(cycle);
        std::ranges::copy(bytes, memory_.begin() + address);
        wake(cycle);
        return;
    }
    std::ranges::copy(bytes, memory_.begin() + address);
}

void SharedMemoryHart::interrupt(Cycle cycle) {
    if (activity_ == Activity::ahead) {
        rewind_to(cycle);
    } else if (activity_ == Activity::asleep) {
        leap_to(cycle);
        wake(cycle);
    }
}

void SharedMemoryHart::wake(Cycle cycle) {
    ++effects_;
    commit();
    outside_.goes_on_at(std::max(cycle, state_.now));
    activity_ = Activity::outside;
}

void SharedMemoryHart::write(const Change& change) {
    Change& old = before_[num_changes_++];
    old.address = change.address;
    old.bytes = change.bytes;
    std::copy_n(memory_.begin() + change.address, change.bytes, old.value.begin());
    std::copy_n(change.value.begin(), change.bytes, memory_.begin() + change.address);
}

void SharedMemoryHart::undo() {
    while (num_changes_ != 0) {
        const Change& old = before_[--num_changes_];
        std::copy_n(old.value.begin(), old.bytes, memory_.begin() + old.address);
    }
    state_ = committed_;
    loop_ = committed_loop_;
    if (loop_.is_valid && sample_.number != committed_sample_.number) {
        sample_ = committed_sample_;
    }
    effects_ = committed_effects_;
}

SharedMemoryHart::Stop SharedMemoryHart::execute_awake(Cycle limit, std::int64_t count) {
    const bool sleeps = std::exchange(sleeps_, false);
    const Stop stop = execute(limit, count);
    sleeps_ = sleeps;
    return stop;
}

void SharedMemoryHart::execute_again(Cycle limit, std::int64_t count) {
    for (const Arrival& arrival : arrivals_) {
        static_cast<void>(execute_awake(std::min(arrival.cycle, limit), count));
        write(arrival.change);
    }
    static_cast<void>(execute_awake(limit, count));
}

void SharedMemoryHart::forget_looks_from(Cycle cycle) {
    for (Cycle& stamp : stamps_) {
        stamp = std::min(stamp, cycle - 1);
    }
}

void SharedMemoryHart::rewind_to(Cycle cycle) {
    ++num_rewinds_;
    const Cycle end = std::max(state_.now, state_.last_float + 1);
    undo();
    execute_again(end, -1);
    undo();
    execute_again(cycle, 1);
    forget_looks_from(cycle);
    has_gone_back_ = true;
    outside_.goes_on_at(std::max(cycle, state_.now));
}

// Loops

bool SharedMemoryHart::is_as_at_sample() {
    const State& then = sample_.state;
    if (!loop_.has_same(state_.registers, then.registers)) {
        return false;
    }
    const auto from_now = [&](Cycle cycle) { return std::max(cycle - state_.now, Cycle{0}); };
    const auto from_then = [&](Cycle cycle) { return std::max(cycle - sample_.begin, Cycle{0}); };
    bool is_same = from_now(state_.last_float + 1) == from_then(then.last_float + 1);
    for (std::size_t number = 0; is_same && number < state_.ready.size(); ++number) {
        is_same = number == kDiscard || from_now(state_.ready[number]) == from_then(then.ready[number]);
    }
    return is_same;
}

bool SharedMemoryHart::is_same_round(std::uint64_t num_instructions) {
    if (loop_.is_valid && is_as_at_sample()) {
        period_ = state_.now - sample_.begin;
        instructions_of_round_ = num_instructions - sample_.num_instructions;
        return sleeps_;
    }
    if (loop_.visits >= loop_.visits_max) {
        loop_.plan_next_sample();
        loop_.visits = 0;
        loop_.is_valid = true;
        sample_ = {++num_samples_, state_.now, num_instructions, state_};
    }
    return false;
}

bool SharedMemoryHart::comes_round() {
    const Cycle period = period_;
    const std::uint64_t instructions = instructions_of_round_;
    const std::uint32_t begin = state_.place;
    const Cycle end = state_.now + period;
    const Stop stop = execute_awake(end, 0);
    const bool is_same = stop == Stop::limit && effects_ == committed_effects_ && state_.place == begin &&
                         state_.now == end && is_as_at_sample();
    undo();
    period_ = period;
    instructions_of_round_ = instructions;
    if (!is_same) {
        forget_looks_from(state_.now);
    }
    return is_same;
}

std::optional<std::uint32_t> SharedMemoryHart::watched_address() const {
    const auto found = std::ranges::find_if(stamps_, [&](Cycle stamp) { return stamp >= state_.now; });
    if (found == stamps_.end()) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(found - stamps_.begin()) << kStampShift;
}

void SharedMemoryHart::leap_to(Cycle cycle) {
    const Cycle rounds = std::max<Cycle>((cycle - state_.now) / period_, 0);
    const Cycle leaped = rounds * period_;
    slept_cycles_ = leaped;
    state_.now += leaped;
    for (Cycle& ready : state_.ready) {
        ready += leaped;
    }
    state_.last_float += leaped;
    num_instructions_ += static_cast<std::uint64_t>(rounds) * instructions_of_round_;
    uses_[state_.place].further_cycles += leaped;
    loop_.is_valid = false;
    commit();
    static_cast<void>(execute_awake(cycle, 1));
    if (rounds == 0) {
        forget_looks_from(cycle);  // of the round tried before sleeping
    }
}

// Outside of the memory

Cycle SharedMemoryHart::issue_of(const Instruction& instruction) const {
    return std::max({state_.now, state_.ready[instruction.source1], state_.ready[instruction.source2]});
}

bool SharedMemoryHart::act(Stop stop) {
    const Instruction& instruction = code_.instructions()[state_.place];
    switch (stop) {
        case Stop::load:
            load_elsewhere(instruction);
            break;
        case Stop::store:
            store_elsewhere(instruction);
            break;
        case Stop::atomic:
            atomic(instruction);
            break;
        case Stop::call:
            return call(instruction);
        case Stop::environment:
            control_register(instruction);
            break;
        case Stop::loop:
            if (effects_ != loop_.effects || !comes_round()) {
                return false;  // interrupted, or written to since it looked
            }
            slept_cycles_ = 0;
            activity_ = Activity::asleep;
            outside_.sleep(state_.now);
            activity_ = Activity::outside;
            return false;
        default:
            fail(instruction);
    }
    state_.place += instruction.bytes / 2;
    return false;
}

void SharedMemoryHart::finish(Cycle begin) {
    ++num_instructions_;
    uses_[state_.place].further_cycles += state_.now - begin - 1;
    ++effects_;
}

void SharedMemoryHart::load_elsewhere(const Instruction& instruction) {
    const std::uint32_t address =
        state_.registers[instruction.source1] + static_cast<std::uint32_t>(instruction.immediate);
    const std::uint32_t bytes = bytes_of(instruction.operation);
    if (address % bytes != 0 || address < memory_.size()) {
        fail(instruction);
    }
    std::uint32_t value = 0;
    const Cycle begin = state_.now;
    state_.now = outside_.load(address, std::as_writable_bytes(std::span(&value, 1)).first(bytes), begin);
    state_.registers[instruction.destination] = extended(instruction.operation, value);
    state_.ready[instruction.destination] = state_.now;
    finish(begin);
}

void SharedMemoryHart::store_elsewhere(const Instruction& instruction) {
    const std::uint32_t address =
        state_.registers[instruction.source1] + static_cast<std::uint32_t>(instruction.immediate);
    const std::uint32_t bytes = bytes_of(instruction.operation);
    if (address % bytes != 0 || address < memory_.size()) {
        fail(instruction);
    }
    const std::uint32_t value = state_.registers[instruction.source2];
    const Cycle begin = state_.now;
    state_.now = outside_.store(address, std::as_bytes(std::span(&value, 1)).first(bytes), begin);
    finish(begin);
}

void SharedMemoryHart::atomic(const Instruction& instruction) {
    const std::uint32_t address = state_.registers[instruction.source1];
    if (address % kWordBytes != 0 || address < writable_begin_ || address > memory_.size() - kWordBytes) {
        fail(instruction);
    }
    outside_.about_to_access(address, kWordBytes);
    std::uint32_t old = 0;
    std::memcpy(&old, &memory_[address], kWordBytes);
    const auto [stored, result, stores] =
        reservation_.execute(instruction.operation, address, old, state_.registers[instruction.source2]);
    std::memcpy(&memory_[address], &stored, kWordBytes);
    const Cycle begin = state_.now;
    // Atomic load and store.
    state_.registers[instruction.destination] = result;
    state_.ready[instruction.destination] = begin + times_.load_cycles;
    state_.now = begin + times_.load_cycles + 1;
    finish(begin);
}

void SharedMemoryHart::control_register(const Instruction& instruction) {
    const Cycle begin = state_.now;
    const std::optional<std::uint32_t> old = control_.execute(instruction, state_.registers[instruction.source1],
                                                              {static_cast<std::uint64_t>(begin), num_instructions_});
    if (!old.has_value()) {
        fail(instruction);
    }
    control_.float_flags = 0;  // the core keeps no flags
    state_.registers[instruction.destination] = *old;
    state_.now = begin + 1;
    state_.ready[instruction.destination] = state_.now;
    finish(begin);
}

bool SharedMemoryHart::call(const Instruction& instruction) {
    const std::uint32_t here = code_.address(state_.place);
    const auto immediate = static_cast<std::uint32_t>(instruction.immediate);
    const std::uint32_t target = instruction.operation == Operation::jal
                                     ? here + immediate
                                     : (state_.registers[instruction.source1] + immediate) & ~std::uint32_t{1};
    const std::uint32_t return_address_before = state_.registers[kReturnAddress];
    state_.registers[instruction.destination] = here + instruction.bytes;
    const Cycle begin = state_.now;
    const Cycle jump_cycles = 1 + times_.taken_branch_cycles;
    const Outside::CallResult result = outside_.call(target, begin + jump_cycles);
    state_.now = result.cycle + (result.has_ended ? 0 : jump_cycles);
    finish(begin);
    ++uses_[state_.place].left;
    if (result.has_ended) {
        return true;
    }
    const std::uint32_t back = state_.registers[kReturnAddress];
    if (code_.place(back) >= code_.size()) {
        state_.registers[kReturnAddress] = return_address_before;
        fail_target("return", back);
    }
    state_.place = code_.place(back);
    ++uses_[state_.place].entered;
    return false;
}

void SharedMemoryHart::fail(const Instruction& instruction) const {
    const std::uint32_t bytes = bytes_of(instruction.operation);
    const bool is_atomic = instruction.operation >= Operation::lr_w && instruction.operation <= Operation::amomaxu_w;
    if (bytes != 0 || is_atomic) {
        const std::uint32_t address =
            state_.registers[instruction.source1] + (is_atomic ? 0 : static_cast<std::uint32_t>(instruction.immediate));
        const std::uint32_t size = is_atomic ? kWordBytes : bytes;
        const bool is_load = instruction.destination != kDiscard && !is_atomic;
        const char* const what = is_atomic ? "atomic access" : (is_load ? "load" : "store");
        if (address % size != 0) {
            fail_alignment(what, address, size);
        }
        if (address < readable_begin_) {
            throw GuestFault(fmt::format("{} of {} bytes at 0x{:x}: a null pointer? Memory begins at 0x{:x}", what,
                                         size, address, readable_begin_));
        }
        if (!is_load && address < writable_begin_) {
            fail_own_code(what, address, size);
        }
        throw GuestFault(fmt::format("{} of {} bytes at 0x{:x}: nothing is there; the core's memory ends at 0x{:x}",
                                     what, size, address, memory_.size()));
    }
    switch (instruction.operation) {
        case Operation::move_stack: {
            const std::uint32_t moved =
                moved_stack(instruction, state_.registers[instruction.source1], state_.registers[instruction.source2]);
            throw GuestFault(fmt::format(
                "stack overflow: the stack pointer would be {} bytes below the end of the heap, 0x{:x}; the stack has "
                "{} bytes",
                stack_limit_ - moved, stack_limit_, memory_.size() - stack_limit_));
        }
        case Operation::ecall:
            throw GuestFault("ecall: there is no operating system");
        default:
            fail_instruction(code_, state_.place);
    }
}

}  // namespace nocbench::riscv
