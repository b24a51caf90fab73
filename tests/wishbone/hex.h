// Bytes in tests as hexadecimal digits, with optional spaces.
#pragma once

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "device_model/wishbone/etherbone_codec.h"

namespace nocbench::wishbone::test {

inline Bytes from_hex(std::string_view digits) {
    Bytes bytes;
    unsigned value = 0;
    bool is_second = false;
    for (const char digit : digits) {
        if (std::isxdigit(static_cast<unsigned char>(digit)) == 0) {
            continue;
        }
        const int lower = std::tolower(static_cast<unsigned char>(digit));
        value = value << 4U | static_cast<unsigned>(lower <= '9' ? lower - '0' : lower - 'a' + 10);
        if (is_second) {
            bytes.push_back(static_cast<std::byte>(value));
        }
        is_second = !is_second;
    }
    return bytes;
}

/// Returns digits with a space after every four bytes.
inline std::string to_hex(ByteView bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        digits += index > 0 && index % 4 == 0 ? " " : "";
        digits += kDigits[std::to_integer<std::size_t>(bytes[index] >> 4)];
        digits += kDigits[std::to_integer<std::size_t>(bytes[index] & std::byte{0xf})];
    }
    return digits;
}

}  // namespace nocbench::wishbone::test
