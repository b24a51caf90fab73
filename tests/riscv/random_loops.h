// Random programs with polling loops, to compare harts that skip iterations by sleeping with harts that do not.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace nocbench::test {

/// Word that loops may poll, as an assembly operand ("8(s0)").
struct PolledWord {
    std::string operand;
    bool is_cached = false;
};

class RandomLoops {
public:
    explicit RandomLoops(std::uint32_t seed) : random_(seed) {}

    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
    bool one_in(std::uint32_t count) { return below(count) == 0; }

    /// Returns a loop that ends when each of several `words`, or their sum, has reached `target`. The last values are
    /// in a0 to a3.
    std::string loop(const std::vector<PolledWord>& words, std::uint32_t target);
    /// Returns instructions that do not wait; they use a5 and t3 to t6.
    std::string filler();

private:
    std::string label() { return fmt::format("l{}", num_labels_++); }

    std::mt19937 random_;
    int num_labels_ = 0;
};

}  // namespace nocbench::test
