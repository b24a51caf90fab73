// Copies pages from one buffer in DRAM to another, through the L1 of one core.
#include <cstdint>
#include <numeric>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <vector>

using namespace tt::tt_metal;

int main() {
    const auto device = distributed::MeshDevice::create_unit_mesh(0);
    distributed::MeshCommandQueue& queue = device->mesh_command_queue();

    constexpr std::uint32_t page_bytes = 2048;
    constexpr std::uint32_t num_pages = 32;
    const distributed::ReplicatedBufferConfig all{.size = page_bytes * num_pages};
    const distributed::DeviceLocalBufferConfig in_dram{.page_size = page_bytes, .buffer_type = BufferType::DRAM};
    const distributed::DeviceLocalBufferConfig in_l1{.page_size = page_bytes, .buffer_type = BufferType::L1};
    auto source = distributed::MeshBuffer::create(all, in_dram, device.get());
    auto target = distributed::MeshBuffer::create(all, in_dram, device.get());
    auto page = distributed::MeshBuffer::create({distributed::ReplicatedBufferConfig{.size = page_bytes}}, in_l1, device.get());

    Program program = CreateProgram();
    std::vector<std::uint32_t> layouts;
    TensorAccessorArgs(*source).append_to(layouts);
    TensorAccessorArgs(*target).append_to(layouts);
    const CoreCoord core{0, 0};
    const KernelHandle copy = CreateKernel(program, "kernels/copy_pages.cpp", core, DataMovementConfig{.compile_args = layouts});
    SetRuntimeArgs(program, copy, core, {static_cast<std::uint32_t>(page->address()), static_cast<std::uint32_t>(source->address()), static_cast<std::uint32_t>(target->address()), num_pages});

    std::vector<std::uint32_t> words(page_bytes * num_pages / sizeof(std::uint32_t));
    std::iota(words.begin(), words.end(), 1);
    distributed::EnqueueWriteMeshBuffer(queue, source, words);
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
    distributed::EnqueueMeshWorkload(queue, workload, /*blocking=*/false);

    std::vector<std::uint32_t> result;
    distributed::EnqueueReadMeshBuffer(queue, result, target);
    return result == words ? 0 : 1;
}
