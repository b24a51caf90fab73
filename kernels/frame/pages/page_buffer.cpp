#include "kernels/frame/pages/page_buffer.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/l1_banks.h"

namespace nocbench {

namespace {

// First word of a layout; see kernels/device/include/nocbench/tensor_accessor.h.
constexpr std::uint32_t kLayoutInDram = 2;

std::uint32_t rounded_up(std::uint32_t value, std::int64_t unit) {
    const auto alignment = static_cast<std::uint32_t>(unit);
    return (value + alignment - 1) / alignment * alignment;
}

/// Returns the alignment of pages in page APIs.
std::int64_t page_alignment_bytes(const TorusArchitecture& architecture, BankMemory memory) {
    return memory == BankMemory::dram
               ? std::max(architecture.dram.read_alignment_bytes, architecture.dram.write_alignment_bytes)
               : architecture.l1.alignment_bytes;
}

}  // namespace

std::string_view to_string(BankMemory memory) { return memory == BankMemory::dram ? "dram" : "l1"; }

std::uint32_t num_banks(const Device& device, BankMemory memory) {
    const Grid& grid = device.grid();
    return memory == BankMemory::dram ? static_cast<std::uint32_t>(grid.dram_banks().size())
                                      : static_cast<std::uint32_t>(grid.compute_columns() * grid.compute_rows());
}

PageBuffer::PageBuffer(const Device& device, BankMemory memory, std::uint32_t address, std::uint32_t page_bytes,
                       std::uint32_t num_pages)
    : device_(device),
      memory_(memory),
      l1_cores_(memory == BankMemory::l1 ? cores_of_l1_banks(device.grid()) : std::vector<LogicalCoordinate>{}),
      address_(address),
      num_pages_(num_pages),
      num_banks_(nocbench::num_banks(device, memory)),
      page_stride_bytes_(rounded_up(page_bytes, page_alignment_bytes(device.architecture(), memory))) {
    const TorusArchitecture& architecture = device.architecture();
    const auto bank_bytes = static_cast<std::uint64_t>(memory == BankMemory::dram ? architecture.dram.bank_size_bytes
                                                                                  : architecture.l1.size_bytes);
    const std::uint64_t pages_per_bank = (num_pages + num_banks_ - 1) / num_banks_;
    const std::uint64_t end = address + pages_per_bank * page_stride_bytes_;
    if (end > bank_bytes) {
        throw InputError(
            fmt::format("parameters num_transactions and call_size: {} pages of {} bytes from 0x{:x} on in {} banks of "
                        "{} do not fit: they end at 0x{:x}, a bank at 0x{:x}",
                        num_pages, page_bytes, address, num_banks_, to_string(memory), end, bank_bytes));
    }
}

std::uint32_t PageBuffer::end_address() const {
    return address_ + (num_pages_ + num_banks_ - 1) / num_banks_ * page_stride_bytes_;
}

MemoryPlace PageBuffer::place(std::uint32_t page, int noc) const {
    const Grid& grid = device_.grid();
    const std::uint32_t bank = page % num_banks_;
    const std::uint64_t address = address_ + std::uint64_t{page / num_banks_} * page_stride_bytes_;
    if (memory_ == BankMemory::dram) {
        return dram_place(grid, bank, noc, address);
    }
    return l1_place(grid, l1_cores_[bank], address);
}

std::vector<std::uint32_t> PageBuffer::layout() const { return {memory_ == BankMemory::dram ? kLayoutInDram : 0}; }

std::uint32_t first_bank_address(const Device& device, BankMemory memory, std::uint32_t l1_end) {
    const TorusArchitecture& architecture = device.architecture();
    return memory == BankMemory::dram ? static_cast<std::uint32_t>(architecture.dram.unreserved_base_bytes)
                                      : rounded_up(l1_end, page_alignment_bytes(architecture, BankMemory::dram));
}

}  // namespace nocbench
