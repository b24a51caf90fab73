// A hart: executes a program's instructions in modeled time.
//
// Registers, private memory and clock are its own. Other loads and stores go to a Bus at the cycle at which they take
// place. In a polling loop (PollingLoop) the hart sleeps until a polled value changes and resumes in the round that
// sees the change, with the same results as executing every round.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device_model/riscv/bus.h"
#include "device_model/riscv/code.h"
#include "device_model/riscv/data_cache.h"
#include "device_model/riscv/isa/atomics.h"
#include "device_model/riscv/isa/control_registers.h"
#include "device_model/riscv/isa/floating_point.h"
#include "device_model/riscv/loop_rounds.h"
#include "device_model/riscv/timing.h"

namespace nocbench::riscv {

class Hart {
public:
    struct Memory {
        std::uint32_t begin = 0;
        std::uint32_t bytes = 0;
        std::uint32_t variables_bytes = 0;  // program variables, from its start; out of bounds for the stack
    };

    /// Takes the private `memory`, initially zero.
    Hart(const Code& code, const RiscvConstants& timing, const Memory& memory, Bus& bus);
    Hart(const Hart&) = delete;
    Hart& operator=(const Hart&) = delete;
    ~Hart() = default;

    /// Sets whether polling loops sleep. For tests. Only loops that sleep slow multicasts to their tile; apart from
    /// that, results do not change.
    void set_sleeps(bool sleeps) { sleeps_ = sleeps; }

    /// Executes from `start` until the bus ends the program. Throws GuestFault, at pc().
    void run(std::uint32_t start);

    [[nodiscard]] Cycle now() const { return timing_.now(); }
    [[nodiscard]] std::uint32_t pc() const { return code_.address(place_); }
    [[nodiscard]] const Code& code() const { return code_; }
    [[nodiscard]] std::uint32_t integer(std::uint8_t number) const { return registers_[number]; }
    void set_integer(std::uint8_t number, std::uint32_t value) { registers_[number] = value; }
    [[nodiscard]] std::uint32_t float_bits(std::uint8_t number) const { return registers_[kFirstFloat + number]; }
    void set_float_bits(std::uint8_t number, std::uint32_t value) { registers_[kFirstFloat + number] = value; }

    [[nodiscard]] bool has_private(std::uint32_t address, std::size_t bytes) const;
    [[nodiscard]] std::span<std::byte> private_memory() { return memory_; }
    /// Returns a byte of private memory; see has_private().
    [[nodiscard]] std::byte private_memory_at(std::uint32_t address) const { return memory_[address - memory_begin_]; }
    [[nodiscard]] std::uint32_t private_begin() const { return memory_begin_; }

    [[nodiscard]] std::uint64_t num_instructions() const { return num_instructions_; }
    /// Returns, by place in the code, cycles from the issue of an instruction to the issue of the next.
    [[nodiscard]] std::vector<Cycle> cycles_by_place() const { return riscv::cycles_by_place(code_, uses_); }

private:
    /// Reference state for recognizing polling loops.
    struct Snapshot : LoopRounds {
        explicit Snapshot(const RiscvConstants& constants) : timing(constants) {}

        std::uint64_t predictions = 0;
        Cycle entered = 0;  // when the current loop was entered
        Cycle cycle = 0;
        std::uint64_t num_instructions = 0;
        Cycle met_ahead = 0;  // lead of the bus over `cycle`
        Registers registers{};
        Timing timing;
        DataCache cache{0};
    };

    /// A load outside private memory within a polling loop, and the cache line that it filled.
    struct Sample {
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;
        std::uint32_t value = 0;
        DataCache::Line line{};
        Cycle taken_after = 0;  // delay of the sample after the requested cycle
        Cycle met_after = 0;    // lead of the bus after that cycle
    };

    static constexpr std::uint8_t kNeverSeen = 4;  // state of a branch; see predictors_
    static constexpr std::uint32_t kNoTarget = 1;  // targets are even
    /// Interval at which a hart that only computes meets the rest of the machine.
    static constexpr Cycle kMeetingCycles = 100'000;
    static constexpr std::size_t kWatchesMax = 64;

    const Region& region_of(std::uint32_t address, std::uint32_t bytes, const char* what);
    [[noreturn]] void fail_access(std::uint32_t address, std::uint32_t bytes, const char* what) const;
    [[noreturn]] void fail_stack(std::uint32_t stack_pointer) const;
    template <bool kHasCompressed>
    void execute_from_place();
    std::uint32_t load_elsewhere(std::uint32_t address, std::uint32_t bytes, std::uint8_t destination);
    [[nodiscard]] Cycle met_ahead() const { return std::max<Cycle>(bus_.met_until() - timing_.now(), 0); }
    std::uint32_t sample(const Region& region, std::uint32_t address, std::uint32_t bytes, DataCache::Line* line);
    void store_elsewhere(std::uint32_t address, std::uint32_t bytes, std::uint32_t value);
    std::uint32_t atomic(const Instruction& instruction);
    std::uint32_t control_register(const Instruction& instruction);
    /// Switches the data cache as the control registers say.
    void switch_cache();
    void execute_float(const Instruction& instruction);
    [[nodiscard]] RoundingMode rounding_mode(const Instruction& instruction) const;
    void divide(bool is_signed, std::uint32_t a, std::uint32_t b, std::uint32_t quotient, std::uint8_t destination);
    bool jump_outside(std::uint32_t target, std::uint32_t& next);
    bool follow_jump(std::uint32_t place, std::uint32_t target);
    bool predict(std::uint32_t place, bool is_taken, bool is_backward);

    void begin_looking_at(std::uint32_t place, Cycle now) {
        snapshot_.begin(place, effects_);
        snapshot_.entered = now;
    }
    void goes_back(std::uint32_t target);
    void take_snapshot(std::uint32_t target);
    void compare_with_snapshot();
    void sleep(Cycle period);

    const Code& code_;
    Bus& bus_;
    RiscvConstants constants_;
    Timing timing_;
    Registers registers_{};
    std::uint32_t place_ = 0;
    std::uint32_t memory_begin_;
    std::uint32_t stack_limit_;  // lower bound of the stack pointer
    std::vector<std::byte> memory_;
    std::span<const Region> regions_;
    const Region* last_region_ = nullptr;
    DataCache cache_;
    ControlRegisters control_;
    Reservation reservation_;

    Snapshot snapshot_;
    std::vector<std::uint8_t> predictors_;  // by place: 0 and 1 predict not taken, 2 and 3 taken; 4: never seen
    std::vector<std::uint32_t> targets_;    // by place: target of the last indirect jump
    std::uint64_t predictions_ = 0;         // hash of the predictor state

    bool sleeps_ = true;
    std::uint64_t effects_ = 0;    // counts effects visible to others or to later instructions
    bool is_watched_ = true;       // `watches_` holds all loads since the snapshot
    std::vector<Watch> watches_;   // values loaded from elsewhere since the snapshot
    std::vector<Sample> samples_;  // samples of these loads
    Cycle last_sample_ = 0;
    std::uint32_t cached_pc_ = 0;  // a load since the snapshot that hit the cache; 0: none
    std::vector<Sample> replayed_;
    std::size_t next_replayed_ = 0;
    Cycle replayed_until_ = -1;
    Cycle replayed_meeting_ = -1;  // time up to which the bus would have caught up

    std::uint64_t num_instructions_ = 0;
    std::vector<PlaceUse> uses_;
    Cycle next_meeting_ = 0;
};

}  // namespace nocbench::riscv
