#include "device_model/sim/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "device_model/sim/error.h"

namespace nocbench {

void Memory::read(std::uint64_t address, std::span<std::byte> out) const {
    while (!out.empty()) {
        const std::uint64_t offset = address % kPageBytes;
        const auto count = std::min<std::size_t>(out.size(), kPageBytes - offset);
        const auto page = pages_.find(address / kPageBytes);
        if (page == pages_.end()) {
            std::fill_n(out.begin(), count, std::byte{0});
        } else {
            std::copy_n(page->second->begin() + static_cast<std::ptrdiff_t>(offset), count, out.begin());
        }
        address += count;
        out = out.subspan(count);
    }
}

void Memory::write(std::uint64_t address, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const std::uint64_t offset = address % kPageBytes;
        const auto count = std::min<std::size_t>(bytes.size(), kPageBytes - offset);
        std::unique_ptr<Page>& page = pages_[address / kPageBytes];
        if (!page) {
            page = std::make_unique<Page>();
        }
        std::copy_n(bytes.begin(), count, page->begin() + static_cast<std::ptrdiff_t>(offset));
        address += count;
        bytes = bytes.subspan(count);
    }
}

void Memory::for_each_page(const std::function<void(std::uint64_t, std::span<const std::byte>)>& act) const {
    std::vector<std::uint64_t> numbers;
    numbers.reserve(pages_.size());
    for (const auto& [number, page] : pages_) {
        numbers.push_back(number);
    }
    std::ranges::sort(numbers);
    for (const std::uint64_t number : numbers) {
        act(number * kPageBytes, *pages_.at(number));
    }
}

void require_within(const std::string& memory, std::int64_t memory_bytes, std::uint64_t address, std::size_t size) {
    const auto end = static_cast<std::uint64_t>(memory_bytes);
    if (address > end || size > end - address) {
        throw InputError(fmt::format("{}: expected a range within 0x0 to 0x{:x}, found 0x{:x} to 0x{:x}", memory, end,
                                     address, address + size));
    }
}

}  // namespace nocbench
