// Data of tt-metal's firmware for its kernels, which contain its symbols. Filled in for kernels that run here.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace nocbench {

class CompiledKernel;
class Risc;
struct KernelContext;

namespace riscv {
class Hart;
}

/// Symbols of every firmware. Layouts are those of tt-metal's headers of 2024 and later.
inline constexpr std::array<std::string_view, 10> kFirmwareData{
    "rta_l1_base",   // pointer to run-time arguments
    "crta_l1_base",  // pointer to common run-time arguments
    "sem_l1_base",   // pointers to semaphores, by kind of core
    "my_x",          // own coordinates, by NoC, in bytes
    "my_y",
    "cb_interface",         // 8 words for each circular buffer
    "dram_bank_to_noc_xy",  // coordinates of DRAM banks by NoC and bank, in half words
    "bank_to_dram_offset",  // words
    "l1_bank_to_noc_xy",    // same for banks in L1
    "bank_to_l1_offset",
};

/// Sets arguments and the firmware data that `kernel` has symbols for: those above, and in some releases also
/// `my_logical_x_`, `my_logical_y_`, `worker_logical_col_to_virtual_col`, `worker_logical_row_to_virtual_row`,
/// `rta_count` and `crta_count`. Everything else stays zero.
void fill_firmware_data(Risc& risc, riscv::Hart& hart, const CompiledKernel& kernel, const KernelContext& context);

/// Numbers of banks that a kernel was compiled for, from the sizes of its tables; 0 for tables without a size.
struct BankNumbers {
    std::size_t dram = 0;
    std::size_t l1 = 0;
};
BankNumbers banks_of(const CompiledKernel& kernel);

}  // namespace nocbench
