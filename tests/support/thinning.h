// What the tests leave out under the sanitizers, where everything takes about ten times as long.
//
// A sanitizer finds what a line of code does wrong when it runs, and the hundredth random case that goes the same ways
// as the first ones shows it nothing new. So all tests run there, with every kind of traffic, every primitive, every
// architecture and every source file, but of cases that differ in size or seed alone there are fewer. That the numbers
// are right for all of them is for the tests without sanitizers, which leave nothing out.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
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

/// All cases, or, where tests are thinned, the first one of every `one_of`. Lists often have two or three values of
/// something (NoC, size) next to each other: a step that is no multiple of that number meets all of them.
template <class Case>
std::vector<Case> thinned(std::vector<Case> cases, std::size_t one_of) {
    if (kIsThinned) {
        std::size_t kept = 0;
        for (std::size_t index = 0; index < cases.size(); index += one_of) {
            cases[kept++] = cases[index];
        }
        cases.resize(kept);
    }
    return cases;
}

}  // namespace nocbench::test
