#include "tests/riscv/tile_harts.h"

#include <fmt/format.h>

#include "device_model/riscv/hart.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/tile_bus.h"

namespace nocbench::test {

riscv::Extensions extensions_of(const RiscvConstants& constants) {
    riscv::Extensions extensions{riscv::Extension::multiply};
    if (constants.has_atomic_operations != 0) {
        extensions = {riscv::Extension::multiply,
                      riscv::Extension::atomic_operations,
                      riscv::Extension::bit_manipulation,
                      riscv::Extension::address_generation,
                      riscv::Extension::csr,
                      riscv::Extension::single_float};
    }
    return extensions;
}

HartEnd run_hart(std::vector<std::byte> code, const InitialRegisters& registers, bool sleeps) {
    constexpr std::uint8_t kRa = 1;
    constexpr std::uint8_t kSp = 2;
    Risc& risc = Risc::current();
    const RiscvConstants& constants = risc.state().architecture.riscv;
    const riscv::Code decoded(kCodeBegin, code, extensions_of(constants));
    TileBus bus(risc, [](std::uint32_t address) { return fmt::format("0x{:x}", address); });
    riscv::Hart hart(decoded, constants,
                     {TileBus::kPrivateBegin, static_cast<std::uint32_t>(constants.private_memory_bytes)}, bus);
    hart.set_sleeps(sleeps);
    hart.set_integer(kRa, TileBus::kReturnAddress);
    hart.set_integer(kSp, TileBus::kPrivateBegin);
    for (const auto& [number, value] : registers) {
        hart.set_integer(number, value);
    }
    hart.run(kCodeBegin);
    bus.finish(hart.now());
    HartEnd end{hart.num_instructions(), hart.now(), 0, {}};
    for (const Cycle cycles : hart.cycles_by_place()) {
        end.sum_by_place += cycles;
    }
    for (std::uint8_t number = 0; number < riscv::kDiscard; ++number) {
        end.registers.push_back(hart.integer(number));
    }
    return end;
}

}  // namespace nocbench::test
