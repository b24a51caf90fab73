// Semantics of atomic operations on a word of memory.
#pragma once

#include <cstdint>

#include "device_model/riscv/isa/arithmetic.h"
#include "device_model/riscv/isa/instruction.h"

namespace nocbench::riscv {

/// The reservation of a hart's last lr.w, which its next sc.w uses up.
class Reservation {
public:
    struct Result {
        std::uint32_t stored = 0;  // the word afterwards
        std::uint32_t result = 0;
        bool stores = true;
    };

    /// Executes `operation` on the word at `address` with the value `a`.
    Result execute(Operation operation, std::uint32_t address, std::uint32_t a, std::uint32_t b) {
        switch (operation) {
            case Operation::lr_w:
                address_ = address;
                return {a, a, false};
            case Operation::sc_w: {
                const bool stores = address_ == address;
                address_ = kNone;
                return stores ? Result{b, 0, true} : Result{a, 1, false};
            }
#define NOCBENCH_RISCV_ATOMIC(operation, value) \
    case Operation::operation:                  \
        return {value, a, true};
#include "device_model/riscv/isa/semantics.inl"
            default:
                return {a, a, true};
        }
    }

private:
    static constexpr std::uint32_t kNone = 1;  // words are at multiples of 4

    std::uint32_t address_ = kNone;
};

}  // namespace nocbench::riscv
