// Matrices of bfloat16 in DRAM, as tiles, and the comparison of results.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>
#include <tt-metalium/tt_metal.hpp>
#include <vector>

namespace tensors {

using namespace tt::tt_metal;
using namespace tt::tt_metal::distributed;

constexpr uint32_t tile_side = 32;
constexpr uint32_t tile_bytes = tile_side * tile_side * sizeof(bfloat16);

/// A matrix whose sides are multiples of 32, row by row on the host and as tiles in DRAM.
class Matrix {
public:
    Matrix(MeshDevice& device, uint32_t rows, uint32_t columns)
        : rows_(rows),
          columns_(columns),
          buffer_(MeshBuffer::create(ReplicatedBufferConfig{uint64_t{rows} * columns * sizeof(bfloat16)},
                                     {.page_size = tile_bytes, .buffer_type = BufferType::DRAM}, &device)) {}

    /// Fills it with numbers from -1 to 1, and returns them.
    std::vector<float> fill(MeshCommandQueue& queue, uint32_t seed) {
        std::mt19937 random(seed);
        std::vector<bfloat16> values;
        for (uint32_t i = 0; i < rows_ * columns_; ++i) {
            values.emplace_back(static_cast<float>(random()) / 2147483648.0F - 1);
        }
        std::vector<bfloat16> tiles = tilize_nfaces(values, rows_, columns_);
        EnqueueWriteMeshBuffer(queue, buffer_, tiles);
        return {values.begin(), values.end()};
    }

    std::vector<float> read(MeshCommandQueue& queue) {
        std::vector<bfloat16> tiles;
        EnqueueReadMeshBuffer(queue, tiles, buffer_, /*blocking=*/true);
        const std::vector<bfloat16> values = untilize_nfaces(tiles, rows_, columns_);
        return {values.begin(), values.end()};
    }

    uint32_t address() const { return static_cast<uint32_t>(buffer_->address()); }
    uint32_t tile_rows() const { return rows_ / tile_side; }
    uint32_t tile_columns() const { return columns_ / tile_side; }
    uint32_t num_tiles() const { return tile_rows() * tile_columns(); }
    const MeshBuffer& buffer() const { return *buffer_; }

private:
    uint32_t rows_;
    uint32_t columns_;
    std::shared_ptr<MeshBuffer> buffer_;
};

/// Makes a circular buffer of tiles.
inline void make_buffer(Program& program, const CoreSpec& cores, tt::CBIndex id, uint32_t num_tiles,
                        tt::DataFormat format = tt::DataFormat::Float16_b) {
    const uint32_t page_bytes = tt::tile_size(format);
    CreateCircularBuffer(program, cores,
                         CircularBufferConfig(num_tiles * page_bytes, {{id, format}}).set_page_size(id, page_bytes));
}

inline void run(MeshDevice& device, Program&& program) {
    MeshWorkload workload;
    workload.add_program(MeshCoordinateRange(device.shape()), std::move(program));
    EnqueueMeshWorkload(device.mesh_command_queue(), workload, /*blocking=*/true);
}

/// Returns 0 if results correlate with what is expected (Pearson's coefficient of at least 0.999), else 1.
inline int compare(const std::vector<float>& results, const std::vector<float>& expected) {
    double sum_r = 0;
    double sum_e = 0;
    double sum_rr = 0;
    double sum_ee = 0;
    double sum_re = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        const double r = results[i];
        const double e = expected[i];
        sum_r += r;
        sum_e += e;
        sum_rr += r * r;
        sum_ee += e * e;
        sum_re += r * e;
    }
    const auto count = static_cast<double>(expected.size());
    const double spread = std::sqrt((count * sum_rr - sum_r * sum_r) * (count * sum_ee - sum_e * sum_e));
    const double coefficient = spread == 0 ? 0 : (count * sum_re - sum_r * sum_e) / spread;
    log_info(tt::LogTest, "correlation with the expected values: {:.6f}", coefficient);
    return coefficient >= 0.999 ? 0 : 1;
}

/// Returns an argument of the program as a number.
inline uint32_t argument(int count, char** arguments, int index, uint32_t otherwise) {
    return index < count ? static_cast<uint32_t>(std::stoul(arguments[index])) : otherwise;
}

}  // namespace tensors
