#include "device_model/tenstorrent/compute/tile_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "device_model/sim/error.h"

namespace nocbench {

namespace {

constexpr std::size_t kBlock = 16;  // values with one exponent
constexpr std::size_t kExponentBytesMin = 16;

using Named = std::pair<TileFormat, std::string_view>;
constexpr std::array kNames{Named{TileFormat::float32, "Float32"}, Named{TileFormat::float16, "Float16"},
                            Named{TileFormat::bfp8, "Bfp8"},       Named{TileFormat::bfp4, "Bfp4"},
                            Named{TileFormat::tf32, "Tf32"},       Named{TileFormat::float16_b, "Float16_b"},
                            Named{TileFormat::bfp8_b, "Bfp8_b"},   Named{TileFormat::bfp4_b, "Bfp4_b"},
                            Named{TileFormat::int32, "Int32"},     Named{TileFormat::uint16, "UInt16"},
                            Named{TileFormat::int8, "Int8"},       Named{TileFormat::uint32, "UInt32"},
                            Named{TileFormat::uint8, "UInt8"}};

/// Bits of a mantissa of a block format, without its sign; 0 for other formats.
int mantissa_bits(TileFormat format) {
    switch (format) {
        case TileFormat::bfp8:
        case TileFormat::bfp8_b:
            return 7;
        case TileFormat::bfp4:
        case TileFormat::bfp4_b:
            return 3;
        default:
            return 0;
    }
}

/// Bias of the exponents of a block format.
int exponent_bias(TileFormat format) { return format == TileFormat::bfp8_b || format == TileFormat::bfp4_b ? 127 : 15; }

/// Returns a value without its lowest bits, rounded to the nearest.
float without_low_bits(float value, unsigned bits) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    constexpr std::uint32_t kInfinity = 0x7F800000;
    if ((word & kInfinity) == kInfinity) {
        return value;
    }
    const std::uint32_t half = (1U << (bits - 1)) - 1 + (word >> bits & 1U);
    return std::bit_cast<float>((word + half) & ~((1U << bits) - 1));
}

float from_half(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
    const std::uint32_t exponent = bits >> 10 & 0x1FU;
    const std::uint32_t mantissa = bits & 0x3FFU;
    if (exponent == 0) {
        const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 0x1F ? 0xFFU : exponent + 112;
    return std::bit_cast<float>(sign | wide << 23 | mantissa << 13);
}

std::uint16_t to_half(float value) {
    constexpr float kLargest = 65504;
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const float magnitude = std::fabs(value);
    if (std::isnan(value)) {
        return static_cast<std::uint16_t>(sign | 0x7E00);
    }
    if (magnitude > kLargest) {
        return static_cast<std::uint16_t>(sign | (std::isinf(value) ? 0x7C00 : 0x7BFF));
    }
    constexpr float kSmallestNormal = 0x1p-14F;
    if (magnitude < kSmallestNormal) {
        return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::lrint(std::ldexp(magnitude, 24))));
    }
    const auto word = std::bit_cast<std::uint32_t>(without_low_bits(magnitude, 13));
    return static_cast<std::uint16_t>(sign | ((word >> 13) - (112U << 10)));
}

/// Calls `act(no word, value of a word, word of a value)` for a format that has a number in L1 for each value. Loops
/// over values are within `act`, where the size of a word is known.
template <typename Act>
void with_numbers(TileFormat format, const Act& act) {
    const auto bits = [](auto word) { return std::bit_cast<float>(std::uint32_t{word}); };
    const auto word = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    if (format == TileFormat::float16) {
        act(std::uint16_t{}, from_half, to_half);
    } else if (format == TileFormat::float16_b) {
        act(
            std::uint16_t{}, [](std::uint16_t half) { return std::bit_cast<float>(std::uint32_t{half} << 16); },
            [](float value) { return std::bit_cast<std::uint32_t>(rounded_to_bfloat16(value)) >> 16; });
    } else if (value_bytes(format) == sizeof(std::uint32_t)) {
        act(std::uint32_t{}, bits, word);
    } else if (value_bytes(format) == sizeof(std::uint16_t)) {
        act(std::uint16_t{}, bits, word);
    } else {
        act(std::uint8_t{}, bits, word);
    }
}

/// Returns the bytes of all exponents of a tile in a block format.
std::size_t exponent_bytes(std::size_t rows) { return std::max(rows * kTileSide / kBlock, kExponentBytesMin); }

/// Calls `act(first value of a row of a face)` in the order of tiles in L1.
template <typename Act>
void for_each_face_row(std::size_t rows, const Act& act) {
    const std::size_t face_rows = std::min(rows, kFaceSide);
    for (std::size_t above = 0; above < rows; above += face_rows) {
        for (std::size_t left = 0; left < kTileSide; left += kFaceSide) {
            for (std::size_t row = 0; row < face_rows; ++row) {
                act((above + row) * kTileSide + left);
            }
        }
    }
}

std::byte shared_exponent(std::span<const float> block, int bias) {
    int largest = 0;
    for (const float value : block) {
        if (value != 0 && std::isfinite(value)) {
            largest = std::max(largest, std::clamp(std::ilogb(value) + bias, 0, 2 * bias + 1));
        }
    }
    return static_cast<std::byte>(largest);
}

}  // namespace

std::optional<TileFormat> tile_format(std::uint32_t number) {
    const auto* const found =
        std::ranges::find(kNames, number, [](const auto& format) { return static_cast<std::uint32_t>(format.first); });
    return found == kNames.end() ? std::nullopt : std::optional(found->first);
}

std::string_view to_string(TileFormat format) {
    return std::ranges::find(kNames, format, [](const auto& named) { return named.first; })->second;
}

bool is_integer(TileFormat format) {
    return format == TileFormat::int32 || format == TileFormat::uint32 || format == TileFormat::uint16 ||
           format == TileFormat::int8 || format == TileFormat::uint8;
}

std::size_t value_bytes(TileFormat format) {
    switch (format) {
        case TileFormat::float32:
        case TileFormat::tf32:
        case TileFormat::int32:
        case TileFormat::uint32:
            return 4;
        case TileFormat::float16:
        case TileFormat::float16_b:
        case TileFormat::uint16:
            return 2;
        case TileFormat::bfp8:
        case TileFormat::bfp8_b:
        case TileFormat::bfp4:
        case TileFormat::bfp4_b:
            return 0;
        default:
            return 1;
    }
}

std::size_t tile_bytes(TileInL1 stored) {
    const auto [format, rows] = stored;
    const auto bits = static_cast<std::size_t>(mantissa_bits(format));
    const std::size_t count = rows * kTileSide;
    return bits == 0 ? count * value_bytes(format) : exponent_bytes(rows) + count * (bits + 1) / 8;
}

void read_values(std::span<const std::byte> bytes, TileFormat format, std::span<float> values) {
    with_numbers(format, [&](auto word, const auto& value_of, const auto&) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::memcpy(&word, &bytes[i * sizeof(word)], sizeof(word));
            values[i] = value_of(word);
        }
    });
}

void write_values(std::span<const float> values, TileFormat format, std::span<std::byte> bytes) {
    with_numbers(format, [&](auto word, const auto&, const auto& word_of) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            word = static_cast<decltype(word)>(word_of(values[i]));
            std::memcpy(&bytes[i * sizeof(word)], &word, sizeof(word));
        }
    });
}

void read_tile(std::span<const std::byte> bytes, TileInL1 stored, TileValues& values) {
    const auto [format, rows] = stored;
    const int bits = mantissa_bits(format);
    const std::size_t first_number = exponent_bytes(rows);
    std::size_t block = 0;
    for_each_face_row(rows, [&](std::size_t first) {
        const std::span<float> row = std::span(values).subspan(first, kBlock);
        if (bits == 0) {
            const std::size_t size = value_bytes(format) * kBlock;
            read_values(bytes.subspan(block * size, size), format, row);
        } else {
            const float unit =
                std::ldexp(1.0F, std::to_integer<int>(bytes[block]) - exponent_bias(format) - (bits - 1));
            for (std::size_t i = 0; i < kBlock; ++i) {
                const std::size_t at = block * kBlock + i;
                const auto byte = std::to_integer<std::uint32_t>(bytes[first_number + (bits == 7 ? at : at / 2)]);
                const std::uint32_t number = bits == 7 ? byte : byte >> (4 * (at % 2)) & 0xFU;
                const auto magnitude = static_cast<float>(number & ((1U << bits) - 1));
                row[i] = ((number >> bits & 1U) != 0 ? -magnitude : magnitude) * unit;
            }
        }
        ++block;
    });
}

void write_tile(const TileValues& values, TileInL1 stored, std::span<std::byte> bytes) {
    const auto [format, rows] = stored;
    const int bits = mantissa_bits(format);
    const std::size_t first_number = exponent_bytes(rows);
    std::size_t block = 0;
    for_each_face_row(rows, [&](std::size_t first) {
        const std::span<const float> row = std::span(values).subspan(first, kBlock);
        if (bits == 0) {
            const std::size_t size = value_bytes(format) * kBlock;
            write_values(row, format, bytes.subspan(block * size, size));
        } else {
            bytes[block] = shared_exponent(row, exponent_bias(format));
            const float unit =
                std::ldexp(1.0F, std::to_integer<int>(bytes[block]) - exponent_bias(format) - (bits - 1));
            for (std::size_t i = 0; i < kBlock; ++i) {
                const std::size_t at = block * kBlock + i;
                const auto largest = static_cast<float>((1U << bits) - 1);
                const float magnitude = std::min(std::nearbyint(std::fabs(row[i]) / unit), largest);
                auto number = static_cast<std::uint32_t>(magnitude);
                if (number != 0 && std::signbit(row[i])) {
                    number |= 1U << bits;
                }
                std::byte& byte = bytes[first_number + (bits == 7 ? at : at / 2)];
                if (bits == 7 || at % 2 == 0) {
                    byte = static_cast<std::byte>(number);
                } else {
                    byte |= static_cast<std::byte>(number << 4);
                }
            }
        }
        ++block;
    });
}

namespace {

/// Returns the index of a tile's first value in a matrix that is stored row by row.
std::size_t first_of_tile(std::size_t tile, std::size_t columns) {
    const std::size_t in_row = columns / kTileSide;
    return tile / in_row * kTileSide * columns + tile % in_row * kTileSide;
}

void require_whole_tiles(std::size_t count, std::size_t columns) {
    if (columns == 0 || columns % kTileSide != 0 || count % (columns * kTileSide) != 0) {
        throw InputError(fmt::format("expected rows and columns in multiples of {}, found {} columns of {} values",
                                     kTileSide, columns, count));
    }
}

}  // namespace

std::vector<std::byte> tiles_of(std::span<const float> values, std::size_t columns, TileFormat format) {
    require_whole_tiles(values.size(), columns);
    const std::size_t count = values.size() / kTileValues;
    std::vector<std::byte> tiles(count * tile_bytes(format));
    for (std::size_t tile = 0; tile < count; ++tile) {
        TileValues its;
        for (std::size_t row = 0; row < kTileSide; ++row) {
            std::ranges::copy(values.subspan(first_of_tile(tile, columns) + row * columns, kTileSide),
                              &its[row * kTileSide]);
        }
        write_tile(its, format, std::span(tiles).subspan(tile * tile_bytes(format), tile_bytes(format)));
    }
    return tiles;
}

std::vector<float> values_of(std::span<const std::byte> tiles, std::size_t columns, TileFormat format) {
    const std::size_t count = tiles.size() / tile_bytes(format);
    if (tiles.size() % tile_bytes(format) != 0) {
        throw InputError(
            fmt::format("expected whole tiles of {} bytes, found {} bytes", tile_bytes(format), tiles.size()));
    }
    require_whole_tiles(count * kTileValues, columns);
    std::vector<float> values(count * kTileValues);
    for (std::size_t tile = 0; tile < count; ++tile) {
        TileValues its;
        read_tile(tiles.subspan(tile * tile_bytes(format), tile_bytes(format)), format, its);
        for (std::size_t row = 0; row < kTileSide; ++row) {
            std::ranges::copy(std::span(its).subspan(row * kTileSide, kTileSide),
                              &values[first_of_tile(tile, columns) + row * columns]);
        }
    }
    return values;
}

float rounded_to_bfloat16(float value) { return without_low_bits(value, 16); }
float rounded_to_tf32(float value) { return without_low_bits(value, 13); }

}  // namespace nocbench
