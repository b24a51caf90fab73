// Writes the blocks of a dataflow buffer to another core, and signals the end there. The coordinates have no names.
#include "named_arguments.hpp"

void kernel_main() {
    DataflowBuffer blocks(dfb::ready);
    const uint32_t x = get_vararg(0), y = get_vararg(1);
    {
        DeviceZoneScopedN("RISCV0");
        for (uint32_t i = 0; i < count; ++i) {
            blocks.wait_front(1);
            noc_async_write(blocks.get_read_ptr(), get_noc_addr(x, y, get_arg(args::target) + i * bytes), bytes);
            noc_async_writes_flushed();
            blocks.pop_front(1);
        }
        noc_async_write_barrier();
    }
    noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(sem::done)), 1);
    noc_async_atomic_barrier();
    record();
}
