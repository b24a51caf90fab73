// L0 data cache of a hart: a few lines of a slower memory, not coherent with writes by others.
// Source: Tenstorrent ISA documentation, BlackholeA0/TensixTile/BabyRISCV. The documented flush on about one hit in a
// hundred is not modeled: programs must not depend on chance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace nocbench::riscv {

class DataCache {
public:
    static constexpr std::uint32_t kLineBytes = 16;
    static constexpr std::uint32_t kLinesMax = 4;
    using Line = std::array<std::byte, kLineBytes>;

    explicit DataCache(std::uint32_t lines) : lines_(lines) {}

    [[nodiscard]] bool is_on() const { return is_on_; }
    /// Switches the cache. It is empty after it was off.
    void set_on(bool on) {
        if (!on) {
            flush();
        }
        is_on_ = on;
    }

    /// Returns the line of `address`, or null.
    [[nodiscard]] Line* find(std::uint32_t address) {
        for (std::uint32_t i = 0; i < lines_; ++i) {
            if (tags_[i] == address / kLineBytes) {
                return &data_[i];
            }
        }
        return nullptr;
    }
    /// Replaces the oldest line by one for `address`.
    [[nodiscard]] Line& replace(std::uint32_t address) {
        const std::uint32_t place = next_;
        next_ = next_ + 1 == lines_ ? 0 : next_ + 1;
        tags_[place] = address / kLineBytes;
        return data_[place];
    }
    /// Updates the cached line, if any, with the hart's own store.
    void write_through(std::uint32_t address, std::span<const std::byte> bytes) {
        if (Line* const line = find(address)) {
            std::memcpy(&(*line)[address % kLineBytes], bytes.data(), bytes.size());
        }
    }
    void flush() {
        tags_.fill(kNoTag);
        next_ = 0;
    }

    bool operator==(const DataCache&) const = default;

private:
    static constexpr std::uint32_t kNoTag = ~std::uint32_t{0};

    std::uint32_t lines_;
    bool is_on_ = false;
    std::uint32_t next_ = 0;
    std::array<std::uint32_t, kLinesMax> tags_{kNoTag, kNoTag, kNoTag, kNoTag};
    std::array<Line, kLinesMax> data_{};
};

}  // namespace nocbench::riscv
