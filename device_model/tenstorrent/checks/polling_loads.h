// The loads of a program by which it waits: those in loops that only look.
#pragma once

#include <cstdint>
#include <vector>

#include "device_model/riscv/code.h"

namespace nocbench {

/// A load waits if some loop around it changes nothing outside of registers, calls nothing, and leaves the load's
/// address as it is: apart from others' changes, each round would see the same.
class PollingLoads {
public:
    explicit PollingLoads(const riscv::Code& code);

    /// Tells if the instruction at an address is such a load.
    [[nodiscard]] bool has(std::uint32_t address) const;

private:
    const riscv::Code& code_;
    std::vector<bool> waits_;  // by place
};

}  // namespace nocbench
