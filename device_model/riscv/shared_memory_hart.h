// A hart with memory that others access, too: a core of a machine with one address space.
//
// Runs ahead of the rest of the machine within its memory. It meets the rest, which then catches up with its clock,
// after a bounded number of cycles and before any effect that others see. Accesses of others to its memory take place
// at their own time. If the hart had already read or changed the location later than that, it rolls back to the last
// meeting and executes again up to the time of the access. Results do not depend on how far a hart runs ahead.
//
// Polling loops are not executed round by round: the hart sleeps until others write to a polled location and resumes in
// the round that sees the change. Only the program and modeled time decide when it falls asleep and which rounds it
// skips. Therefore a rollback also discards knowledge about loops, and before sleeping the hart tries a round with all
// writes of others so far.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device_model/riscv/code.h"
#include "device_model/riscv/isa/atomics.h"
#include "device_model/riscv/isa/control_registers.h"
#include "device_model/riscv/isa/floating_point.h"
#include "device_model/riscv/loop_rounds.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench::riscv {

class SharedMemoryHart;

/// Instruction timing of an in-order core. It issues an integer instruction, load or store every cycle and, beside it,
/// a floating-point one; branches issue alone.
struct InstructionTimes {
    Cycle load_cycles = 1;  // latencies: until the next instruction can use the result
    Cycle float_cycles = 1;
    Cycle float_user_cycles = 0;    // extra latency if that is a floating-point instruction
    Cycle taken_branch_cycles = 0;  // extra cycles of taken branches, calls and returns
    Cycle divide_cycles = 1;        // integer division, which blocks the core
    Cycle float_divide_cycles = 1;  // also square root
};

/// The machine outside a hart's memory. Cycles are those of the hart.
class Outside {
public:
    virtual ~Outside() = default;

    /// Lets others catch up with the hart, at `cycle`. They may touch() its memory meanwhile.
    virtual void meet(Cycle cycle) = 0;
    /// Suspends the hart, at `cycle`, until it is woken. SharedMemoryHart::slept_cycles() has then passed in skipped
    /// rounds, the rest of the time in rounds executed since.
    virtual void sleep(Cycle cycle) = 0;
    /// Reports from touch() that the hart, in meet() or sleep(), resumes at `cycle`.
    virtual void goes_on_at(Cycle cycle) = 0;

    // Actions of the program at `cycle`, after others have caught up. Return the cycle at which the hart resumes.

    virtual Cycle load(std::uint32_t address, std::span<std::byte> out, Cycle cycle) = 0;
    virtual Cycle store(std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle) = 0;
    /// Reports that an atomic instruction is about to access the hart's own memory, after others have caught up.
    virtual void about_to_access(std::uint32_t /*address*/, std::size_t /*bytes*/) {}
    /// Handles a jump outside the code. Throws GuestFault for an invalid target.
    struct CallResult {
        bool has_ended = false;  // the program
        Cycle cycle = 0;
    };
    virtual CallResult call(std::uint32_t address, Cycle cycle) = 0;
    /// Lets the core take interrupts, between two instructions, after interrupt() at the latest. Returns when the hart
    /// resumes.
    virtual Cycle take_interrupts(Cycle cycle) { return cycle; }

protected:
    Outside() = default;
    Outside(const Outside&) = default;
    Outside& operator=(const Outside&) = default;
};

class SharedMemoryHart {
public:
    struct Memory {
        std::span<std::byte> bytes;        // the whole memory, from address 0
        std::uint32_t readable_begin = 0;  // lowest address that a program may read
        std::uint32_t writable_begin = 0;  // lowest address that a program may write
    };

    SharedMemoryHart(const Code& code, const InstructionTimes& times, const Memory& memory, Outside& outside);
    SharedMemoryHart(const SharedMemoryHart&) = delete;
    SharedMemoryHart& operator=(const SharedMemoryHart&) = delete;
    ~SharedMemoryHart() = default;

    /// Sets how far the hart runs ahead, at least one cycle. Affects only simulation speed.
    void set_cycles_ahead(Cycle cycles) { cycles_ahead_ = cycles; }
    /// Sets whether polling loops sleep. Affects only simulation speed.
    void set_sleeps(bool sleeps) { sleeps_ = sleeps; }

    /// Sets the lower bound of the stack; 0: none.
    void set_stack_limit(std::uint32_t address) { stack_limit_ = address; }
    [[nodiscard]] std::uint32_t stack_limit() const { return stack_limit_; }

    /// Executes from `start` at `cycle` until a call ends the program. Throws GuestFault, at pc().
    void run(std::uint32_t start, Cycle cycle);

    /// Reports an access of others to `bytes` at `address` at `cycle`: called before a read, and in place of a write.
    void touch_by_read(std::uint32_t address, std::size_t bytes, Cycle cycle);
    void touch_by_write(std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle);

    /// True if it has executed, or tried to, since it last met others, and it has read or written any of these bytes,
    /// or others have.
    [[nodiscard]] bool depends_on(std::uint32_t address, std::size_t bytes) const;

    [[nodiscard]] Cycle now() const { return state_.now; }
    [[nodiscard]] std::uint32_t pc() const { return code_.address(state_.place); }
    /// Returns the place in the code of the instruction at pc().
    [[nodiscard]] std::uint32_t place() const { return state_.place; }
    /// Returns the place of the call that set the return address, if a call did.
    [[nodiscard]] std::optional<std::uint32_t> place_of_last_call() const;
    [[nodiscard]] std::uint32_t integer(std::uint8_t number) const { return state_.registers[number]; }
    void set_integer(std::uint8_t number, std::uint32_t value) { state_.registers[number] = value; }
    [[nodiscard]] std::uint32_t float_bits(std::uint8_t number) const { return state_.registers[kFirstFloat + number]; }
    void set_float_bits(std::uint8_t number, std::uint32_t value) { state_.registers[kFirstFloat + number] = value; }

    /// Takes interrupts at `cycle`, or on return from outside.
    void interrupt(Cycle cycle);

    /// Makes a sleeping hart poll again at `cycle`.
    void wake(Cycle cycle);
    [[nodiscard]] bool is_asleep() const { return activity_ == Activity::asleep; }
    /// Returns the cycles of rounds skipped since it last fell asleep.
    [[nodiscard]] Cycle slept_cycles() const { return slept_cycles_; }
    /// Returns the address of a word that a sleeping hart polls. Nothing if others cannot change it: the hart then
    /// loops until it is ended.
    [[nodiscard]] std::optional<std::uint32_t> watched_address() const;

    [[nodiscard]] std::uint64_t num_instructions() const { return num_instructions_; }
    /// Returns, by place in the code, cycles from the issue of an instruction to the issue of the next.
    [[nodiscard]] std::vector<Cycle> cycles_by_place() const { return riscv::cycles_by_place(code_, uses_); }
    /// Returns the number of rollbacks.
    [[nodiscard]] std::uint64_t num_rewinds() const { return num_rewinds_; }

private:
    /// Reasons for execute() to stop, before the instruction at the current place.
    enum class Stop : std::uint8_t {
        limit,        // time to meet others
        load,         // from elsewhere
        store,        // to elsewhere
        atomic,       // on shared memory
        call,         // a jump outside the code
        environment,  // ecall, control registers
        loop,         // first instruction of a polling loop
        fault,        // illegal instruction or access
    };
    enum class Activity : std::uint8_t { outside, ahead, asleep };

    /// State of a program apart from memory.
    struct State {
        Registers registers{};
        std::array<Cycle, kNumRegisters> ready{};  // when they are usable
        std::uint32_t place = 0;
        Cycle now = 0;
        Cycle last_float = -1;  // issue of the last floating-point instruction
    };

    /// Bytes of memory before a change, or the bytes that others wrote.
    struct Change {
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;
        std::array<std::byte, 8> value{};
    };
    struct Arrival {
        Change change;
        Cycle cycle = 0;
    };

    /// Reference state for recognizing polling loops.
    struct Sample {
        std::uint64_t number = 0;  // unique
        Cycle begin = 0;
        std::uint64_t num_instructions = 0;
        State state;
    };

    /// Changes after which the hart meets others.
    static constexpr std::size_t kChangesMax = 4096;
    static constexpr unsigned kStampShift = 3;  // one stamp per 8 bytes

    /// Continues run() from the current place.
    void run_on();
    /// Executes within its memory until `limit` at most. `count`: 1 normally, -1 to undo, 0 to try.
    Stop execute(Cycle limit, std::int64_t count);
    /// True if the state at the start of a round of loop_, at state_.now, is unchanged, so that the hart may sleep.
    bool is_same_round(std::uint64_t num_instructions);
    /// True if the program state, except for time, equals the sample.
    bool is_as_at_sample();
    /// Tries a round of the loop on current memory, without effects. True if it ends in its initial state.
    bool comes_round();
    Stop execute_awake(Cycle limit, std::int64_t count);
    /// Makes all effects up to now final.
    void commit();
    [[nodiscard]] bool has_looked_at(std::uint32_t address, std::size_t bytes, Cycle cycle) const;
    /// Removes the marks of accesses tried from `cycle` on.
    void forget_looks_from(Cycle cycle);
    /// Rolls back and executes again up to `cycle`.
    void rewind_to(Cycle cycle);
    void undo();
    void execute_again(Cycle limit, std::int64_t count);
    void write(const Change& change);
    void leap_to(Cycle cycle);
    /// Performs the action that stopped execute(). True if the program has ended.
    bool act(Stop stop);
    void load_elsewhere(const Instruction& instruction);
    void store_elsewhere(const Instruction& instruction);
    void atomic(const Instruction& instruction);
    void control_register(const Instruction& instruction);
    bool call(const Instruction& instruction);
    [[noreturn]] void fail(const Instruction& instruction) const;
    /// Returns when the operands of an instruction are ready.
    [[nodiscard]] Cycle issue_of(const Instruction& instruction) const;
    void finish(Cycle begin);
    void take_interrupts();

    const Code& code_;
    Outside& outside_;
    InstructionTimes times_;
    std::span<std::byte> memory_;
    std::uint32_t readable_begin_;
    std::uint32_t writable_begin_;
    std::uint32_t stack_limit_ = 0;
    Cycle cycles_ahead_;
    bool sleeps_ = true;

    State state_;
    State committed_;
    LoopRounds committed_loop_;
    Sample committed_sample_;
    std::uint64_t committed_effects_ = 0;
    Cycle next_issue_ = 0;           // of the instruction held back by the limit
    std::vector<Cycle> stamps_;      // last access of the hart to each 8 bytes
    std::vector<Change> before_;     // old values of bytes changed since the last commit, in order
    std::size_t num_changes_ = 0;    // number of these
    std::vector<Arrival> arrivals_;  // writes of others since the last commit
    Activity activity_ = Activity::outside;
    bool has_gone_back_ = false;
    LoopRounds loop_{.visits_max = 0};  // the current loop; before any, that at place 0, sampled at once
    Sample sample_;
    std::uint64_t num_samples_ = 0;
    Cycle period_ = 0;  // of the loop in which it sleeps
    std::uint64_t instructions_of_round_ = 0;
    Cycle slept_cycles_ = 0;
    std::uint64_t effects_ = 0;  // counts effects, which polling loops do not have
    Reservation reservation_;
    ControlRegisters control_;
    std::uint64_t num_instructions_ = 0;
    std::uint64_t num_rewinds_ = 0;
    std::vector<PlaceUse> uses_;
};

}  // namespace nocbench::riscv
