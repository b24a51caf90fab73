// Arithmetic on whole tiles, in single precision.
#pragma once

#include <cstdint>
#include <span>

#include "device_model/tenstorrent/compute/tile_values.h"

namespace nocbench {

/// Part of a tile that is repeated over the whole one. Numbers are those of tt-metal's BroadcastType.
enum class Broadcast : std::uint8_t { none, column, row, scalar };

/// Way in which values are joined into one. Numbers are those of tt-metal's PoolType.
enum class Pooling : std::uint8_t { sum, average, maximum, minimum };

/// Values that a reduction joins: those of a row, of a column, or all. Numbers are those of tt-metal's ReduceDim.
enum class ReducedDimension : std::uint8_t { row, column, scalar };

enum class Arithmetic : std::uint8_t { add, subtract, multiply };

/// Adds the product of two tiles to `result`.
void add_product(const TileValues& left, const TileValues& right, TileValues& result);

/// Makes rows columns.
void transpose(TileValues& values);

/// Repeats a row, a column or the first value of a tile.
void broadcast(TileValues& values, Broadcast kind, std::size_t repeated = 0);

/// Sets `result`, or adds to it.
void combine(const TileValues& left, const TileValues& right, Arithmetic arithmetic, bool adds, TileValues& result);

/// Multiplies the values of a tile by those of another one, as reductions do. The first row of each of its faces has
/// the factors of the face's columns, or of its rows if columns are reduced. A reduction to one value has two steps,
/// each with the first factor.
void scale(TileValues& values, const TileValues& factors, ReducedDimension dimension);

/// Joins the values of a tile's rows, times a factor, with the first row, the first column or the first value of
/// `result`. Sums and averages are added; the factor of an average is its divisor.
void reduce(std::span<const float> values, float factor, Pooling pool, ReducedDimension dimension, TileValues& result);

}  // namespace nocbench
