// A hart whose memory others read and write, too: a core of a machine with one address space.
//
// It runs ahead of the rest of the machine. Inside its memory it needs nobody; at the latest after so many cycles, and
// before anything that others see, it meets them: they catch up with its clock. What others do to its memory on the way
// takes place at their time. If the hart had looked at or changed the place later than that, it goes back to where it
// has met them last, and comes again up to the time of the access: what it did too early has never happened. So a
// program gives the same results however far its hart runs ahead.
//
// A loop that only looks at memory is not executed round by round: the hart sleeps until others write to a place that
// the loop looks at, and goes on in the round in which it shows. The program and modeled time alone decide when it
// falls asleep and which rounds it leaves out. For that, a hart that goes back also forgets what it found out of a
// loop; and before it sleeps, it tries a round with all that others have written by then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device_model/riscv/code.h"
#include "device_model/riscv/isa/control_registers.h"
#include "device_model/riscv/isa/floating_point.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench::riscv {

class SharedMemoryHart;

/// Cycles of instructions on an in-order core. It issues an integer instruction, a load or a store every cycle
/// and, beside it, a floating-point one; a branch goes alone.
struct InstructionTimes {
    Cycle load_cycles = 1;  // latencies: until the next instruction can use the result
    Cycle float_cycles = 1;
    Cycle float_user_cycles = 0;    // more, if that is a floating-point instruction
    Cycle taken_branch_cycles = 0;  // more than a branch that is not taken; of calls and returns, too
    Cycle divide_cycles = 1;        // integer division; the core does nothing else meanwhile
    Cycle float_divide_cycles = 1;  // and square root
};

/// The machine outside of a hart's memory, as a contract with the hart. Cycles are those of the hart.
class Outside {
public:
    virtual ~Outside() = default;

    /// Others catch up with the hart, which is at `cycle`. They may touch() its memory on the way.
    virtual void meet(Cycle cycle) = 0;
    /// The hart, which is at `cycle`, waits until it is woken. SharedMemoryHart::slept_cycles() has passed then in
    /// rounds that were left out, and the rest of the time in those that it has executed since.
    virtual void sleep(Cycle cycle) = 0;
    /// Called out of touch(): the hart, which has been in meet() or sleep(), goes on at `cycle`.
    virtual void goes_on_at(Cycle cycle) = 0;

    // Actions of the program at `cycle`, when others have caught up. They return the cycle at which the hart goes on.

    virtual Cycle load(std::uint32_t address, std::span<std::byte> out, Cycle cycle) = 0;
    virtual Cycle store(std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle) = 0;
    /// A jump to where there is no code. Throws GuestFault if there is nothing to jump to.
    struct CallResult {
        bool has_ended = false;  // the program
        Cycle cycle = 0;
    };
    virtual CallResult call(std::uint32_t address, Cycle cycle) = 0;
    /// Between two instructions, after interrupt() at the latest: what the core does for interrupts; returns when the
    /// hart goes on.
    virtual Cycle take_interrupts(Cycle cycle) { return cycle; }

protected:
    Outside() = default;
    Outside(const Outside&) = default;
    Outside& operator=(const Outside&) = default;
};

class SharedMemoryHart {
public:
    struct Memory {
        std::span<std::byte> bytes;        // all of it, from address 0 on
        std::uint32_t readable_begin = 0;  // nothing that a program may look at is below,
        std::uint32_t writable_begin = 0;  // nor below this anything that it may change
    };

    SharedMemoryHart(const Code& code, const InstructionTimes& times, const Memory& memory, Outside& outside);
    SharedMemoryHart(const SharedMemoryHart&) = delete;
    SharedMemoryHart& operator=(const SharedMemoryHart&) = delete;
    ~SharedMemoryHart() = default;

    /// So far it runs ahead, at least a cycle. It changes nothing but how long the simulation takes.
    void set_cycles_ahead(Cycle cycles) { cycles_ahead_ = cycles; }
    /// Loops that only look are executed round by round. It changes nothing but how long the simulation takes.
    void set_sleeps(bool sleeps) { sleeps_ = sleeps; }

    /// The stack must not come below; 0: it may.
    void set_stack_limit(std::uint32_t address) { stack_limit_ = address; }
    [[nodiscard]] std::uint32_t stack_limit() const { return stack_limit_; }

    /// Executes from `start` at `cycle` on, until a call ends the program. Throws GuestFault, at pc().
    void run(std::uint32_t start, Cycle cycle);

    /// Somebody reads, or has written, `bytes` at `address` at `cycle`: called before a read, and instead of a write.
    void touch_by_read(std::uint32_t address, std::size_t bytes, Cycle cycle);
    void touch_by_write(std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle);

    [[nodiscard]] Cycle now() const { return state_.now; }
    [[nodiscard]] std::uint32_t pc() const { return code_.address(state_.place); }
    /// The place in the code of the instruction at pc().
    [[nodiscard]] std::uint32_t place() const { return state_.place; }
    /// The place of the call that set the return address; none if no call did.
    [[nodiscard]] std::optional<std::uint32_t> place_of_last_call() const;
    [[nodiscard]] std::uint32_t integer(std::uint8_t number) const { return state_.registers[number]; }
    void set_integer(std::uint8_t number, std::uint32_t value) { state_.registers[number] = value; }
    [[nodiscard]] std::uint32_t float_bits(std::uint8_t number) const { return state_.registers[kFirstFloat + number]; }
    void set_float_bits(std::uint8_t number, std::uint32_t value) { state_.registers[kFirstFloat + number] = value; }

    /// The hart takes interrupts at `cycle`, unless it is outside: then when it is back.
    void interrupt(Cycle cycle);

    /// A hart that sleeps looks again at `cycle`.
    void wake(Cycle cycle);
    [[nodiscard]] bool is_asleep() const { return activity_ == Activity::asleep; }
    /// Cycles of the rounds that it has left out since it fell asleep the last time.
    [[nodiscard]] Cycle slept_cycles() const { return slept_cycles_; }
    /// The address of a word that a sleeping hart looks at. None: it looks at nothing that others could change, and so
    /// goes round for ever unless it is ended.
    [[nodiscard]] std::optional<std::uint32_t> watched_address() const;

    /// Executed instructions.
    [[nodiscard]] std::uint64_t num_instructions() const { return num_instructions_; }
    /// By place in the code: cycles from the issue of an instruction to that of the next.
    [[nodiscard]] std::vector<Cycle> cycles_by_place() const { return riscv::cycles_by_place(code_, uses_); }
    /// The number of times that it went back.
    [[nodiscard]] std::uint64_t num_rewinds() const { return num_rewinds_; }

private:
    /// Why execute() returns. The instruction at the place has not been executed.
    enum class Stop : std::uint8_t {
        limit,        // it is time to meet others
        load,         // from elsewhere
        store,        // to elsewhere
        atomic,       // on memory that others see
        call,         // a jump to where there is no code
        environment,  // ecall, control registers
        loop,         // that only looks; the instruction is its first
        fault,        // it must not be executed
    };
    enum class Activity : std::uint8_t { outside, ahead, asleep };

    /// The state of a program beside its memory.
    struct State {
        std::array<std::uint32_t, kNumRegisters> registers{};
        std::array<Cycle, kNumRegisters> ready{};  // when they can be used
        std::uint32_t place = 0;
        Cycle now = 0;
        Cycle last_float = -1;  // when the last floating-point instruction was issued
    };

    /// Bytes of memory before they were changed, or what others changed them to.
    struct Change {
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;
        std::array<std::byte, 8> value{};
    };
    struct Arrival {
        Change change;
        Cycle cycle = 0;
    };

    /// A moment that loops are compared with.
    struct Sample {
        std::uint64_t number = 0;  // no two moments have the same
        Cycle begin = 0;
        std::uint64_t num_instructions = 0;
        State state;
    };
    /// The loop that it is in, if it is in one.
    struct Loop {
        bool is_valid = false;  // there is a sample of it
        std::uint32_t place = 0;
        std::uint64_t effects = 0;
        std::uint8_t differing = 0;  // a register that differed when it was looked at last
        std::uint32_t visits = 0;    // of backward branches since
        std::uint32_t visits_max = 0;
    };

    /// After so many changes the hart meets others.
    static constexpr std::size_t kChangesMax = 4096;
    static constexpr std::uint32_t kFirstVisits = 2;
    static constexpr std::uint32_t kFirstRounds = 8;
    static constexpr unsigned kStampShift = 3;  // there is a stamp per 8 bytes

    /// run(), from where it is.
    void run_on();
    /// Executes inside its memory, as far as it gets before `limit`. `count` is 1; -1 for what never happened, 0 for
    /// what is only tried.
    Stop execute(Cycle limit, std::int64_t count);
    /// At the begin of a round of loop_, at state_.now: whether all is as it was, and the hart might sleep.
    bool is_same_round(std::uint64_t num_instructions);
    /// Whether the program is where it was at the sample, but for the time.
    bool is_as_at_sample();
    /// Tries a round of the loop with what is in memory now: true if it ends as it begins. Nothing has happened then.
    bool comes_round();
    /// Executes without sleeping.
    Stop execute_awake(Cycle limit, std::int64_t count);
    /// All that it did up to now is final.
    void commit();
    [[nodiscard]] bool has_looked_at(std::uint32_t address, std::size_t bytes, Cycle cycle) const;
    /// What it has tried to do from `cycle` on has never happened.
    void forget_looks_from(Cycle cycle);
    /// Goes back, and comes again to `cycle`.
    void rewind_to(Cycle cycle);
    void undo();
    void execute_again(Cycle limit, std::int64_t count);
    void write(const Change& change);
    void leap_to(Cycle cycle);
    /// Does what execute() stopped at; true: the program has ended.
    bool act(Stop stop);
    void load_elsewhere(const Instruction& instruction);
    void store_elsewhere(const Instruction& instruction);
    void atomic(const Instruction& instruction);
    void control_register(const Instruction& instruction);
    bool call(const Instruction& instruction);
    [[noreturn]] void fail(const Instruction& instruction) const;
    /// When its operands are there.
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
    Loop committed_loop_;
    Sample committed_sample_;
    std::uint64_t committed_effects_ = 0;
    Cycle next_issue_ = 0;           // of the instruction that has to wait until after the limit
    std::vector<Cycle> stamps_;      // when the hart last looked at or changed 8 bytes
    std::vector<Change> before_;     // what has been changed since the last commit, in order, as it was
    std::size_t num_changes_ = 0;    // of these
    std::vector<Arrival> arrivals_;  // what others have changed since
    Activity activity_ = Activity::outside;
    bool has_gone_back_ = false;
    Loop loop_;
    Sample sample_;
    std::uint64_t num_samples_ = 0;
    Cycle period_ = 0;  // of the loop that it sleeps in
    std::uint64_t instructions_of_round_ = 0;
    Cycle slept_cycles_ = 0;
    std::uint64_t effects_ = 0;  // counts what the program itself has done that a loop that only looks does not do
    std::uint32_t reserved_address_ = 1;
    ControlRegisters control_;
    std::uint64_t num_instructions_ = 0;
    std::uint64_t num_rewinds_ = 0;
    std::vector<PlaceUse> uses_;
};

}  // namespace nocbench::riscv
