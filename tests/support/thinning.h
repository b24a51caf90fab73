// Thinning of test cases: of random cases in normal runs, and of further cases under the sanitizers, which make tests
// about ten times as slow.
//
// Normal runs execute as many random cases as needed to detect every fault of tests/mutants. With NOCBENCH_ALL_CASES in
// the environment, as in nightly runs, all cases run. A sanitizer finds faults in executed lines; additional random
// cases on these lines find no more. Therefore all tests run under sanitizers, with every kind of traffic, primitive,
// architecture and source file, but with fewer cases that differ only in size or seed. Tests without sanitizers check
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

/// Returns the number of `num_cases` similar cases to run: all, or one in `one_of` (at least one) if tests are thinned.
template <std::integral Number>
constexpr Number thinned(Number num_cases, Number one_of) {
    return kIsThinned ? std::max(Number{1}, num_cases / one_of) : num_cases;
}

inline bool has_all_cases() {
    static const bool has = std::getenv("NOCBENCH_ALL_CASES") != nullptr;
    return has;
}

/// Returns the number of random cases to run: one in `one_of` if tests are thinned, and one in `one_of_by_day` in
/// normal runs.
template <std::integral Number>
Number thinned(Number num_cases, Number one_of, Number one_of_by_day) {
    return kIsThinned || has_all_cases() ? thinned(num_cases, one_of) : std::max(Number{1}, num_cases / one_of_by_day);
}

/// Returns all cases, or the first and every further `one_of`-th case if tests are thinned. In many lists, two or three
/// values of a parameter (NoC, size) alternate; a step that is not a multiple of their number covers all values.
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
