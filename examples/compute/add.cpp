// Adds two matrices on all cores. Arguments: rows, columns.
#include "tensors.h"

using namespace tensors;

int main(int argc, char** argv) {
    const uint32_t rows = argument(argc, argv, 1, 256);
    const uint32_t columns = argument(argc, argv, 2, 256);
    const auto device = MeshDevice::create_unit_mesh(0);
    MeshCommandQueue& queue = device->mesh_command_queue();
    Matrix a(*device, rows, columns);
    Matrix b(*device, rows, columns);
    Matrix sum(*device, rows, columns);
    const std::vector<float> values_a = a.fill(queue, 1);
    const std::vector<float> values_b = b.fill(queue, 2);

    Program program = CreateProgram();
    const auto [num_cores, cores, group_1, group_2, of_first, of_second] =
        split_work_to_cores(device->compute_with_storage_grid_size(), sum.num_tiles());
    make_buffer(program, cores, tt::CBIndex::c_0, 2);
    make_buffer(program, cores, tt::CBIndex::c_1, 2);
    make_buffer(program, cores, tt::CBIndex::c_16, 2);
    std::vector<uint32_t> reader_args{2};
    std::vector<uint32_t> writer_args;
    TensorAccessorArgs(a.buffer()).append_to(reader_args);
    TensorAccessorArgs(b.buffer()).append_to(reader_args);
    TensorAccessorArgs(sum.buffer()).append_to(writer_args);
    const auto reader = CreateKernel(program, "kernels/read_tiles.cpp", cores, ReaderDataMovementConfig(reader_args));
    const auto compute = CreateKernel(program, "kernels/add_tiles.cpp", cores, ComputeConfig{});
    const auto writer = CreateKernel(program, "kernels/write_tiles.cpp", cores, WriterDataMovementConfig(writer_args));
    uint32_t begin = 0;
    for (const CoreCoord& core : corerange_to_cores(cores)) {
        const uint32_t end = begin + (group_1.contains(core) ? of_first : of_second);
        SetRuntimeArgs(program, reader, core, {a.address(), b.address(), begin, end});
        SetRuntimeArgs(program, compute, core, {end - begin});
        SetRuntimeArgs(program, writer, core, {sum.address(), begin, end});
        begin = end;
    }
    run(*device, std::move(program));

    std::vector<float> expected(values_a.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        expected[i] = values_a[i] + values_b[i];
    }
    return compare(sum.read(queue), expected);
}
