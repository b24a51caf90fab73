// A hart: it executes the instructions of a program in modeled time.
//
// Inside, it needs nobody: registers, private memory, and a clock. Loads and stores elsewhere go to a Bus, at the cycle
// at which they take place. A loop that only looks (PollingLoop) is not executed round by round: the hart sleeps until
// something that the loop looks at has changed, and goes on in the round in which it shows. The result is the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device_model/riscv/bus.h"
#include "device_model/riscv/code.h"
#include "device_model/riscv/data_cache.h"
#include "device_model/riscv/isa/control_registers.h"
#include "device_model/riscv/isa/floating_point.h"
#include "device_model/riscv/timing.h"

namespace nocbench::riscv {

class Hart {
public:
    struct Memory {
        std::uint32_t begin = 0;
        std::uint32_t bytes = 0;
        std::uint32_t variables_bytes = 0;  // from its begin on: of the program; its stack must not reach them
    };

    /// `memory` is the private one, full of zeros.
    Hart(const Code& code, const RiscvConstants& timing, const Memory& memory, Bus& bus);
    Hart(const Hart&) = delete;
    Hart& operator=(const Hart&) = delete;
    ~Hart() = default;

    /// Polling loops are executed round by round. For tests: it changes nothing but how long that takes.
    void set_sleeps(bool sleeps) { sleeps_ = sleeps; }

    /// Executes from `start` until the bus says that the program has ended. Throws GuestFault, at pc().
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
    /// A byte that has_private().
    [[nodiscard]] std::byte private_memory_at(std::uint32_t address) const { return memory_[address - memory_begin_]; }
    [[nodiscard]] std::uint32_t private_begin() const { return memory_begin_; }

    /// Executed instructions.
    [[nodiscard]] std::uint64_t num_instructions() const { return num_instructions_; }
    /// By place in the code: cycles from the issue of an instruction to that of the next.
    [[nodiscard]] std::vector<Cycle> cycles_by_place() const { return riscv::cycles_by_place(code_, uses_); }

private:
    /// So often a loop comes back to its begin before it is looked at: most loops do something sooner.
    static constexpr std::uint32_t kFirstVisits = 2;

    /// The last moment that loops are compared with.
    struct Snapshot {
        explicit Snapshot(const RiscvConstants& constants) : timing(constants) {}

        bool is_valid = false;
        std::uint32_t place = 0;
        std::uint64_t effects = 0;
        std::uint64_t predictions = 0;
        std::uint8_t differing = 0;  // a register that differed when it was looked at last
        std::uint32_t visits = 0;    // of backward branches since
        std::uint32_t visits_max = kFirstVisits;
        Cycle entered = 0;  // when the loop was entered that it is in
        Cycle cycle = 0;
        std::uint64_t num_instructions = 0;
        Cycle met_ahead = 0;  // so far the bus has met others beyond `cycle`
        std::array<std::uint32_t, kNumRegisters> registers{};
        Timing timing;
        DataCache cache{0};
    };

    /// A load of a polling loop from elsewhere, and the line of the cache that came with it.
    struct Sample {
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;
        std::uint32_t value = 0;
        DataCache::Line line{};
        Cycle taken_after = 0;  // the bus took the value so long after the cycle that it was asked for,
        Cycle met_after = 0;    // and had met others until so long after it
    };

    static constexpr std::uint8_t kNeverSeen = 4;  // a branch; see predictors_
    static constexpr std::uint32_t kNoTarget = 1;  // targets are even
    /// A hart that only computes meets the rest of the machine so often.
    static constexpr Cycle kMeetingCycles = 100'000;
    static constexpr std::size_t kWatchesMax = 64;

    const Region& region_of(std::uint32_t address, std::uint32_t bytes, const char* what);
    [[noreturn]] void fail_access(std::uint32_t address, std::uint32_t bytes, const char* what) const;
    [[noreturn]] void fail_stack(std::uint32_t stack_pointer) const;
    [[noreturn]] static void fail_alignment(const char* what, std::uint32_t address, std::uint32_t bytes);
    template <bool kHasCompressed>
    void execute_from_place();
    std::uint32_t load_elsewhere(std::uint32_t address, std::uint32_t bytes, std::uint8_t destination);
    [[nodiscard]] Cycle met_ahead() const { return std::max<Cycle>(bus_.met_until() - timing_.now(), 0); }
    std::uint32_t sample(const Region& region, std::uint32_t address, std::uint32_t bytes, DataCache::Line* line);
    void store_elsewhere(std::uint32_t address, std::uint32_t bytes, std::uint32_t value);
    std::uint32_t atomic(const Instruction& instruction);
    std::uint32_t control_register(const Instruction& instruction);
    void execute_float(const Instruction& instruction);
    [[nodiscard]] RoundingMode rounding_mode(const Instruction& instruction) const;
    void divide(bool is_signed, std::uint32_t a, std::uint32_t b, std::uint32_t quotient, std::uint8_t destination);
    bool jump_outside(std::uint32_t target, std::uint32_t& next);
    bool follow_jump(std::uint32_t place, std::uint32_t target);
    bool predict(std::uint32_t place, bool is_taken, bool is_backward);

    void begin_looking_at(std::uint32_t place, Cycle now) {
        snapshot_.is_valid = false;
        snapshot_.effects = effects_;
        snapshot_.visits = 0;
        snapshot_.visits_max = kFirstVisits;
        snapshot_.place = place;
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
    std::array<std::uint32_t, kNumRegisters> registers_{};
    std::uint32_t place_ = 0;
    std::uint32_t memory_begin_;
    std::uint32_t stack_limit_;  // the stack must not be below
    std::vector<std::byte> memory_;
    std::span<const Region> regions_;
    const Region* last_region_ = nullptr;
    DataCache cache_;
    ControlRegisters control_;
    std::uint32_t reserved_address_ = 1;  // of the last lr.w; odd: none

    Snapshot snapshot_;
    std::vector<std::uint8_t> predictors_;  // by place: 0 and 1 mean not taken, 2 and 3 taken; 4: never seen
    std::vector<std::uint32_t> targets_;    // by place: where the last indirect jump went
    std::uint64_t predictions_ = 0;         // tells two states of the predictors apart

    bool sleeps_ = true;
    std::uint64_t effects_ = 0;    // counts what others, or the hart itself later, could see
    bool is_watched_ = true;       // all loads since the snapshot are in `watches_`
    std::vector<Watch> watches_;   // what loads since the snapshot have seen elsewhere
    std::vector<Sample> samples_;  // these loads
    Cycle last_sample_ = 0;        // when the last of them took its value
    std::uint32_t cached_pc_ = 0;  // of a load since the snapshot that the cache answered; 0: there was none
    std::vector<Sample> replayed_;
    std::size_t next_replayed_ = 0;
    Cycle replayed_until_ = -1;
    Cycle replayed_meeting_ = -1;  // until then the bus would have met others

    std::uint64_t num_instructions_ = 0;
    std::vector<PlaceUse> uses_;
    Cycle next_meeting_ = 0;
};

}  // namespace nocbench::riscv
