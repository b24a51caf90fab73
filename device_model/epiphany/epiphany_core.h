// A core of an Epiphany machine that runs a kernel, with the one way in which it waits: it stalls until the device lets
// it go on.
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

/// What a core waits for, for the report of a deadlock; put into words only then.
struct Stall {
    std::string_view call;  // of the kernel API
    std::string_view waiting_for;
    std::uint64_t address = 0;  // that it has to do with; 0: none
};

class EpiphanyCore : public Processor {
public:
    EpiphanyCore(EpiphanyState& state, Simulation& simulation, Identity identity, std::function<void()> entry,
                 Tick start);
    ~EpiphanyCore() override;
    EpiphanyCore(const EpiphanyCore&) = delete;
    EpiphanyCore& operator=(const EpiphanyCore&) = delete;

    /// The core whose kernel is running. Only kernels may ask.
    static EpiphanyCore& current();

    [[nodiscard]] EpiphanyState& state() { return state_; }

    // Memory by address, of this core or of others, at no cost of time. Throws KernelError where there is none.

    void peek(std::uint64_t address, std::span<std::byte> out) const;
    void poke(std::uint64_t address, std::span<const std::byte> bytes);

    /// Stalls until release(); books the wait to `cause`.
    void stall(const Stall& stall, Cause cause);

    // The same in two parts, for what the device does in the core's place: the core suspends by stand_still(), until
    // Processor::run().

    void begin_stall(const Stall& stall);
    void end_stall(Cause cause) { end_stall(cause, now() - stalled_since_); }
    /// Books only so much of the wait; the rest is booked later.
    void end_stall(Cause cause, Tick ticks);
    void stand_still() { suspend(); }

    /// Lets a stalled core go on at `tick`.
    void release(Tick tick) { resume_at(tick); }

    /// Sets who says where a compiled program is.
    void set_place_in_program(std::function<std::string()> place) { place_in_program_ = std::move(place); }

    [[nodiscard]] std::string waiting_description() const override;

private:
    EpiphanyState& state_;
    std::optional<Stall> stall_;
    std::function<std::string()> place_in_program_;
    Tick stalled_since_ = 0;
};

}  // namespace nocbench
