// Faults of programs on a hart.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace nocbench::riscv {

class Code;

/// Describes the fault; whoever runs the hart adds core, processor and source line.
class GuestFault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Throw the faults that are the same on all harts.

/// The instruction at a place is none, stops the program, or is none that the hart executes.
[[noreturn]] void fail_instruction(const Code& code, std::uint32_t place);
/// `what`: "jump" or "return".
[[noreturn]] void fail_target(const char* what, std::uint32_t address);

// `what`: "load", "store" or "atomic access".

[[noreturn]] void fail_alignment(const char* what, std::uint32_t address, std::uint32_t bytes);
/// The access would change the program's own code.
[[noreturn]] void fail_own_code(const char* what, std::uint32_t address, std::uint32_t bytes);

}  // namespace nocbench::riscv
