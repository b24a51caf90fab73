#include "kernels/tensix/dataflow_api.h"
#include "tensor_operations/row_copies/kernels/kernels.h"

namespace nocbench::row_copies {

using namespace nocbench::dataflow;

void row_reader() {
    const std::uint32_t num_rows = get_compile_time_arg_val(0);
    const std::uint32_t row_bytes = get_compile_time_arg_val(1);
    std::uint32_t source = get_compile_time_arg_val(2);
    const std::uint32_t source_stride_bytes = get_compile_time_arg_val(3);
    std::uint32_t target = get_compile_time_arg_val(4);
    const std::uint32_t target_stride_bytes = get_compile_time_arg_val(5);

    DeviceZoneScopedN("RISCV0");
    noc_async_read_one_packet_set_state(get_noc_addr(source), row_bytes);
    for (std::uint32_t row = 0; row < num_rows; ++row) {
        noc_async_read_one_packet_with_state(source, target);
        source += source_stride_bytes;
        target += target_stride_bytes;
    }
    noc_async_read_barrier();
}

}  // namespace nocbench::row_copies
