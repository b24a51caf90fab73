#include "device_model/tenstorrent/compute/tile_arithmetic.h"

#include <algorithm>
#include <utility>

namespace nocbench {

void add_product(const TileValues& left, const TileValues& right, TileValues& result) {
    for (std::size_t row = 0; row < kTileSide; ++row) {
        float* const sums = &result[row * kTileSide];
        for (std::size_t k = 0; k < kTileSide; ++k) {
            const float factor = left[row * kTileSide + k];
            const float* const values = &right[k * kTileSide];
            for (std::size_t column = 0; column < kTileSide; ++column) {
                sums[column] += factor * values[column];
            }
        }
    }
}

void transpose(TileValues& values) {
    for (std::size_t row = 0; row < kTileSide; ++row) {
        for (std::size_t column = 0; column < row; ++column) {
            std::swap(values[row * kTileSide + column], values[column * kTileSide + row]);
        }
    }
}

void broadcast(TileValues& values, Broadcast kind, std::size_t repeated) {
    for (std::size_t row = 0; kind != Broadcast::none && row < kTileSide; ++row) {
        for (std::size_t column = 0; column < kTileSide; ++column) {
            const std::size_t from = kind == Broadcast::scalar   ? 0
                                     : kind == Broadcast::column ? row * kTileSide + repeated
                                                                 : repeated * kTileSide + column;
            values[row * kTileSide + column] = values[from];
        }
    }
}

void combine(const TileValues& left, const TileValues& right, Arithmetic arithmetic, bool adds, TileValues& result) {
    for (std::size_t i = 0; i < kTileValues; ++i) {
        const float value = arithmetic == Arithmetic::add        ? left[i] + right[i]
                            : arithmetic == Arithmetic::subtract ? left[i] - right[i]
                                                                 : left[i] * right[i];
        result[i] = adds ? result[i] + value : value;
    }
}

void scale(TileValues& values, const TileValues& factors, ReducedDimension dimension) {
    for (std::size_t row = 0; row < kTileSide; ++row) {
        for (std::size_t column = 0; column < kTileSide; ++column) {
            const std::size_t face = row / kFaceSide * kFaceSide * kTileSide + column / kFaceSide * kFaceSide;
            values[row * kTileSide + column] *= dimension == ReducedDimension::scalar ? factors[0] * factors[0]
                                                : dimension == ReducedDimension::row
                                                    ? factors[face + column % kFaceSide]
                                                    : factors[face + row % kFaceSide];
        }
    }
}

void reduce(std::span<const float> values, float factor, Pooling pool, ReducedDimension dimension, TileValues& result) {
    // A reduction along rows leaves a column.
    const std::size_t count = dimension == ReducedDimension::scalar ? 1 : kTileSide;
    const std::size_t stride = dimension == ReducedDimension::row ? kTileSide : 1;
    std::array<float, kTileSide> joined{};
    for (std::size_t i = 0; i < count; ++i) {
        joined[i] = result[i * stride];
    }
    for (std::size_t row = 0; row < values.size() / kTileSide; ++row) {
        for (std::size_t column = 0; column < kTileSide; ++column) {
            const float value = values[row * kTileSide + column] * factor;
            float& its = joined[dimension == ReducedDimension::row      ? row
                                : dimension == ReducedDimension::column ? column
                                                                        : 0];
            its = pool == Pooling::maximum   ? std::max(its, value)
                  : pool == Pooling::minimum ? std::min(its, value)
                                             : its + value;
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        result[i * stride] = joined[i];
    }
}

}  // namespace nocbench
