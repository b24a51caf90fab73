// Makes tiles of a matrix whose pages are its rows. Arguments: rows, columns.
#include "rows.h"

using namespace tensors;

int main(int argc, char** argv) {
    const uint32_t rows = argument(argc, argv, 1, 256);
    const uint32_t columns = argument(argc, argv, 2, 256);
    const auto device = MeshDevice::create_unit_mesh(0);
    MeshCommandQueue& queue = device->mesh_command_queue();
    Matrix result(*device, rows, columns);
    const uint32_t row_bytes = columns * sizeof(bfloat16);
    const auto source = MeshBuffer::create(ReplicatedBufferConfig{uint64_t{rows} * row_bytes},
                                           {.page_size = row_bytes, .buffer_type = BufferType::DRAM}, device.get());
    std::vector<bfloat16> values;
    for (uint32_t i = 0; i < rows * columns; ++i) {
        values.emplace_back(static_cast<float>(i % 251));
    }
    EnqueueWriteMeshBuffer(queue, source, values);

    RowOperation operation{.reader = "kernels/read_sticks.cpp",
                           .reader_args = {columns / tile_side},
                           .compute = "kernels/tilize_rows.cpp",
                           .source_address = static_cast<uint32_t>(source->address()),
                           .rows = rows / tile_side,
                           .columns = columns / tile_side,
                           .tiles_of_result = columns / tile_side};
    TensorAccessorArgs(*source).append_to(operation.reader_args);
    run_rows(*device, operation, result);

    const std::vector<float> results = result.read(queue);
    return std::equal(values.begin(), values.end(), results.begin(),
                      [](bfloat16 value, float found) { return static_cast<float>(value) == found; })
               ? 0
               : 1;
}
