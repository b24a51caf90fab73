// Conversion of matrices between Python and tiles.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "bindings/from_python.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/compute/tile_values.h"

namespace nocbench::bindings {

/// Returns the format with a number. Throws InputError if tiles have no such format.
inline TileFormat tile_format_of(std::uint32_t number) {
    if (const std::optional<TileFormat> format = tile_format(number); format.has_value()) {
        return *format;
    }
    throw InputError("expected a data format of tiles, found another one");
}

/// Returns the tiles of a matrix, given as bytes of values of 32 bits, row by row.
inline pybind11::bytes tilize(const pybind11::bytes& values, std::size_t columns, std::uint32_t format) {
    const std::vector<std::byte> bytes = bytes_of(values);
    std::vector<float> numbers(bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(float));
    return to_python(tiles_of(numbers, columns, tile_format_of(format)));
}

/// Returns such bytes of tiles.
inline pybind11::bytes untilize(const pybind11::bytes& tiles, std::size_t columns, std::uint32_t format) {
    const std::vector<float> values = values_of(bytes_of(tiles), columns, tile_format_of(format));
    return to_python(std::as_bytes(std::span(values)));
}

}  // namespace nocbench::bindings
