// Faults of programs on a hart.
#pragma once

#include <stdexcept>
#include <string>

namespace nocbench::riscv {

/// Describes the fault; whoever runs the hart adds core, processor and source line.
class GuestFault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace nocbench::riscv
