#include "kernels/tensix/dataflow_api.h"
#include "one_to_all/kernels/kernels.h"

namespace nocbench::one_to_all {

using namespace nocbench::dataflow;

void multicast_sender() {
    const std::uint32_t num_transactions = get_compile_time_arg_val(0);
    const std::uint32_t call_size_bytes = get_compile_time_arg_val(1);
    const std::uint32_t source_address = get_compile_time_arg_val(2);
    const std::uint32_t destination_address = get_compile_time_arg_val(3);
    const auto virtual_channel = static_cast<std::uint8_t>(get_compile_time_arg_val(4));
    const std::uint32_t first_x = get_compile_time_arg_val(5);
    const std::uint32_t first_y = get_compile_time_arg_val(6);
    const std::uint32_t last_x = get_compile_time_arg_val(7);
    const std::uint32_t last_y = get_compile_time_arg_val(8);
    const std::uint32_t num_destinations = get_compile_time_arg_val(9);
    const bool loopback = get_compile_time_arg_val(10) != 0;
    const bool linked = get_compile_time_arg_val(11) != 0;

    {
        DeviceZoneScopedN("RISCV0");
        const std::uint64_t destinations =
            get_noc_multicast_addr(first_x, first_y, last_x, last_y, destination_address);
        const auto multicast = [&](bool is_linked) {
            if (loopback) {
                noc_async_write_multicast_loopback_src(source_address, destinations, call_size_bytes, num_destinations,
                                                       is_linked, noc_index(), virtual_channel);
            } else {
                noc_async_write_multicast(source_address, destinations, call_size_bytes, num_destinations, is_linked,
                                          noc_index(), virtual_channel);
            }
        };
        for (std::uint32_t i = 0; i + 1 < num_transactions; ++i) {
            multicast(linked);
        }
        multicast(false);  // the last of a chain of linked multicasts must not be linked
        noc_async_write_barrier();
    }

    DeviceTimestampedData("Number of transactions", num_transactions);
    DeviceTimestampedData("Transaction size in bytes", call_size_bytes);
}

}  // namespace nocbench::one_to_all
