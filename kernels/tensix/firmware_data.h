// The data that tt-metal's firmware keeps for its kernels, which have its symbols. A kernel that runs here finds them
// filled in.
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

/// What every firmware has. Layouts are those of tt-metal's headers of 2024 and later.
inline constexpr std::array<std::string_view, 10> kFirmwareData{
    "rta_l1_base",   // pointer to run-time arguments
    "crta_l1_base",  // pointer to common run-time arguments
    "sem_l1_base",   // pointers to semaphores, by kind of core
    "my_x",          // own coordinates, by NoC, in bytes
    "my_y",
    "cb_interface",         // 8 words for each circular buffer
    "dram_bank_to_noc_xy",  // coordinates of DRAM banks by NoC and bank, in half words
    "bank_to_dram_offset",  // words
    "l1_bank_to_noc_xy",    // the same of banks in L1
    "bank_to_l1_offset",
};

/// Fills in arguments, and the data of the firmware that `kernel` has symbols of: those above, and, since some releases
/// have them, `my_logical_x_`, `my_logical_y_`, `worker_logical_col_to_virtual_col`,
/// `worker_logical_row_to_virtual_row`, `rta_count` and `crta_count`. Everything else stays zero.
void fill_firmware_data(Risc& risc, riscv::Hart& hart, const CompiledKernel& kernel, const KernelContext& context);

/// Numbers of banks that a kernel was compiled for, by the sizes of its tables; 0 if a table has no size.
struct BankNumbers {
    std::size_t dram = 0;
    std::size_t l1 = 0;
};
BankNumbers banks_of(const CompiledKernel& kernel);

}  // namespace nocbench
