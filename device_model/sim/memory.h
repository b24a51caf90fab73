// Simulated memory with real bytes. Allocates host memory only for written pages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>

namespace nocbench {

/// Bytes by address, initially zero. Addresses are not checked: callers can report errors more precisely.
class Memory {
public:
    void read(std::uint64_t address, std::span<std::byte> out) const;
    void write(std::uint64_t address, std::span<const std::byte> bytes);

    /// Calls `act(address, bytes)` for all pages that were written, in order.
    void for_each_page(const std::function<void(std::uint64_t, std::span<const std::byte>)>& act) const;

private:
    static constexpr std::uint64_t kPageBytes = 8 * 1024;
    using Page = std::array<std::byte, kPageBytes>;

    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

/// Throws InputError that names `memory` unless a range lies within `memory_bytes`.
void require_within(const std::string& memory, std::int64_t memory_bytes, std::uint64_t address, std::size_t size);

}  // namespace nocbench
