// Sums the rows of a matrix. Arguments: rows, columns.
#include "rows.h"

using namespace tensors;

int main(int argc, char** argv) {
    const uint32_t rows = argument(argc, argv, 1, 256);
    const uint32_t columns = argument(argc, argv, 2, 256);
    const auto device = MeshDevice::create_unit_mesh(0);
    MeshCommandQueue& queue = device->mesh_command_queue();
    Matrix source(*device, rows, columns);
    Matrix sums(*device, rows, tile_side);
    const std::vector<float> values = source.fill(queue, 1);

    run_rows(*device, operation_on(source, "kernels/sum_rows.cpp", 1), sums);

    const std::vector<float> tiles = sums.read(queue);
    std::vector<float> results;
    std::vector<float> expected;
    for (uint32_t row = 0; row < rows; ++row) {
        results.push_back(tiles[size_t{row} * tile_side]);
        expected.push_back(0);
        for (uint32_t column = 0; column < columns; ++column) {
            expected.back() += values[size_t{row} * columns + column];
        }
    }
    return compare(results, expected);
}
