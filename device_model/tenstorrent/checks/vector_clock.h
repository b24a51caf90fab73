// Vector clocks: how far each strand of a run has surely come before some moment of it.
//
// A strand is a RISC, the transactions of one kind that a network interface has begun, or the packets of one path. Most
// clocks know few strands, so that they keep only those.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace nocbench {

using Strand = std::uint32_t;

/// Time of a strand: the number of its steps. 0: none.
struct StrandTime {
    Strand strand = 0;
    std::uint32_t time = 0;
};

/// An immutable clock, shared by all that have learned the same.
class VectorClock {
public:
    using Pointer = std::shared_ptr<const VectorClock>;

    VectorClock() = default;

    [[nodiscard]] std::uint32_t at(Strand strand) const;
    [[nodiscard]] bool knows(StrandTime step) const { return at(step.strand) >= step.time; }

    /// Returns the later of both times for each strand.
    static Pointer joined(const Pointer& one, const Pointer& other);
    /// Returns the clock that also knows `steps`; the same clock if it does already.
    static Pointer with(const Pointer& clock, std::span<const StrandTime> steps);

private:
    explicit VectorClock(std::vector<StrandTime> times) : times_(std::move(times)) {}
    /// Returns true if it knows all that `other` knows.
    [[nodiscard]] bool includes(const VectorClock& other) const;

    std::vector<StrandTime> times_;  // by strand
};

/// A moment in the run of a RISC, and all that surely came before.
struct Moment {
    StrandTime own;
    VectorClock::Pointer clock;  // what it has learned of others

    [[nodiscard]] bool is_after(StrandTime step) const {
        return step.strand == own.strand ? own.time >= step.time : clock->knows(step);
    }
};

/// Returns a clock that also knows a moment, with all before it, and a step of a path unless its time is 0.
VectorClock::Pointer with_moment(const VectorClock::Pointer& clock, const Moment& moment, StrandTime path = {});

}  // namespace nocbench
