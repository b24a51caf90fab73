// Tiles of 32 x 32 values and their four faces of 16 x 16. Names follow tt-metal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nocbench/host/data_formats.h"

namespace tt::host {

/// Calls `act(place, index)` for each value: its place row by row, and its index in tiles whose faces are row by row.
template <typename Act>
void for_each_value_of_tiles(std::uint32_t rows, std::uint32_t columns, const Act& act) {
    using namespace tt::constants;
    TT_FATAL(rows % TILE_HEIGHT == 0 && columns % TILE_WIDTH == 0,
             "expected whole tiles of {} x {} values, found {} x {} values", TILE_HEIGHT, TILE_WIDTH, rows, columns);
    std::size_t index = 0;
    for (std::uint32_t tile_row = 0; tile_row < rows; tile_row += TILE_HEIGHT) {
        for (std::uint32_t tile_column = 0; tile_column < columns; tile_column += TILE_WIDTH) {
            for (std::uint32_t face = 0; face < TILE_HW / FACE_HW; ++face) {
                const std::uint32_t first_row = tile_row + face / 2 * FACE_HEIGHT;
                const std::uint32_t first_column = tile_column + face % 2 * FACE_WIDTH;
                for (std::uint32_t value = 0; value < FACE_HW; ++value, ++index) {
                    act((std::size_t{first_row} + value / FACE_WIDTH) * columns + first_column + value % FACE_WIDTH,
                        index);
                }
            }
        }
    }
}

}  // namespace tt::host

/// Return values in the order of tiles and faces, and back row by row. Throw HostError for parts of tiles.
template <typename T>
std::vector<T> tilize_nfaces(const std::vector<T>& values, std::uint32_t rows, std::uint32_t columns) {
    std::vector<T> tiled(values.size());
    const std::size_t size = std::size_t{rows} * columns;
    for (std::size_t begin = 0; begin + size <= values.size(); begin += size) {
        tt::host::for_each_value_of_tiles(
            rows, columns, [&](std::size_t place, std::size_t index) { tiled[begin + index] = values[begin + place]; });
    }
    return tiled;
}
template <typename T>
std::vector<T> untilize_nfaces(const std::vector<T>& tiled, std::uint32_t rows, std::uint32_t columns) {
    std::vector<T> values(tiled.size());
    const std::size_t size = std::size_t{rows} * columns;
    for (std::size_t begin = 0; begin + size <= tiled.size(); begin += size) {
        tt::host::for_each_value_of_tiles(
            rows, columns, [&](std::size_t place, std::size_t index) { values[begin + place] = tiled[begin + index]; });
    }
    return values;
}
