// Values of a tile, and their formats in L1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace nocbench {

inline constexpr std::size_t kTileSide = 32;
inline constexpr std::size_t kFaceSide = 16;
inline constexpr std::size_t kTileValues = kTileSide * kTileSide;

/// Values of 32 x 32, row by row. Formats of integers have the bits of an integer in place of a value.
using TileValues = std::array<float, kTileValues>;
using SharedTile = std::shared_ptr<const TileValues>;

/// Data formats that compute kernels read and write, by their numbers in tt-metal.
enum class TileFormat : std::uint8_t {
    float32 = 0,
    float16 = 1,
    bfp8 = 2,
    bfp4 = 3,
    tf32 = 4,
    float16_b = 5,
    bfp8_b = 6,
    bfp4_b = 7,
    int32 = 8,
    uint16 = 9,
    int8 = 14,
    uint32 = 24,
    uint8 = 30,
};

/// Tile in L1: the format of its values, and its rows, 32 or a smaller power of two.
struct TileInL1 {
    // NOLINTNEXTLINE(google-explicit-constructor): most tiles have all rows
    TileInL1(TileFormat format_of_values, std::size_t rows_of_tile = kTileSide)
        : format(format_of_values), rows(rows_of_tile) {}

    TileFormat format;
    std::size_t rows;
};

/// Returns the format with a number, if it is one of those.
std::optional<TileFormat> tile_format(std::uint32_t number);
/// Returns its name in tt-metal: "Float16_b".
[[nodiscard]] std::string_view to_string(TileFormat format);
[[nodiscard]] bool is_integer(TileFormat format);
/// Returns the bytes of a tile in L1. Block formats have an exponent byte per 16 values, in a multiple of 16 bytes.
[[nodiscard]] std::size_t tile_bytes(TileInL1 stored);
/// Returns the bytes of one value; 0 for block formats.
[[nodiscard]] std::size_t value_bytes(TileFormat format);

/// Reads a tile: faces of 16 x 16, one after the other, or two faces of fewer rows. Block formats have all exponents
/// first. Fewer than 32 rows become the first rows of `values`.
void read_tile(std::span<const std::byte> bytes, TileInL1 stored, TileValues& values);
/// Writes a tile, rounded to the nearest value of the format, to the even one of two.
void write_tile(const TileValues& values, TileInL1 stored, std::span<std::byte> bytes);

/// Reads or writes `count` values that follow each other in L1. Not for block formats.
void read_values(std::span<const std::byte> bytes, TileFormat format, std::span<float> values);
void write_values(std::span<const float> values, TileFormat format, std::span<std::byte> bytes);

/// Return the tiles of a matrix that is given row by row, one row of tiles after the other; and such a matrix. Throw
/// InputError unless `columns` and the number of rows are multiples of 32, or if there are not whole tiles.
[[nodiscard]] std::vector<std::byte> tiles_of(std::span<const float> values, std::size_t columns, TileFormat format);
[[nodiscard]] std::vector<float> values_of(std::span<const std::byte> tiles, std::size_t columns, TileFormat format);

/// Return a value rounded to the formats of registers: bfloat16, or the 19 bits of source registers.
[[nodiscard]] float rounded_to_bfloat16(float value);
[[nodiscard]] float rounded_to_tf32(float value);

}  // namespace nocbench
