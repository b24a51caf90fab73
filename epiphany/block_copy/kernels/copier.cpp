#include "epiphany/block_copy/kernels/kernels.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench::block_copy {

void copier(const CopyTask& task) {
    epiphany::open_zone(kEpiphanyZone);
    for (std::uint32_t time = 0; time < task.times; ++time) {
        epiphany::enter_routine(task.is_cold && time == 0);
        if (task.executor == Executor::core) {
            epiphany::copy(task.destination, task.source, task.bytes, task.loop);
        } else {
            epiphany::dma_copy(task.destination, task.source, task.bytes);
        }
    }
    epiphany::close_zone();
}

}  // namespace nocbench::block_copy
