#include <algorithm>

#include "dram_unary/kernels/kernels.h"
#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dram_unary {

using namespace nocbench::dataflow;

void channel_writer() {
    const std::uint32_t num_transactions = get_compile_time_arg_val(0);
    const std::uint32_t call_size_bytes = get_compile_time_arg_val(1);
    const std::uint32_t source_address = get_compile_time_arg_val(2);
    const auto virtual_channel = static_cast<std::uint8_t>(get_compile_time_arg_val(3));
    const std::uint32_t window_packets = get_compile_time_arg_val(4);
    const auto tile_x = get_arg_val<std::uint32_t>(0);
    const auto tile_y = get_arg_val<std::uint32_t>(1);
    const auto dram_address = get_arg_val<std::uint32_t>(2);

    {
        DeviceZoneScopedN("RISCV0");
        const std::uint64_t destination = get_noc_addr(tile_x, tile_y, dram_address);
        const std::uint32_t piece_bytes = window_packets == 0 ? call_size_bytes : noc_max_burst_size();
        for (std::uint32_t i = 0; i < num_transactions; ++i) {
            for (std::uint32_t offset = 0; offset < call_size_bytes; offset += piece_bytes) {
                if (window_packets != 0) {
                    limit_outstanding_writes(window_packets - 1);
                }
                noc_async_write(source_address + offset, destination + offset,
                                std::min(piece_bytes, call_size_bytes - offset), noc_index(), virtual_channel);
            }
        }
        noc_async_write_barrier();
    }

    DeviceTimestampedData("Number of transactions", num_transactions);
    DeviceTimestampedData("Transaction size in bytes", call_size_bytes);
}

}  // namespace nocbench::dram_unary
