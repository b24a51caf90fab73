// Reductions of every type and operation, compared with operations in member order.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "kernels/shmem/reductions.h"
#include "tests/shmem/sets.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kSync = kData;
constexpr Address kSource = kData + 0x100;
constexpr Address kDestination = kData + 0x1100;
constexpr Address kWork = kData + 0x2100;

template <class Value>
constexpr bool kIsReal = std::is_floating_point_v<Value> || std::is_same_v<Value, Quad>;

// Element of a member. Results are equal in any order of operations, and some overflow.

template <class Value>
struct Element {
    static Value of(int index, std::size_t element, int turn) {
        const auto mixed = static_cast<std::uint64_t>(index + 1) * 0x9e3779b97f4a7c15U +
                           static_cast<std::uint64_t>(element) * 0xc2b2ae3d27d4eb4fU + static_cast<std::uint64_t>(turn);
        if constexpr (kIsReal<Value>) {
            return static_cast<Value>(static_cast<int>(mixed >> 60U) - 8) / 2;
        } else {
            return static_cast<Value>(mixed >> 7U);
        }
    }
};
template <class Part>
struct Element<std::complex<Part>> {
    static std::complex<Part> of(int index, std::size_t element, int turn) {
        // Powers of i times 1 or 2, so that products are exact.
        const std::array<std::complex<Part>, 4> powers{{{1, 0}, {0, 1}, {-1, 0}, {0, -2}}};
        return powers[(static_cast<std::size_t>(index) + element + static_cast<std::size_t>(turn)) % 4];
    }
};
/// Returns factors of floating-point products: powers of two.
template <class Value>
Value factor_of(int index, std::size_t element) {
    const std::array<Value, 4> factors{Value{2}, Value{-1}, Value{1} / 2, Value{1}};
    return factors[(static_cast<std::size_t>(index) * 3 + element) % 4];
}

template <class Value>
using Operation = Value (*)(Value, Value);

/// Reduction routine, and its reference: all members' elements, combined in member order.
template <class Value>
struct Reduction {
    std::string name;
    Operation<Value> combine = nullptr;
    bool multiplies = false;

    [[nodiscard]] Value element(int index, std::size_t number, int turn) const {
        if constexpr (kIsReal<Value>) {
            return multiplies ? factor_of<Value>(index, number) : Element<Value>::of(index, number, turn);
        } else {
            return Element<Value>::of(index, number, turn);
        }
    }
    [[nodiscard]] std::vector<Value> source(int index, std::size_t count, int turn) const {
        std::vector<Value> values(count);
        for (std::size_t number = 0; number < count; ++number) {
            values[number] = element(index, number, turn);
        }
        return values;
    }
    [[nodiscard]] std::vector<Value> result(int members, std::size_t count, int turn) const {
        std::vector<Value> values = source(0, count, turn);
        for (int index = 1; index < members; ++index) {
            for (std::size_t number = 0; number < count; ++number) {
                values[number] = combine(values[number], element(index, number, turn));
            }
        }
        return values;
    }
};

constexpr std::array<std::uint32_t, 9> kCounts{1, 16, 17, 33, 100, 2, 0, 15, 31};

template <class Value>
void reduce_again_and_again(const ActiveSet& set, const Reduction<Value>& reduction, std::size_t num_counts) {
    run_set(set, kSync, [&](Pe& pe, int index) {
        Chance chance(pe, 41);
        for (std::size_t turn = 0; turn < num_counts; ++turn) {
            const std::uint32_t count = kCounts[turn];
            const auto seed = static_cast<int>(turn);
            const bool in_place = turn % 2 != 0;
            // The work array has exactly the specified size; bytes behind it must not be written.
            const std::uint32_t work = std::max(count / 2 + 1, 16U);
            std::vector<Value> expected = reduction.result(set.size, count, seed);
            expected.resize(count + 3);
            const Address source = in_place ? kDestination : kSource;
            set_values(pe, kDestination, std::vector<Value>(count + 3));
            set_values(pe, source, reduction.source(index, count, seed));
            set_values(pe, kWork, std::vector<Value>(work + 2));
            chance.delay();
            // Waits until all members have initialized their arrays.
            call(pe, "shmem_barrier", set.start, set.log_stride, set.size, kSync + 32);
            chance.delay();
            call(pe, reduction.name, kDestination, source, count, set.start, set.log_stride, set.size, kWork, kSync);
            EXPECT_EQ(values_at<Value>(pe, kDestination, count + 3), expected)
                << reduction.name << ", " << count << " elements, " << text_of(set);
            EXPECT_EQ(values_at<Value>(pe, kWork + work * static_cast<Address>(sizeof(Value)), 2),
                      std::vector<Value>(2));
            if (!in_place) {
                EXPECT_EQ(values_at<Value>(pe, kSource, count), reduction.source(index, count, seed));
            }
        }
    });
}

template <class Value>
std::vector<Reduction<Value>> sums(const std::string& type) {
    if constexpr (std::is_integral_v<Value>) {
        return {{"shmem_" + type + "_sum_to_all",
                 [](Value a, Value b) {
                     return static_cast<Value>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
                 }},
                {"shmem_" + type + "_prod_to_all",
                 [](Value a, Value b) {
                     return static_cast<Value>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
                 },
                 true}};
    } else {
        return {{"shmem_" + type + "_sum_to_all", [](Value a, Value b) { return a + b; }},
                {"shmem_" + type + "_prod_to_all", [](Value a, Value b) { return a * b; }, true}};
    }
}

template <class Value>
std::vector<Reduction<Value>> numbers(const std::string& type) {
    std::vector<Reduction<Value>> all = sums<Value>(type);
    all.push_back({"shmem_" + type + "_max_to_all", [](Value a, Value b) { return a > b ? a : b; }});
    all.push_back({"shmem_" + type + "_min_to_all", [](Value a, Value b) { return a < b ? a : b; }});
    return all;
}

template <class Value>
std::vector<Reduction<Value>> integers(const std::string& type) {
    std::vector<Reduction<Value>> all = numbers<Value>(type);
    all.push_back({"shmem_" + type + "_and_to_all", [](Value a, Value b) { return static_cast<Value>(a & b); }});
    all.push_back({"shmem_" + type + "_or_to_all", [](Value a, Value b) { return static_cast<Value>(a | b); }});
    all.push_back({"shmem_" + type + "_xor_to_all", [](Value a, Value b) { return static_cast<Value>(a ^ b); }});
    return all;
}

template <class Value>
void reduce_on_few_sets(const std::vector<Reduction<Value>>& reductions) {
    const std::vector<ActiveSet> sets = few_active_sets();
    for (std::size_t number = 0; number < reductions.size(); ++number) {
        // Each reduction covers some of the sets; together they cover all.
        for (std::size_t which = number % 3; which < sets.size(); which += 3) {
            reduce_again_and_again(sets[which], reductions[number], 5);
        }
    }
}

TEST(ShmemReductions, EveryOperationOfIntegers) {
    reduce_on_few_sets(integers<std::int16_t>("short"));
    reduce_on_few_sets(integers<std::int32_t>("int"));
    reduce_on_few_sets(integers<std::int32_t>("long"));
    reduce_on_few_sets(integers<std::int64_t>("longlong"));
}

TEST(ShmemReductions, EveryOperationOfRealAndComplexNumbers) {
    reduce_on_few_sets(numbers<float>("float"));
    reduce_on_few_sets(numbers<double>("double"));
    reduce_on_few_sets(numbers<Quad>("longdouble"));
    reduce_on_few_sets(sums<std::complex<float>>("complexf"));
    reduce_on_few_sets(sums<std::complex<double>>("complexd"));
}

TEST(ShmemReductions, OfEverySetAndEveryCount) {
    const std::vector<Reduction<std::int32_t>> reductions = sums<std::int32_t>("int");
    const std::vector<Reduction<std::int64_t>> wide = numbers<std::int64_t>("longlong");
    for (const ActiveSet& set : active_sets()) {
        reduce_again_and_again(set, reductions.front(), kCounts.size());
        reduce_again_and_again(set, wide[3], kCounts.size());
    }
}

/// Without a barrier in between, some PEs may be one reduction ahead of others that use these arrays.
TEST(ShmemReductions, OneAfterTheOther) {
    for (const ActiveSet& set : active_sets()) {
        const Reduction<std::int32_t> sum = sums<std::int32_t>("int").front();
        run_set(set, kSync, [&](Pe& pe, int index) {
            Chance chance(pe, 43);
            for (int turn = 0; turn < 30; ++turn) {
                const std::uint32_t count = 1 + static_cast<std::uint32_t>(turn) % 4 * 9;
                set_values(pe, kDestination, sum.source(index, count, turn));
                if (chance.below(3) == 0) {
                    chance.delay();
                }
                call(pe, sum.name, kDestination, kDestination, count, set.start, set.log_stride, set.size, kWork,
                     kSync + (turn / 10 == 1 ? static_cast<Address>(turn % 2) * 24 : 0U));
                EXPECT_EQ(values_at<std::int32_t>(pe, kDestination, count), sum.result(set.size, count, turn))
                    << "turn " << turn << " of " << text_of(set);
            }
        });
    }
}

}  // namespace

}  // namespace nocbench::shmem
