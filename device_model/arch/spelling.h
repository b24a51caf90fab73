// Help for people who mistyped a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nocbench {

/// " (did you mean NAME?)" with the candidate that is spelled most like `name`, or nothing if none comes close.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace nocbench
