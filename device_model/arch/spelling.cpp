#include "device_model/arch/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace nocbench {

namespace {

/// Returns the minimum number of characters to insert, delete or replace (Levenshtein distance), row by row.
std::size_t edit_distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
    // Up to a third of wrong characters counts as a typing mistake.
    std::size_t closest = std::max<std::size_t>(1, name.size() / 3) + 1;
    const std::string* suggestion = nullptr;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < closest) {
            closest = distance;
            suggestion = &candidate;
        }
    }
    return suggestion == nullptr ? std::string{} : fmt::format(" (did you mean {}?)", *suggestion);
}

}  // namespace nocbench
