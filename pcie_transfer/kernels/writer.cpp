#include "kernels/tensix/dataflow_api.h"
#include "pcie_transfer/kernels/kernels.h"

namespace nocbench::pcie_transfer {

using namespace nocbench::dataflow;

void writer() {
    const std::uint32_t num_transactions = get_compile_time_arg_val(0);
    const std::uint32_t call_size_bytes = get_compile_time_arg_val(1);
    const std::uint32_t source_address = get_compile_time_arg_val(2);
    const std::uint32_t host_address = get_compile_time_arg_val(3);
    const auto virtual_channel = static_cast<std::uint8_t>(get_compile_time_arg_val(4));

    {
        DeviceZoneScopedN("RISCV0");
        const std::uint64_t destination =
            get_noc_addr_helper(NOC_XY_PCIE_ENCODING(PCIE_NOC_X, PCIE_NOC_Y), host_address);
        for (std::uint32_t i = 0; i < num_transactions; ++i) {
            noc_async_write(source_address, destination, call_size_bytes, noc_index(), virtual_channel);
        }
        noc_async_write_barrier();
    }

    DeviceTimestampedData("Number of transactions", num_transactions);
    DeviceTimestampedData("Transaction size in bytes", call_size_bytes);
}

}  // namespace nocbench::pcie_transfer
