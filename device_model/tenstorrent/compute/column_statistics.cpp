#include "device_model/tenstorrent/compute/column_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "device_model/sim/error.h"

namespace nocbench {

namespace {

constexpr std::size_t kSlotRows = 4;
constexpr std::uint32_t kSlots = 16;
constexpr std::size_t kRowsAtOnce = 4;

float float_of(std::uint32_t word) { return std::bit_cast<float>(word); }

/// Returns where a slot has the value of a column: four rows of a face, in every second column.
std::size_t place_in_slot(std::size_t slot, std::size_t column) {
    const std::size_t row = kSlotRows * slot + column / kFaceSide * 2 + column % 2;
    const std::size_t face = row / kFaceSide;
    return (face / 2 * kFaceSide + row % kFaceSide) * kTileSide + face % 2 * kFaceSide + column % kFaceSide / 2 * 2;
}

template <typename Row>
void write_slot(TileValues& tile, std::size_t slot, const Row& row) {
    for (std::size_t column = 0; column < kTileSide; ++column) {
        tile[place_in_slot(slot, column)] = row[column];
    }
}

template <typename Row>
void read_slot(const TileValues& tile, std::size_t slot, Row& row) {
    for (std::size_t column = 0; column < kTileSide; ++column) {
        row[column] = tile[place_in_slot(slot, column)];
    }
}

/// Writes a row, and zeros to the three below it.
template <typename Row>
void write_row(TileValues& tile, std::size_t row, const Row& values) {
    float* const begin = &tile[row * kTileSide];
    std::fill_n(std::ranges::copy(values, begin).out, (kSlotRows - 1) * kTileSide, 0.0F);
}

}  // namespace

bool has_rows(StatisticsStep step) {
    return step == StatisticsStep::add_rows || step == StatisticsStep::shift_rows ||
           step == StatisticsStep::square_rows;
}

std::uint32_t tiles_of(StatisticsStep step) {
    switch (step) {
        case StatisticsStep::clear:
        case StatisticsStep::end_first_pass:
            return 0;
        case StatisticsStep::save_anchor:
        case StatisticsStep::restore_anchor:
            return 1;
        case StatisticsStep::end_in_one:
            return 3;  // the third in between
        default:
            return has_rows(step) ? 1 : 2;
    }
}

StatisticsStep statistics_step(const ComputeCommand& command) {
    const std::uint32_t number = command.flags & kStatisticsMask;
    if (number > static_cast<std::uint32_t>(StatisticsStep::end_in_one)) {
        throw InputError(fmt::format("statistics of columns: expected a step that is modeled, found {}", number));
    }
    const auto step = static_cast<StatisticsStep>(number);
    if (has_rows(step)) {
        const RowRange rows(command.words[1]);
        if (rows.first + rows.count > kTileSide) {
            throw InputError(fmt::format("statistics of columns: expected rows of a tile of {}, found {} from row {}",
                                         kTileSide, rows.count, rows.first));
        }
        if (step == StatisticsStep::add_rows && rows.count > kRowsAtOnce) {
            throw InputError(
                fmt::format("statistics of columns: expected up to {} rows, found {}", kRowsAtOnce, rows.count));
        }
    }
    const bool has_slot = step == StatisticsStep::save || step == StatisticsStep::restore ||
                          step == StatisticsStep::save_anchor || step == StatisticsStep::restore_anchor ||
                          step == StatisticsStep::end_in_slot || step == StatisticsStep::end_in_one;
    if (has_slot && command.words[1] >= kSlots) {
        throw InputError(fmt::format("statistics of columns: expected a group from 0 to {}, found {}", kSlots - 1,
                                     command.words[1]));
    }
    return step;
}

void ColumnStatistics::take(StatisticsStep step, bool flag, std::span<const std::uint32_t> words, TileValues& first,
                            TileValues& second) {
    const std::size_t slot = words[0];
    const auto variance = [&](std::uint32_t reciprocal) {
        Row result = sum_;
        std::ranges::for_each(result, [&](float& value) { value *= float_of(reciprocal); });
        return result;
    };
    const auto each_value = [&](const auto& use) {
        const RowRange rows(words[0]);
        for (std::size_t row = 0; row < rows.count; ++row) {
            for (std::size_t column = 0; column < kTileSide; ++column) {
                use(first[(rows.first + row) * kTileSide + column], row, column);
            }
        }
    };
    switch (step) {
        case StatisticsStep::clear:
            mean_.fill(0);
            sum_.fill(0);
            return;
        case StatisticsStep::add_rows:
            each_value([&](float value, std::size_t row, std::size_t column) {
                const float before = value - mean_[column];
                mean_[column] += before * float_of(words[1 + row]);
                sum_[column] += before * (value - mean_[column]);
            });
            return;
        case StatisticsStep::shift_rows:
            if (flag) {
                const std::size_t row = RowRange(words[0]).first;
                std::copy_n(&first[row * kTileSide], kTileSide, mean_.begin());
                sum_.fill(0);
            }
            each_value(
                [&](float value, std::size_t /*row*/, std::size_t column) { sum_[column] += value - mean_[column]; });
            return;
        case StatisticsStep::square_rows:
            each_value([&](float value, std::size_t /*row*/, std::size_t column) {
                const float rest = value - mean_[column];
                sum_[column] += rest * rest;
            });
            return;
        case StatisticsStep::end_first_pass:
            anchor_ = mean_;
            for (std::size_t column = 0; column < kTileSide; ++column) {
                mean_[column] += sum_[column] * float_of(words[0]);
            }
            sum_.fill(0);
            return;
        case StatisticsStep::save:
            write_slot(first, slot, mean_);
            write_slot(second, slot, sum_);
            return;
        case StatisticsStep::restore:
            read_slot(first, slot, mean_);
            read_slot(second, slot, sum_);
            return;
        case StatisticsStep::save_anchor:
            write_slot(first, slot, anchor_);
            return;
        case StatisticsStep::restore_anchor:
            read_slot(first, slot, anchor_);
            return;
        case StatisticsStep::merge: {
            // Source: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample
            // variances", 1979.
            const float count = float_of(words[1]);
            const float share = count * float_of(words[0]);
            Row mean{};
            Row sum{};
            read_slot(first, 0, mean);
            read_slot(second, 0, sum);
            for (std::size_t column = 0; column < kTileSide; ++column) {
                const float apart = mean_[column] - mean[column];
                mean_[column] = mean[column] + apart * share;
                sum_[column] += sum[column] + apart * apart * count * (1 - share);
            }
            write_slot(first, 0, mean_);
            write_slot(second, 0, sum_);
            return;
        }
        case StatisticsStep::end_in_row:
            if (flag) {
                write_row(first, 0, mean_);
            }
            write_row(second, 0, variance(words[0]));
            return;
        case StatisticsStep::end_in_halves: {
            Row apart{};
            std::ranges::transform(anchor_, mean_, apart.begin(), std::minus<>());
            write_row(first, 0, anchor_);
            write_row(first, kFaceSide, apart);
            write_row(second, 0, variance(words[0]));
            return;
        }
        case StatisticsStep::end_in_slot:
            write_slot(first, slot, mean_);
            write_slot(second, slot, variance(words[1]));
            return;
        case StatisticsStep::end_in_one: {
            const Row of_columns = variance(words[1]);
            float mean = 0;
            for (const float value : mean_) {
                mean += value / kTileSide;
            }
            float sum = 0;
            for (std::size_t column = 0; column < kTileSide; ++column) {
                sum += of_columns[column] + (mean_[column] - mean) * (mean_[column] - mean);
            }
            Row row{};
            row.fill(mean);
            write_slot(first, slot, row);
            row.fill(flag ? sum / kTileSide : sum);
            write_slot(second, slot, row);
            return;
        }
    }
}

}  // namespace nocbench
