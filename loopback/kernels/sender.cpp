#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/stateful_transfers.h"
#include "loopback/kernels/kernels.h"

namespace nocbench::loopback {

using namespace nocbench::dataflow;

void sender() {
    const std::uint32_t num_transactions = get_compile_time_arg_val(0);
    const std::uint32_t call_size_bytes = get_compile_time_arg_val(1);
    const std::uint32_t source_address = get_compile_time_arg_val(2);
    const std::uint32_t destination_address = get_compile_time_arg_val(3);
    const auto virtual_channel = static_cast<std::uint8_t>(get_compile_time_arg_val(4));
    const bool stateful = get_compile_time_arg_val(5) != 0;

    {
        DeviceZoneScopedN("RISCV0");
        const std::uint64_t destination = get_noc_addr(destination_address);
        if (stateful) {
            write_statefully(source_address, destination, call_size_bytes, num_transactions, virtual_channel);
        } else {
            for (std::uint32_t i = 0; i < num_transactions; ++i) {
                noc_async_write(source_address, destination, call_size_bytes, noc_index(), virtual_channel);
            }
        }
        noc_async_write_barrier();
    }

    DeviceTimestampedData("Number of transactions", num_transactions);
    DeviceTimestampedData("Transaction size in bytes", call_size_bytes);
}

}  // namespace nocbench::loopback
