#include "kernels/tensix/stateful_transfers.h"

#include <algorithm>

#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/risc.h"

namespace nocbench::dataflow {

namespace {

std::uint32_t max_packet_bytes() {
    const RouterConstants& router = Risc::current().state().architecture.router;
    return static_cast<std::uint32_t>(router.flit_bytes * router.max_packet_data_flits);
}

/// `set_state(bytes)` sets up packets of that length, `move(offset)` moves the one at `offset`. A shorter packet at the
/// end of a transfer needs a state of its own.
template <class SetState, class Move>
void repeat(std::uint32_t size, std::uint32_t count, SetState set_state, Move move) {
    const std::uint32_t packet_bytes = std::min(size, max_packet_bytes());
    const std::uint32_t rest = size % packet_bytes;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i == 0 || rest != 0) {
            set_state(packet_bytes);
        }
        for (std::uint32_t offset = 0; offset < size - rest; offset += packet_bytes) {
            move(offset);
        }
        if (rest != 0) {
            set_state(rest);
            move(size - rest);
        }
    }
}

}  // namespace

void write_statefully(std::uint32_t source_l1, std::uint64_t destination, std::uint32_t size, std::uint32_t count,
                      std::uint8_t vc) {
    repeat(
        size, count,
        [&](std::uint32_t bytes) { noc_async_write_one_packet_set_state(destination, bytes, kNocOfKernel, vc); },
        [&](std::uint32_t offset) {
            noc_async_write_one_packet_with_state(source_l1 + offset, static_cast<std::uint32_t>(destination) + offset);
        });
}

void read_statefully(std::uint64_t source, std::uint32_t destination_l1, std::uint32_t size, std::uint32_t count,
                     std::uint8_t vc) {
    repeat(
        size, count, [&](std::uint32_t bytes) { noc_async_read_one_packet_set_state(source, bytes, kNocOfKernel, vc); },
        [&](std::uint32_t offset) {
            noc_async_read_one_packet_with_state(static_cast<std::uint32_t>(source) + offset, destination_l1 + offset);
        });
}

}  // namespace nocbench::dataflow
