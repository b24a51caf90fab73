// Programs of polling loops that nobody would write, for a comparison of harts that sleep in them with others.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace nocbench::test {

/// A word that loops may poll: where it is, as assembly writes it ("8(s0)").
struct PolledWord {
    std::string operand;
    bool is_cached = false;
};

class RandomLoops {
public:
    explicit RandomLoops(std::uint32_t seed) : random_(seed) {}

    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
    bool one_in(std::uint32_t count) { return below(count) == 0; }

    /// A loop that ends when each of a few of `words`, or their sum, has reached `target`. What it saw is in a0 to a3.
    std::string loop(const std::vector<PolledWord>& words, std::uint32_t target);
    /// Some instructions that wait for nothing; a5 and t3 to t6 are theirs.
    std::string filler();

private:
    std::string label() { return fmt::format("l{}", num_labels_++); }

    std::mt19937 random_;
    int num_labels_ = 0;
};

}  // namespace nocbench::test
