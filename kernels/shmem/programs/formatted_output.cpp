#include "kernels/shmem/programs/formatted_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

#include "device_model/sim/error.h"

namespace nocbench::shmem {

namespace {

// Limit of a width. Wider fields come from invalid values.
constexpr std::int32_t kWidthMax = 1 << 16;
constexpr std::string_view kFlags = "-+ #0'";

struct Directive {
    std::string text;  // original text, for messages
    std::string flags;
    std::optional<std::int32_t> width;
    std::optional<std::int32_t> precision;
    std::string length;
    char conversion = '\0';
};

class Formatter {
public:
    Formatter(Guest& guest, std::string_view format, GuestCall& call) : guest_(guest), rest_(format), call_(call) {}

    std::string text() {
        while (!rest_.empty()) {
            const std::size_t plain = std::min(rest_.find('%'), rest_.size());
            out_ += rest_.substr(0, plain);
            rest_.remove_prefix(plain);
            if (!rest_.empty()) {
                append(next_directive());
            }
        }
        return std::move(out_);
    }

private:
    [[nodiscard]] bool next_is(std::string_view any) const {
        return !rest_.empty() && any.find(rest_.front()) != std::string_view::npos;
    }

    char take() {
        const char character = rest_.front();
        rest_.remove_prefix(1);
        return character;
    }

    Directive next_directive() {
        const std::string_view whole = rest_;
        rest_.remove_prefix(1);
        Directive directive;
        while (next_is(kFlags)) {
            directive.flags += take();
        }
        directive.width = number();
        if (const int width = directive.width.value_or(0); width < 0) {  // possible only by `*`
            directive.flags += '-';
            directive.width = -width;
        }
        if (next_is(".")) {
            take();
            directive.precision = number().value_or(0);
            if (*directive.precision < 0) {
                directive.precision.reset();
            }
        }
        while (next_is("hlLqjzt")) {
            directive.length += take();
        }
        if (!rest_.empty()) {
            directive.conversion = take();
        }
        directive.text = whole.substr(0, whole.size() - rest_.size());
        if (directive.width.value_or(0) > kWidthMax || directive.precision.value_or(0) > kWidthMax) {
            throw KernelError(fmt::format("expected a width and precision of at most {} in '{}', found more", kWidthMax,
                                          directive.text));
        }
        return directive;
    }

    /// Parses a width or precision, or takes it from the arguments for `*`.
    std::optional<std::int32_t> number() {
        if (next_is("*")) {
            take();
            const auto value = static_cast<std::int32_t>(call_.variadic_word());
            return value == std::numeric_limits<std::int32_t>::min() ? kWidthMax + 1 : value;
        }
        if (!next_is("0123456789")) {
            return std::nullopt;
        }
        std::int32_t value = 0;
        while (next_is("0123456789")) {
            value = std::min(value * 10 + (take() - '0'), kWidthMax + 1);
        }
        return value;
    }

    void append(const Directive& directive) {
        switch (directive.conversion) {
            case '%':
                out_ += '%';
                return;
            case 'd':
            case 'i':
                print(directive, "ll", static_cast<long long>(signed_value(directive)));
                return;
            case 'u':
            case 'o':
            case 'x':
            case 'X':
                print(directive, "ll", static_cast<unsigned long long>(unsigned_value(directive)));
                return;
            case 'c':
                print(directive, "", static_cast<int>(static_cast<unsigned char>(call_.variadic_word())));
                return;
            case 's':
                append_text(directive);
                return;
            case 'p':
                append_pointer(directive);
                return;
            case 'n':
                store_length(directive);
                return;
            case 'a':
            case 'A':
            case 'e':
            case 'E':
            case 'f':
            case 'F':
            case 'g':
            case 'G':
                append_real(directive);
                return;
            default:
                throw KernelError(fmt::format("expected a conversion behind '%', found '{}'", directive.text));
        }
    }

    void append_real(const Directive& directive) {
        if (directive.length == "L") {
            print(directive, "L", quad_at(call_.variadic_word()));
        } else if (directive.length.empty() || directive.length == "l") {
            print(directive, "", std::bit_cast<double>(call_.variadic_dword()));
        } else {
            throw_length(directive);
        }
    }

    void append_text(const Directive& directive) {
        if (!directive.length.empty()) {
            throw_length(directive);
        }
        const Address address = call_.variadic_word();
        const auto longest = directive.precision ? static_cast<std::size_t>(*directive.precision) : SIZE_MAX;
        const std::string text = address == 0 ? "(null)" : guest_.text_at(address, longest);
        pad(directive, text);
    }

    void append_pointer(const Directive& directive) { pad(directive, fmt::format("0x{:x}", call_.variadic_word())); }

    void pad(const Directive& directive, const std::string& text) {
        const auto width = static_cast<std::size_t>(directive.width.value_or(0));
        const std::string blanks(width > text.size() ? width - text.size() : 0, ' ');
        const bool is_left = directive.flags.find('-') != std::string::npos;
        out_ += is_left ? text + blanks : blanks + text;
    }

    void store_length(const Directive& directive) {
        const auto length = static_cast<std::uint64_t>(out_.size());
        const std::size_t bytes = bytes_of(directive);
        std::array<std::byte, sizeof(length)> value{};
        std::memcpy(value.data(), &length, sizeof(length));
        guest_.poke(call_.variadic_word(), std::span(value).first(bytes));
    }

    [[nodiscard]] static std::size_t bytes_of(const Directive& directive) {
        const std::string_view length = directive.length;
        if (length == "hh") {
            return 1;
        }
        if (length == "h") {
            return 2;
        }
        if (length == "ll" || length == "j" || length == "q" || length == "L") {
            return 8;
        }
        if (length.empty() || length == "l" || length == "z" || length == "t") {
            return 4;
        }
        throw_length(directive);
    }

    std::uint64_t unsigned_value(const Directive& directive) {
        switch (bytes_of(directive)) {
            case 1:
                return static_cast<std::uint8_t>(call_.variadic_word());
            case 2:
                return static_cast<std::uint16_t>(call_.variadic_word());
            case 4:
                return call_.variadic_word();
            default:
                return call_.variadic_dword();
        }
    }

    std::int64_t signed_value(const Directive& directive) {
        switch (bytes_of(directive)) {
            case 1:
                return static_cast<std::int8_t>(call_.variadic_word());
            case 2:
                return static_cast<std::int16_t>(call_.variadic_word());
            case 4:
                return static_cast<std::int32_t>(call_.variadic_word());
            default:
                return static_cast<std::int64_t>(call_.variadic_dword());
        }
    }

    /// Returns the nearest value of the host's type.
    [[nodiscard]] long double quad_at(Address address) const {
        constexpr int kFractionBits = 112;
        constexpr int kBias = 16383;
        constexpr std::uint32_t kExponents = 0x7FFF;
        std::array<std::uint64_t, 2> halves{};  // low half first, on both core and host
        guest_.peek(address, std::as_writable_bytes(std::span(halves)));
        const auto exponent = static_cast<std::uint32_t>(halves[1] >> 48U) & kExponents;
        const std::uint64_t high = halves[1] & ((std::uint64_t{1} << 48U) - 1);
        const long double sign = halves[1] >> 63U != 0 ? -1.0L : 1.0L;
        if (exponent == kExponents) {
            const bool is_infinite = high == 0 && halves[0] == 0;
            return std::copysign(is_infinite ? std::numeric_limits<long double>::infinity()
                                             : std::numeric_limits<long double>::quiet_NaN(),
                                 sign);
        }
        const std::uint64_t leading = exponent == 0 ? 0 : std::uint64_t{1} << 48U;
        const int scale = static_cast<int>(exponent == 0 ? 1 : exponent) - kBias - kFractionBits;
        const long double upper = std::ldexp(static_cast<long double>(leading | high), scale + 64);
        return std::copysign(upper + std::ldexp(static_cast<long double>(halves[0]), scale), sign);
    }

    [[noreturn]] static void throw_length(const Directive& directive) {
        throw KernelError(fmt::format("expected a length that goes with '{}', found '{}' in '{}'", directive.conversion,
                                      directive.length, directive.text));
    }

    /// Prints a value as on the host, with the host's length modifier.
    void print(const Directive& directive, std::string_view length, auto value) {
        const bool has_precision = directive.precision.has_value();
        const std::string format =
            fmt::format("%{}*{}{}{}", directive.flags, has_precision ? ".*" : "", length, directive.conversion);
        const int width = directive.width.value_or(0);
        const auto printed = [&](char* into, std::size_t size) {
        // NOLINTBEGIN(cppcoreguidelines-pro-type-vararg): no other function does all that printf does.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            const int count = has_precision
                                  ? std::snprintf(into, size, format.c_str(), width, *directive.precision, value)
                                  : std::snprintf(into, size, format.c_str(), width, value);
#pragma GCC diagnostic pop
            // NOLINTEND(cppcoreguidelines-pro-type-vararg)
            return static_cast<std::size_t>(std::max(count, 0));
        };
        const std::size_t before = out_.size();
        const std::size_t size = printed(nullptr, 0);
        out_.resize(before + size + 1);
        printed(out_.data() + before, size + 1);
        out_.resize(before + size);
    }

    Guest& guest_;
    std::string_view rest_;
    GuestCall& call_;
    std::string out_;
};

}  // namespace

std::string formatted(Guest& guest, std::string_view format, GuestCall& call) {
    return Formatter(guest, format, call).text();
}

}  // namespace nocbench::shmem
