// Start of kernels on many cores: start times, and waits for each other. Host side of kernels/frame/device/meeting.h,
// and the native form of its function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/frame/point.h"
#include "kernels/tensix/program.h"

namespace nocbench {

/// Returns the definition of the parameter `start`, read by Meeting.
ParameterDefinition start_parameter(const std::string& default_start);

class Meeting {
public:
    /// Reads the parameter `start`, and adds the required semaphores to `program`, for `kernels_per_core` kernels on
    /// each of `cores`.
    Meeting(const Point& point, Program& program, const std::vector<LogicalCoordinate>& cores,
            std::uint32_t kernels_per_core);

    /// Returns true if kernels have to call meet() before their timed zones.
    [[nodiscard]] bool takes_place() const { return num_kernels_ > 0; }

    /// Returns the start time of kernels on the core with this index.
    [[nodiscard]] Tick start(std::size_t core) const { return static_cast<Tick>(core) * skew_; }

    /// Returns the runtime arguments of meet() for the kernel on `riscv`.
    [[nodiscard]] std::vector<std::uint32_t> arguments(int riscv) const;

private:
    Tick skew_ = 0;
    std::uint32_t num_kernels_ = 0;  // number of kernels that meet; 0: no meeting
    TranslatedCoordinate place_;
    std::uint32_t first_semaphore_ = 0;
};

/// Native form of meet() in kernels/frame/device/meeting.h, with the same runtime arguments.
void meet(std::uint32_t first_argument);

}  // namespace nocbench
