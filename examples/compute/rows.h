// Operations on rows of tiles, which are divided among cores.
#pragma once

#include "tensors.h"

namespace tensors {

/// Kernels and sizes of a program that works on rows of tiles.
struct RowOperation {
    std::string reader;
    std::vector<uint32_t> reader_args;
    std::string compute;
    uint32_t source_address = 0;
    uint32_t reads_per_row = 1;  // units of the reader's two last arguments
    uint32_t rows = 0;
    uint32_t columns = 0;          // tiles of a row
    uint32_t tiles_of_result = 0;  // of a row
};

/// Returns an operation that reads the tiles of a matrix and a tile of ones.
inline RowOperation operation_on(const Matrix& source, const std::string& compute, uint32_t tiles_of_result) {
    RowOperation operation{.reader = "kernels/read_rows.cpp",
                           .reader_args = {},
                           .compute = compute,
                           .source_address = source.address(),
                           .reads_per_row = source.tile_columns(),
                           .rows = source.tile_rows(),
                           .columns = source.tile_columns(),
                           .tiles_of_result = tiles_of_result};
    TensorAccessorArgs(source.buffer()).append_to(operation.reader_args);
    return operation;
}

/// Runs an operation on all cores: a reader, a compute kernel and a writer of the result.
inline void run_rows(MeshDevice& device, const RowOperation& operation, const Matrix& result) {
    Program program = CreateProgram();
    const auto [num_cores, cores, group_1, group_2, of_first, of_second] =
        split_work_to_cores(device.compute_with_storage_grid_size(), operation.rows);
    make_buffer(program, cores, tt::CBIndex::c_0, 2 * operation.columns);
    make_buffer(program, cores, tt::CBIndex::c_1, 1);
    make_buffer(program, cores, tt::CBIndex::c_16, 2 * operation.columns);
    make_buffer(program, cores, tt::CBIndex::c_24, 1);
    make_buffer(program, cores, tt::CBIndex::c_25, operation.columns);
    make_buffer(program, cores, tt::CBIndex::c_26, 1);
    std::vector<uint32_t> writer_args;
    TensorAccessorArgs(result.buffer()).append_to(writer_args);
    const auto reader = CreateKernel(program, operation.reader, cores, ReaderDataMovementConfig(operation.reader_args));
    const auto compute = CreateKernel(program, operation.compute, cores,
                                      ComputeConfig{.fp32_dest_acc_en = true, .compile_args = {operation.columns}});
    const auto writer = CreateKernel(program, "kernels/write_tiles.cpp", cores, WriterDataMovementConfig(writer_args));
    uint32_t begin = 0;
    for (const CoreCoord& core : corerange_to_cores(cores)) {
        const uint32_t end = begin + (group_1.contains(core) ? of_first : of_second);
        SetRuntimeArgs(program, reader, core,
                       {operation.source_address, begin * operation.reads_per_row, end * operation.reads_per_row});
        SetRuntimeArgs(program, compute, core, {end - begin});
        SetRuntimeArgs(program, writer, core,
                       {result.address(), begin * operation.tiles_of_result, end * operation.tiles_of_result});
        begin = end;
    }
    run(device, std::move(program));
}

}  // namespace tensors
