#include "dram_unary/kernels/kernels.h"
#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dram_unary {

using namespace nocbench::dataflow;

void writer() {
    const std::uint32_t num_transactions = get_compile_time_arg_val(0);
    const std::uint32_t call_size_bytes = get_compile_time_arg_val(1);
    const std::uint32_t bank = get_compile_time_arg_val(2);
    const std::uint32_t bank_address = get_compile_time_arg_val(3);
    const std::uint32_t circular_buffer = get_compile_time_arg_val(4);
    const auto virtual_channel = static_cast<std::uint8_t>(get_compile_time_arg_val(5));

    cb_wait_front(circular_buffer, 1);
    {
        DeviceZoneScopedN("RISCV0");
        const std::uint32_t source_address = get_read_ptr(circular_buffer);
        const std::uint64_t destination = get_noc_addr_from_bank_id<true>(bank, bank_address);
        for (std::uint32_t i = 0; i < num_transactions; ++i) {
            noc_async_write(source_address, destination, call_size_bytes, noc_index(), virtual_channel);
        }
        noc_async_write_barrier();
    }
    cb_pop_front(circular_buffer, 1);

    DeviceTimestampedData("Number of transactions", num_transactions);
    DeviceTimestampedData("Transaction size in bytes", call_size_bytes);
}

}  // namespace nocbench::dram_unary
