// Computes the softmax of the rows of a matrix. Arguments: rows, columns.
#include <algorithm>

#include "rows.h"

using namespace tensors;

int main(int argc, char** argv) {
    const uint32_t rows = argument(argc, argv, 1, 256);
    const uint32_t columns = argument(argc, argv, 2, 256);
    const auto device = MeshDevice::create_unit_mesh(0);
    MeshCommandQueue& queue = device->mesh_command_queue();
    Matrix source(*device, rows, columns);
    Matrix result(*device, rows, columns);
    const std::vector<float> values = source.fill(queue, 1);

    run_rows(*device, operation_on(source, "kernels/softmax_rows.cpp", source.tile_columns()), result);

    std::vector<float> expected(values.size());
    for (uint32_t row = 0; row < rows; ++row) {
        const auto begin = values.begin() + ptrdiff_t{row} * columns;
        const float largest = *std::max_element(begin, begin + columns);
        float sum = 0;
        for (uint32_t column = 0; column < columns; ++column) {
            sum += std::exp(begin[column] - largest);
        }
        for (uint32_t column = 0; column < columns; ++column) {
            expected[size_t{row} * columns + column] = std::exp(begin[column] - largest) / sum;
        }
    }
    return compare(result.read(queue), expected);
}
