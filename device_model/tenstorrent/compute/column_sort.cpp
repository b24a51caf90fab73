#include "device_model/tenstorrent/compute/column_sort.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace nocbench {

namespace {

struct Entry {
    float value;
    float index;
};
using Column = std::array<Entry, kColumnValues>;

/// Returns a number in the order of values, and of their bits where these are not the bits of a number.
std::int32_t rank(float value) {
    constexpr std::uint32_t kMagnitude = 0x7FFFFFFF;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto magnitude = static_cast<std::int32_t>(bits & kMagnitude);
    return bits > kMagnitude ? -magnitude : magnitude;
}

/// Order of entries.
struct Before {
    bool ascending;
    Ties ties;

    bool operator()(const Entry& one, const Entry& other) const {
        const auto& [left, right] = ascending ? std::pair(other, one) : std::pair(one, other);
        if (rank(left.value) != rank(right.value)) {
            return rank(left.value) > rank(right.value);
        }
        const auto left_index = std::bit_cast<std::uint32_t>(left.index);
        const auto right_index = std::bit_cast<std::uint32_t>(right.index);
        return ties == Ties::any             ? false
               : ties == Ties::smaller_index ? left_index < right_index
                                             : left_index > right_index;
    }
};

/// Calls `act(column)` for all columns of the tiles, which it changes.
template <typename Act>
void for_each_column(const SortedTiles& tiles, const Act& act) {
    for (std::size_t number = 0; number < kTileSide; ++number) {
        Column column{};
        const auto place = [number](std::size_t row) { return row % kTileSide * kTileSide + number; };
        for (std::size_t row = 0; row < kColumnValues; ++row) {
            const std::size_t half = row / kTileSide;
            column[row] = {(*tiles[half])[place(row)], (*tiles[2 + half])[place(row)]};
        }
        act(column);
        for (std::size_t row = 0; row < kColumnValues; ++row) {
            const std::size_t half = row / kTileSide;
            (*tiles[2 + half])[place(row)] = column[row].index;
            (*tiles[half])[place(row)] = column[row].value;
        }
    }
}

}  // namespace

void sort_runs(const SortedTiles& tiles, const ColumnRuns& runs, bool ascending, Ties ties) {
    for_each_column(tiles, [&](Column& column) {
        for (std::size_t run = 0; run < runs.count; ++run) {
            std::ranges::stable_sort(std::span(column).subspan(run * runs.stride, runs.length),
                                     Before{ascending != (run % 2 == 1), ties});
        }
    });
}

void merge_runs(const SortedTiles& tiles, const ColumnRuns& runs, bool ascending, Ties ties) {
    const Before before{ascending, ties};
    for_each_column(tiles, [&](Column& column) {
        for (std::size_t run = 0; run < runs.count; ++run) {
            for (std::size_t i = run * runs.stride; i < run * runs.stride + runs.length; ++i) {
                if (Entry& other = column[i + runs.stride / 2]; before(other, column[i])) {
                    std::swap(column[i], other);
                }
            }
        }
    });
}

}  // namespace nocbench
