// Copies the shards of one buffer in L1 to another on the same cores: a reader and a writer share a circular buffer.
#include <cstdint>
#include <numeric>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_metal.hpp>
#include <vector>

using namespace tt;
using namespace tt::tt_metal;

int main() {
    constexpr uint32_t page_bytes = 1024;
    constexpr uint32_t pages_of_core = 8;
    IDevice* const device = CreateDevice(0);
    const CoreRangeSet cores(CoreRange({0, 0}, {1, 3}));
    const uint32_t num_pages = pages_of_core * cores.num_cores();
    const ShardedBufferConfig config{
        .device = device,
        .size = num_pages * page_bytes,
        .page_size = page_bytes,
        .shard_parameters = ShardSpecBuffer(cores, {pages_of_core, page_bytes}, ShardOrientation::ROW_MAJOR,
                                            {1, page_bytes}, {num_pages, 1}),
    };
    const auto source = CreateBuffer(config);
    const auto target = CreateBuffer(config);

    Program program = CreateProgram();
    CreateCircularBuffer(program, cores,
                         CircularBufferConfig(2 * page_bytes, {{CBIndex::c_0, DataFormat::UInt32}})
                             .set_page_size(CBIndex::c_0, page_bytes));
    const KernelHandle reader =
        CreateKernel(program, "kernels/read_shard.cpp", cores, ReaderDataMovementConfig({CBIndex::c_0}));
    const KernelHandle writer =
        CreateKernel(program, "kernels/write_shard.cpp", cores, WriterDataMovementConfig({CBIndex::c_0}));
    SetRuntimeArgs(program, reader, cores, {source->address(), pages_of_core});
    SetRuntimeArgs(program, writer, cores, {target->address(), pages_of_core});

    std::vector<uint32_t> words(num_pages * page_bytes / sizeof(uint32_t));
    std::iota(words.begin(), words.end(), 1);
    detail::WriteToBuffer(source, words);
    detail::LaunchProgram(device, program);
    std::vector<uint32_t> result;
    detail::ReadFromBuffer(target, result);
    CloseDevice(device);
    return result == words ? 0 : 1;
}
