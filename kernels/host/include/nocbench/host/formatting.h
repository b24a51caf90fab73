// Text of values in messages.
#pragma once

#include <fmt/core.h>

#include <string>

namespace tt::host {

/// Base of formatters of values that are written as values of other types, with the options of those. It does without
/// <fmt/format.h>, which takes longer to compile than all headers of nocbench.
class FormattedAs {
public:
    constexpr auto parse(fmt::format_parse_context& context) {
        begin_ = context.begin();
        end_ = begin_;
        while (end_ != context.end() && *end_ != '}') {
            ++end_;
        }
        return end_;
    }

protected:
    template <typename Value, typename Context>
    auto write(const Value& value, Context& context) const {
        return fmt::vformat_to(context.out(), "{:" + std::string(begin_, end_) + "}", fmt::make_format_args(value));
    }

private:
    const char* begin_ = nullptr;
    const char* end_ = nullptr;
};

}  // namespace tt::host
