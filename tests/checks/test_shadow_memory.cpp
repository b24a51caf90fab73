#include <gtest/gtest.h>

#include <array>

#include "device_model/sim/random_numbers.h"
#include "device_model/tenstorrent/checks/shadow_memory.h"

namespace nocbench {
namespace {

struct Part {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    AccessIndex write = 0;

    bool operator==(const Part&) const = default;
};

std::vector<Part> parts_of(ShadowMemory& memory, std::uint64_t begin, std::uint64_t end) {
    std::vector<Part> parts;
    memory.for_each(begin, end, [&](std::uint64_t first, std::uint64_t last, const ShadowMemory::Cell& cell) {
        parts.push_back({first, last, cell.write});
    });
    return parts;
}

void write(ShadowMemory& memory, std::uint64_t begin, std::uint64_t end, AccessIndex access) {
    memory.for_each(begin, end, [&](std::uint64_t, std::uint64_t, ShadowMemory::Cell& cell) { cell.write = access; });
}

TEST(ShadowMemory, DividesWhereAccessesDiffer) {
    ShadowMemory memory;
    write(memory, 16, 32, 1);
    write(memory, 20, 24, 2);
    EXPECT_EQ(parts_of(memory, 8, 40),
              (std::vector<Part>{{8, 16, 0}, {16, 20, 1}, {20, 24, 2}, {24, 32, 1}, {32, 40, 0}}));
}

TEST(ShadowMemory, JoinsEqualNeighbours) {
    ShadowMemory memory;
    for (std::uint64_t word = 0; word < 64; word += 4) {
        write(memory, word, word + 4, 3);
    }
    EXPECT_EQ(parts_of(memory, 0, 64), (std::vector<Part>{{0, 64, 3}}));
}

TEST(ShadowMemory, HasTheLastWriteOfEachByte) {
    constexpr std::size_t kBytes = 200;
    std::array<AccessIndex, kBytes> expected{};
    ShadowMemory memory;
    RandomNumbers numbers(5);
    for (AccessIndex access = 1; access < 2000; ++access) {
        const std::uint64_t begin = numbers.below(kBytes - 1);
        const std::uint64_t end = begin + 1 + numbers.below(static_cast<std::uint32_t>(kBytes - begin - 1) + 1);
        write(memory, begin, std::min<std::uint64_t>(end, kBytes), access % 7);
        std::fill(expected.begin() + static_cast<std::ptrdiff_t>(begin),
                  expected.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(end, kBytes)), access % 7);
        std::array<AccessIndex, kBytes> found{};
        memory.for_each(0, kBytes, [&](std::uint64_t first, std::uint64_t last, const ShadowMemory::Cell& cell) {
            std::fill(found.begin() + static_cast<std::ptrdiff_t>(first),
                      found.begin() + static_cast<std::ptrdiff_t>(last), cell.write);
        });
        ASSERT_EQ(found, expected);
    }
}

}  // namespace
}  // namespace nocbench
