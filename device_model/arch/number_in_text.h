// Numbers in the text of parameters and of architecture files.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace nocbench {

/// Returns the number that the whole of `text` represents, if any.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace nocbench
