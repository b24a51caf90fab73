#include "kernels/tensix/tensor_layout.h"

#include <functional>
#include <numeric>

namespace nocbench {

namespace {

std::uint32_t product(const std::vector<std::uint32_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::uint32_t{1}, std::multiplies<>());
}

std::uint32_t ceil_div(std::uint32_t value, std::uint32_t divisor) { return (value + divisor - 1) / divisor; }

}  // namespace

std::vector<PagePlace> TensorLayout::places() const {
    std::vector<PagePlace> places(product(tensor));
    for (std::uint32_t page = 0; page < places.size(); ++page) {
        if (shard.empty()) {
            places[page] = {page % num_banks, page / num_banks};
            continue;
        }
        std::uint32_t rest = page;
        std::uint32_t its_shard = 0;
        std::uint32_t shard_stride = 1;
        std::uint32_t place = 0;
        std::uint32_t place_stride = 1;
        for (std::size_t dimension = tensor.size(); dimension-- > 0;) {
            const std::uint32_t coordinate = rest % tensor[dimension];
            rest /= tensor[dimension];
            its_shard += coordinate / shard[dimension] * shard_stride;
            shard_stride *= ceil_div(tensor[dimension], shard[dimension]);
            place += coordinate % shard[dimension] * place_stride;
            place_stride *= shard[dimension];
        }
        places[page] = {its_shard % num_banks, its_shard / num_banks * place_stride + place};
    }
    return places;
}

std::uint32_t TensorLayout::rows_per_bank() const {
    if (shard.empty()) {
        return ceil_div(product(tensor), num_banks);
    }
    std::uint32_t num_shards = 1;
    for (std::size_t dimension = 0; dimension < tensor.size(); ++dimension) {
        num_shards *= ceil_div(tensor[dimension], shard[dimension]);
    }
    return ceil_div(num_shards, num_banks) * product(shard);
}

std::vector<std::uint32_t> TensorLayout::accessor_words(bool is_dram, std::span<const std::uint32_t> banks) const {
    constexpr std::uint32_t kSharded = 1;
    constexpr std::uint32_t kInDram = 2;
    constexpr unsigned kBitsOfBank = 16;
    std::vector<std::uint32_t> words{(is_dram ? kInDram : 0) | (shard.empty() ? 0 : kSharded)};
    if (shard.empty()) {
        return words;
    }
    words.push_back(static_cast<std::uint32_t>(tensor.size()));
    words.push_back(static_cast<std::uint32_t>(banks.size()));
    words.insert(words.end(), tensor.begin(), tensor.end());
    words.insert(words.end(), shard.begin(), shard.end());
    for (std::size_t index = 0; index < banks.size(); index += 2) {
        words.push_back(banks[index] | (index + 1 < banks.size() ? banks[index + 1] << kBitsOfBank : 0));
    }
    return words;
}

}  // namespace nocbench
