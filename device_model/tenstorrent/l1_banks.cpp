#include "device_model/tenstorrent/l1_banks.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace nocbench {

namespace {

/// Generator "minimal standard" of Park and Miller: std::default_random_engine(0) of libstdc++, whose seed 0 means 1.
class MinimalStandard {
public:
    /// Returns a number from 0 to `limit` - 1, as std::uniform_int_distribution of libstdc++ draws it.
    std::uint64_t below(std::uint64_t limit) {
        constexpr std::uint64_t kNumValues = kModulus - 2;  // one less than there are, as in libstdc++
        const std::uint64_t values_per_result = kNumValues / limit;
        std::uint64_t value = 0;
        do {
            state_ = state_ * kMultiplier % kModulus;
            value = state_ - 1;
        } while (value >= limit * values_per_result);
        return value / values_per_result;
    }

private:
    static constexpr std::uint64_t kModulus = (std::uint64_t{1} << 31) - 1;
    static constexpr std::uint64_t kMultiplier = 16807;
    std::uint64_t state_ = 1;
};

/// Returns 0 to `size` - 1, shuffled as std::shuffle of libstdc++ does it: one number is drawn for two swaps.
std::vector<std::size_t> shuffled_numbers(std::size_t size) {
    std::vector<std::size_t> numbers(size);
    std::iota(numbers.begin(), numbers.end(), 0);
    MinimalStandard random;
    std::size_t next = 1;
    if (size > 1 && size % 2 == 0) {
        std::swap(numbers[next], numbers[random.below(2)]);
        ++next;
    }
    for (; next < size; next += 2) {
        const std::size_t drawn = random.below((next + 1) * (next + 2));
        std::swap(numbers[next], numbers[drawn / (next + 2)]);
        std::swap(numbers[next + 1], numbers[drawn % (next + 2)]);
    }
    return numbers;
}

}  // namespace

std::vector<LogicalCoordinate> cores_of_l1_banks(const Grid& grid) {
    const int columns = grid.compute_columns();
    const std::vector<std::size_t> bank_of_core =
        shuffled_numbers(static_cast<std::size_t>(columns) * static_cast<std::size_t>(grid.compute_rows()));
    std::vector<LogicalCoordinate> cores(bank_of_core.size());
    for (std::size_t core = 0; core < cores.size(); ++core) {
        const int number = static_cast<int>(core);
        cores[bank_of_core[core]] = {.x = number % columns, .y = number / columns};
    }
    return cores;
}

}  // namespace nocbench
