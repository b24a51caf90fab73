// Reads blocks of another core into a dataflow buffer, one after the other.
#include "named_arguments.hpp"

void kernel_main() {
    DataflowBuffer blocks(dfb::blocks);
    {
        DeviceZoneScopedN("RISCV1");
        for (uint32_t i = 0; i < count; ++i) {
            blocks.reserve_back(1);
            const uint64_t source = get_noc_addr(get_arg(args::x), get_arg(args::y), get_arg(args::source) + i * bytes);
            noc_async_read(source, blocks.get_write_ptr(), bytes);
            noc_async_read_barrier();
            blocks.push_back(1);
        }
    }
    record();
}
