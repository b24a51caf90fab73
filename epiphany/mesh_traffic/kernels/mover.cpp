#include "epiphany/mesh_traffic/kernels/kernels.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench::mesh_traffic {

namespace {

/// Returns a descriptor with one row per repetition, all of which begin at the source's start.
DmaDescriptor repeated(const Transfer& transfer) {
    DmaDescriptor descriptor = epiphany::block_descriptor(transfer.destination, transfer.source, transfer.bytes);
    descriptor.outer_count = static_cast<std::uint16_t>(transfer.times);
    const auto back = static_cast<std::int16_t>(8 - static_cast<int>(transfer.bytes));
    descriptor.outer_source_stride = back;
    descriptor.outer_destination_stride = back;
    return descriptor;
}

}  // namespace

void mover(const std::vector<Transfer>& transfers, bool by_dma) {
    epiphany::open_zone(kEpiphanyZone);
    for (const Transfer& transfer : transfers) {
        epiphany::enter_routine(false);
        if (by_dma) {
            epiphany::dma_start(0, repeated(transfer));
            epiphany::dma_wait(0);
            continue;
        }
        for (std::uint32_t time = 0; time < transfer.times; ++time) {
            epiphany::copy(transfer.destination, transfer.source, transfer.bytes);
        }
    }
    epiphany::close_zone();
}

}  // namespace nocbench::mesh_traffic
