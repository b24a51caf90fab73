// Cases that tests leave out: of many random ones by day, and more under the sanitizers, where everything takes about
// ten times as long.
//
// By day, as many random cases run as notice every fault of tests/mutants; with NOCBENCH_ALL_CASES in the environment,
// as at night, all of them do. A sanitizer finds what a line of code does wrong when it runs, and the hundredth random
// case that goes the same ways as the first ones shows it nothing new. So all tests run there, with every kind of
// traffic, every primitive, every architecture and every source file, but of cases that differ in size or seed alone
// there are fewer. That the numbers are right for all of them is for the tests without sanitizers.
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

/// How many of `num_cases` like cases run: all of them, or, where tests are thinned, one of so many, but always one.
template <std::integral Number>
constexpr Number thinned(Number num_cases, Number one_of) {
    return kIsThinned ? std::max(Number{1}, num_cases / one_of) : num_cases;
}

inline bool has_all_cases() {
    static const bool has = std::getenv("NOCBENCH_ALL_CASES") != nullptr;
    return has;
}

/// The same of random cases, of which one of `one_of_by_day` runs by day.
template <std::integral Number>
Number thinned(Number num_cases, Number one_of, Number one_of_by_day) {
    return kIsThinned || has_all_cases() ? thinned(num_cases, one_of) : std::max(Number{1}, num_cases / one_of_by_day);
}

/// All cases, or, where tests are thinned, the first one of every `one_of`. Lists often have two or three values of
/// something (NoC, size) next to each other: a step that is no multiple of that number meets all of them.
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
