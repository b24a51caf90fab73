// Copies pages from one buffer in DRAM to another, through the L1 of one core.
#include <cstdint>
#include <numeric>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <vector>

using namespace tt::tt_metal;
using namespace tt::tt_metal::distributed;

int main() {
    constexpr uint32_t page_bytes = 2048;
    constexpr uint32_t num_pages = 32;
    const auto device = MeshDevice::create_unit_mesh(0);
    const auto buffer = [&](BufferType type, uint32_t pages) {
        return MeshBuffer::create(ReplicatedBufferConfig{.size = pages * page_bytes},
                                  {.page_size = page_bytes, .buffer_type = type}, device.get());
    };
    auto source = buffer(BufferType::DRAM, num_pages);
    auto target = buffer(BufferType::DRAM, num_pages);
    auto room = buffer(BufferType::L1, 1);

    Program program = CreateProgram();
    const CoreCoord core{0, 0};
    std::vector<uint32_t> layouts;
    TensorAccessorArgs(*source).append_to(layouts);
    TensorAccessorArgs(*target).append_to(layouts);
    const auto copy =
        CreateKernel(program, "kernels/copy_pages.cpp", core, DataMovementConfig{.compile_args = layouts});
    SetRuntimeArgs(program, copy, core,
                   {uint32_t(room->address()), uint32_t(source->address()), uint32_t(target->address()), num_pages});

    std::vector<uint32_t> words(num_pages * page_bytes / sizeof(uint32_t));
    std::iota(words.begin(), words.end(), 1);
    MeshCommandQueue& queue = device->mesh_command_queue();
    EnqueueWriteMeshBuffer(queue, source, words);
    MeshWorkload workload;
    workload.add_program(MeshCoordinateRange(device->shape()), std::move(program));
    EnqueueMeshWorkload(queue, workload, /*blocking=*/true);

    std::vector<uint32_t> result;
    EnqueueReadMeshBuffer(queue, result, target);
    return result == words ? 0 : 1;
}
