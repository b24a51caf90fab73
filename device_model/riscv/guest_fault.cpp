#include "device_model/riscv/guest_fault.h"

#include <fmt/format.h>

#include "device_model/riscv/code.h"

namespace nocbench::riscv {

void fail_instruction(const Code& code, std::uint32_t place) {
    const Instruction& instruction = code.instructions()[place];
    switch (instruction.operation) {
        case Operation::illegal:
            throw GuestFault(place >= code.size() ? std::string("it runs over the end of its code")
                                                  : fmt::format("illegal instruction 0x{:0{}x}",
                                                                static_cast<std::uint32_t>(instruction.immediate),
                                                                2 * instruction.bytes));
        case Operation::ebreak:
            throw GuestFault("ebreak: the program stops itself");
        default:
            throw GuestFault(fmt::format("{}: this core does not execute it", to_string(instruction.operation)));
    }
}

void fail_target(const char* what, std::uint32_t address) {
    throw GuestFault(fmt::format("{} to 0x{:x}: there is no code", what, address));
}

void fail_alignment(const char* what, std::uint32_t address, std::uint32_t bytes) {
    throw GuestFault(fmt::format("{} of {} bytes at 0x{:x}: expected a multiple of {}", what, bytes, address, bytes));
}

void fail_own_code(const char* what, std::uint32_t address, std::uint32_t bytes) {
    throw GuestFault(
        fmt::format("{} of {} bytes at 0x{:x}: it would change the program's own code", what, bytes, address));
}

}  // namespace nocbench::riscv
