// Sends blocks from one core to a row of cores by multicast. Each receiver acknowledges a block by a semaphore before
// the next one is sent, and the sender sets a second semaphore behind each block.
#include <cstdint>
#include <numeric>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/tt_metal.hpp>
#include <vector>

using namespace tt::tt_metal;
using namespace tt::tt_metal::distributed;

int main() {
    constexpr uint32_t block_bytes = 4096;
    constexpr uint32_t num_blocks = 8;
    const auto device = MeshDevice::create_unit_mesh(0);
    const CoreCoord sender{0, 0};
    const CoreRange receivers({1, 0}, {4, 0});
    const auto all = CoreRangeSet(CoreRange(sender)).merge(receivers);
    const auto room = MeshBuffer::create(
        ReplicatedBufferConfig{.size = num_blocks * block_bytes * all.num_cores()},
        {.page_size = block_bytes,
         .buffer_type = BufferType::L1,
         .sharding_args = {ShardSpecBuffer(all, {num_blocks, block_bytes}, ShardOrientation::ROW_MAJOR,
                                           {1, block_bytes}, {num_blocks * all.num_cores(), 1}),
                           TensorMemoryLayout::HEIGHT_SHARDED}},
        device.get());

    Program program = CreateProgram();
    const uint32_t ready = CreateSemaphore(program, all, 0);
    const uint32_t sent = CreateSemaphore(program, all, 0);
    const CoreCoord first = device->worker_core_from_logical_core(receivers.start_coord);
    const CoreCoord last = device->worker_core_from_logical_core(receivers.end_coord);
    const CoreCoord source = device->worker_core_from_logical_core(sender);
    const std::vector<uint32_t> shape{block_bytes, num_blocks, uint32_t(receivers.size())};
    const auto send =
        CreateKernel(program, "kernels/send_blocks.cpp", sender, DataMovementConfig{.compile_args = shape});
    const auto receive =
        CreateKernel(program, "kernels/receive_blocks.cpp", receivers, DataMovementConfig{.compile_args = shape});
    SetRuntimeArgs(program, send, sender,
                   {uint32_t(room->address()), ready, sent, uint32_t(first.x), uint32_t(first.y), uint32_t(last.x),
                    uint32_t(last.y)});
    SetRuntimeArgs(program, receive, receivers, {ready, sent, uint32_t(source.x), uint32_t(source.y)});

    std::vector<uint32_t> words(num_blocks * block_bytes / sizeof(uint32_t));
    std::iota(words.begin(), words.end(), 1);
    IDevice* const chip = device->get_devices()[0];
    detail::WriteToDeviceL1(chip, sender, room->address(), words);
    MeshWorkload workload;
    workload.add_program(MeshCoordinateRange(device->shape()), std::move(program));
    EnqueueMeshWorkload(device->mesh_command_queue(), workload, /*blocking=*/true);

    for (const CoreCoord& core : receivers) {
        std::vector<uint32_t> result;
        detail::ReadFromDeviceL1(chip, core, room->address(), num_blocks * block_bytes, result);
        if (result != words) {
            log_error(tt::LogTest, "core {} has other data", core);
            return 1;
        }
    }
    return 0;
}
