// How kernels that run on many cores start: when each does, and whether they wait for each other; the host's side of
// kernels/frame/device/meeting.h.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/frame/point.h"
#include "kernels/tensix/program.h"

namespace nocbench {

/// What Meeting reads: `start`.
ParameterDefinition meeting_parameter();

class Meeting {
public:
    /// Reads the parameter `start` and adds the semaphores that it takes to `program`. `kernels_per_core` of them run
    /// on each of `cores`.
    Meeting(const Point& point, Program& program, const std::vector<LogicalCoordinate>& cores,
            std::uint32_t kernels_per_core);

    /// When the kernels of the core of this index start.
    [[nodiscard]] Tick start(std::size_t core) const { return static_cast<Tick>(core) * skew_; }

    /// The runtime arguments of meet() in the kernel that runs on `riscv`.
    [[nodiscard]] std::vector<std::uint32_t> arguments(int riscv) const;

private:
    Tick skew_ = 0;
    std::uint32_t num_kernels_ = 0;  // that meet; 0: they do not
    TranslatedCoordinate place_;
    std::uint32_t first_semaphore_ = 0;
};

}  // namespace nocbench
