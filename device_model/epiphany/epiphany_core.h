// A core of an Epiphany machine that runs a kernel. It has one way to wait: it stalls until the device releases it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "device_model/sim/processor.h"

namespace nocbench {

class EpiphanyState;

/// Cause of a stall, for deadlock reports; formatted only then.
struct Stall {
    std::string_view call;  // function of the kernel API
    std::string_view waiting_for;
    std::uint64_t address = 0;  // address concerned; 0: none
};

class EpiphanyCore : public Processor {
public:
    EpiphanyCore(EpiphanyState& state, Simulation& simulation, Identity identity, std::function<void()> entry,
                 Tick start);
    ~EpiphanyCore() override;
    EpiphanyCore(const EpiphanyCore&) = delete;
    EpiphanyCore& operator=(const EpiphanyCore&) = delete;

    /// Returns the core of the running kernel. Callable from kernels only.
    static EpiphanyCore& current();

    [[nodiscard]] EpiphanyState& state() { return state_; }

    // Access memory of this core or others by address, in no time. Throw KernelError for invalid addresses.

    void peek(std::uint64_t address, std::span<std::byte> out) const;
    void poke(std::uint64_t address, std::span<const std::byte> bytes);

    /// Stalls until release(); books the wait to `cause`.
    void stall(const Stall& stall, Cause cause);

    // Split form of stall() for work that the device does in the core's place: the core suspends in stand_still() until
    // Processor::run().

    void begin_stall(const Stall& stall);
    void end_stall(Cause cause) { end_stall(cause, now() - stalled_since_); }
    /// Books `ticks` of the wait; the rest is booked later.
    void end_stall(Cause cause, Tick ticks);
    void stand_still() { suspend(); }

    /// Books `times` the ticks of `ledger`, which have passed.
    void book_elapsed(const Ledger& ledger, std::uint32_t times);

    /// Resumes a stalled core at `tick`.
    void release(Tick tick) { resume_at(tick); }

    /// Sets the callback that reports the current source line of a compiled program.
    void set_place_in_program(std::function<std::string()> place) { place_in_program_ = std::move(place); }

    [[nodiscard]] std::string waiting_description() const override;

private:
    EpiphanyState& state_;
    std::optional<Stall> stall_;
    std::function<std::string()> place_in_program_;
    Tick stalled_since_ = 0;
};

}  // namespace nocbench
