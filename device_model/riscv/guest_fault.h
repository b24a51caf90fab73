// What a program on a hart did that it must not do.
#pragma once

#include <stdexcept>
#include <string>

namespace nocbench::riscv {

/// Says what was wrong; whoever runs the hart adds where: core, processor and source line.
class GuestFault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace nocbench::riscv
