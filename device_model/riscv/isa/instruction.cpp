#include "device_model/riscv/isa/instruction.h"

#include <array>
#include <cstddef>

namespace nocbench::riscv {

std::string_view to_string(Operation operation) {
    static constexpr auto kMnemonics = std::to_array<std::string_view>({
#define NOCBENCH_RISCV_OPERATION(name, mnemonic) mnemonic,
#include "device_model/riscv/isa/operations.inl"
#undef NOCBENCH_RISCV_OPERATION
        "move of the stack pointer",
    });
    return kMnemonics.at(static_cast<std::size_t>(operation));
}

}  // namespace nocbench::riscv
