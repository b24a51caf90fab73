// Multiplies two matrices on a grid of cores. The first core of each row multicasts blocks of the left matrix along it,
// the first core of each column blocks of the right one. Arguments: M, K, N, columns and rows of the grid, tiles along
// K of a block, phases of fidelity.
#include "tensors.h"

using namespace tensors;

int main(int argc, char** argv) {
    const uint32_t m = argument(argc, argv, 1, 256);
    const uint32_t k = argument(argc, argv, 2, 256);
    const uint32_t n = argument(argc, argv, 3, 256);
    const uint32_t grid_columns = argument(argc, argv, 4, 4);
    const uint32_t grid_rows = argument(argc, argv, 5, 4);
    const uint32_t inner = argument(argc, argv, 6, 2);
    const uint32_t phases = argument(argc, argv, 7, 4);
    const auto device = MeshDevice::create_unit_mesh(0);
    MeshCommandQueue& queue = device->mesh_command_queue();
    Matrix left(*device, m, k);
    Matrix right(*device, k, n);
    Matrix product(*device, m, n);
    const std::vector<float> values_left = left.fill(queue, 1);
    const std::vector<float> values_right = right.fill(queue, 2);

    const uint32_t rows = product.tile_rows() / grid_rows;
    const uint32_t columns = product.tile_columns() / grid_columns;
    const uint32_t part_rows = rows % 2 == 0 ? 2 : 1;
    const uint32_t part_columns = columns % 2 == 0 ? 2 : 1;
    TT_FATAL(rows * grid_rows * 32 == m && columns * grid_columns * 32 == n && left.tile_columns() % inner == 0,
             "a matrix that the grid of {} x {} cores and blocks of {} tiles do not divide", grid_columns, grid_rows,
             inner);

    Program program = CreateProgram();
    const CoreRange cores({0, 0}, {grid_columns - 1, grid_rows - 1});
    make_buffer(program, cores, tt::CBIndex::c_0, 2 * rows * inner);
    make_buffer(program, cores, tt::CBIndex::c_1, 2 * inner * columns);
    make_buffer(program, cores, tt::CBIndex::c_16, 2 * part_rows * part_columns);
    make_buffer(program, cores, tt::CBIndex::c_24, rows * columns, tt::DataFormat::Float32);
    std::vector<uint32_t> left_args{rows, inner, left.tile_columns(), grid_columns - 1};
    TensorAccessorArgs(left.buffer()).append_to(left_args);
    std::vector<uint32_t> right_args{rows,          columns,   inner,       left.tile_columns(), right.tile_columns(),
                                     grid_rows - 1, part_rows, part_columns};
    TensorAccessorArgs(right.buffer()).append_to(right_args);
    TensorAccessorArgs(product.buffer()).append_to(right_args);
    const auto read_left = CreateKernel(program, "kernels/read_left.cpp", cores, ReaderDataMovementConfig(left_args));
    const auto read_right =
        CreateKernel(program, "kernels/read_right_and_write.cpp", cores, WriterDataMovementConfig(right_args));
    const std::vector<MathFidelity> fidelities{MathFidelity::LoFi, MathFidelity::HiFi2, MathFidelity::HiFi3,
                                               MathFidelity::HiFi4};
    CreateKernel(
        program, "kernels/multiply_blocks.cpp", cores,
        ComputeConfig{.math_fidelity = fidelities.at(phases - 1),
                      .fp32_dest_acc_en = true,
                      .compile_args = {rows, columns, inner, left.tile_columns() / inner, part_rows, part_columns}});

    const uint32_t left_ready = CreateSemaphore(program, cores, 0);
    const uint32_t left_sent = CreateSemaphore(program, cores, 0);
    const uint32_t right_ready = CreateSemaphore(program, cores, 0);
    const uint32_t right_sent = CreateSemaphore(program, cores, 0);
    for (uint32_t y = 0; y < grid_rows; ++y) {
        for (uint32_t x = 0; x < grid_columns; ++x) {
            const auto place = [&](uint32_t column, uint32_t row) {
                return device->worker_core_from_logical_core({column, row});
            };
            const CoreCoord first = place(0, y);
            const CoreCoord next = place(std::min(1U, grid_columns - 1), y);
            const CoreCoord last = place(grid_columns - 1, y);
            SetRuntimeArgs(program, read_left, CoreCoord{x, y},
                           {left.address(), y * rows, uint32_t(x == 0), left_ready, left_sent, uint32_t(first.x),
                            uint32_t(first.y), uint32_t(next.x), uint32_t(next.y), uint32_t(last.x), uint32_t(last.y)});
            const CoreCoord top = place(x, 0);
            const CoreCoord below = place(x, std::min(1U, grid_rows - 1));
            const CoreCoord bottom = place(x, grid_rows - 1);
            SetRuntimeArgs(program, read_right, CoreCoord{x, y},
                           {right.address(), x * columns, uint32_t(y == 0), right_ready, right_sent, uint32_t(top.x),
                            uint32_t(top.y), uint32_t(below.x), uint32_t(below.y), uint32_t(bottom.x),
                            uint32_t(bottom.y), product.address(), y * rows});
        }
    }
    run(*device, std::move(program));

    std::vector<float> expected(size_t{m} * n);
    for (uint32_t row = 0; row < m; ++row) {
        for (uint32_t i = 0; i < k; ++i) {
            for (uint32_t column = 0; column < n; ++column) {
                expected[size_t{row} * n + column] +=
                    values_left[size_t{row} * k + i] * values_right[size_t{i} * n + column];
            }
        }
    }
    return compare(product.read(queue), expected);
}
