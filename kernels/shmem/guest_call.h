// Arguments and result of a routine's call in the program's calling convention, ILP32F of RISC-V. Integers, pointers
// and halves of 64-bit values are in a0 to a7, then on the stack; floats are in fa0 to fa7, then passed like integers.
// Values wider than 64 bits (long double, double complex) are passed by address; for such a result, the first argument
// is its address. Source: RISC-V ELF psABI 1.0, integer and hardware floating-point calling conventions.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/shmem/guest.h"

namespace nocbench::shmem {

class GuestCall {
public:
    struct Registers {
        std::array<std::uint32_t, 8> integers{};
        std::array<std::uint32_t, 8> floats{};
        std::uint32_t stack_pointer = 0;
    };

    GuestCall(const Guest& guest, const Registers& registers) : guest_(guest), registers_(registers) {}

    // Return the next argument of the prototype.

    std::uint32_t word();
    std::int32_t signed_word() { return static_cast<std::int32_t>(word()); }
    /// Return a long long or a double.
    std::uint64_t dword();
    double real() { return std::bit_cast<double>(dword()); }
    /// Returns the bits of a float.
    std::uint32_t single();

    // Return an argument behind `...`. These have no floats, and 64-bit values start at an even register or stack slot.

    std::uint32_t variadic_word() { return word(); }
    std::uint64_t variadic_dword();
    /// Continues with the arguments of a va_list, which have the layout of the stack: addresses are multiples of 4.
    void continue_at(Address list) {
        list_ = list;
        next_integer_ = 0;
    }

    // Set the result.

    void give_word(std::uint32_t value) { registers_.integers[0] = value; }
    void give_dword(std::uint64_t value) {
        registers_.integers[0] = static_cast<std::uint32_t>(value);
        registers_.integers[1] = static_cast<std::uint32_t>(value >> 32U);
    }
    void give_single(std::uint32_t bits) { registers_.floats[0] = bits; }

    [[nodiscard]] const Registers& registers() const { return registers_; }

private:
    [[nodiscard]] std::uint32_t integer_at(std::size_t place) const;

    const Guest& guest_;
    Registers registers_;
    std::array<std::uint32_t, 8> given_ = registers_.integers;
    std::size_t next_integer_ = 0;
    std::size_t next_float_ = 0;
    Address list_ = 0;  // address of the arguments in a va_list; 0: registers first
};

}  // namespace nocbench::shmem
