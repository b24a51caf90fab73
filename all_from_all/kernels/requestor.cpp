#include "all_from_all/kernels/kernels.h"
#include "kernels/frame/meeting.h"
#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/stateful_transfers.h"

namespace nocbench::all_from_all {

using namespace nocbench::dataflow;

void requestor() {
    const std::uint32_t num_transactions = get_compile_time_arg_val(0);
    const std::uint32_t call_size_bytes = get_compile_time_arg_val(1);
    const std::uint32_t source_address = get_compile_time_arg_val(2);
    const std::uint32_t destination_address = get_compile_time_arg_val(3);
    const auto virtual_channel = static_cast<std::uint8_t>(get_compile_time_arg_val(4));
    const bool stateful = get_compile_time_arg_val(5) != 0;
    const std::uint32_t num_responders = get_compile_time_arg_val(6);

    if (get_compile_time_arg_val(7) != 0) {
        meet(2 * num_responders);
    }
    {
        DeviceZoneScopedN("RISCV1");
        for (std::uint32_t responder = 0; responder < num_responders; ++responder) {
            const auto x = get_arg_val<std::uint32_t>(2 * responder);
            const auto y = get_arg_val<std::uint32_t>(2 * responder + 1);
            const std::uint64_t source = get_noc_addr(x, y, source_address);
            if (stateful) {
                read_statefully(source, destination_address, call_size_bytes, num_transactions, virtual_channel);
            } else {
                for (std::uint32_t i = 0; i < num_transactions; ++i) {
                    noc_async_read(source, destination_address, call_size_bytes, noc_index(), virtual_channel);
                }
            }
        }
        noc_async_read_barrier();
    }

    DeviceTimestampedData("Number of transactions", num_transactions);
    DeviceTimestampedData("Transaction size in bytes", std::uint64_t{call_size_bytes} * num_responders);
}

}  // namespace nocbench::all_from_all
