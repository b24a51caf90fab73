// Suggestions for mistyped names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nocbench {

/// Returns " (did you mean NAME?)" with the candidate most similar to `name`, or nothing if none is close.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace nocbench
