// Thinning of test cases: by day for random ones, and more under the sanitizers, where everything takes about ten times
// as long.
//
// By day, as many random cases run as detect every fault of tests/mutants; with NOCBENCH_ALL_CASES in the environment,
// as at night, all run. A sanitizer finds faults of the lines that a run executes; further random cases on the same
// paths find no more. So under sanitizers all tests run, with every kind of traffic, every primitive, every
// architecture and every source file, but fewer cases that differ only in size or seed. Tests without sanitizers check
// the numbers of all cases.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace nocbench::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kIsThinned = true;
#else
inline constexpr bool kIsThinned = false;
#endif

/// Returns the number of `num_cases` similar cases to run: all, or one in `one_of` where tests are thinned, but at
/// least one.
template <std::integral Number>
constexpr Number thinned(Number num_cases, Number one_of) {
    return kIsThinned ? std::max(Number{1}, num_cases / one_of) : num_cases;
}

inline bool has_all_cases() {
    static const bool has = std::getenv("NOCBENCH_ALL_CASES") != nullptr;
    return has;
}

/// Returns the same for random cases, of which one in `one_of_by_day` runs by day.
template <std::integral Number>
Number thinned(Number num_cases, Number one_of, Number one_of_by_day) {
    return kIsThinned || has_all_cases() ? thinned(num_cases, one_of) : std::max(Number{1}, num_cases / one_of_by_day);
}

/// Returns all cases, or every `one_of`-th from the first on where tests are thinned. Lists often have two or three
/// values of a parameter (NoC, size) side by side: a step that is not a multiple of that number covers all of them.
template <class Case>
std::vector<Case> thinned(std::vector<Case> cases, std::size_t one_of, std::size_t one_of_by_day = 1) {
    const std::size_t step = kIsThinned ? one_of : has_all_cases() ? 1 : one_of_by_day;
    std::size_t kept = 0;
    for (std::size_t index = 0; index < cases.size(); index += step) {
        cases[kept++] = cases[index];
    }
    cases.resize(kept);
    return cases;
}

}  // namespace nocbench::test
