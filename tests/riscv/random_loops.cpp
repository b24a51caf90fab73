#include "tests/riscv/random_loops.h"

#include <fmt/format.h>

#include <algorithm>

namespace nocbench::test {

std::string RandomLoops::filler() {
    std::string text;
    for (std::uint32_t count = below(4); count > 0; --count) {
        switch (below(7)) {
            case 0:
                text += "addi t3, zero, 17\n";
                break;
            case 1:
                text += "mul t4, t3, t3\n";
                break;
            case 2:
                text += fmt::format("addi t5, zero, {}\ndivu t4, t5, t3\n", below(2000));
                break;
            case 3:
                text += fmt::format("sw t3, {}(sp)\n", 4 * below(4));  // an equal value each time, or nearly so
                break;
            case 4:
                text += fmt::format("lw t6, {}(sp)\n", 4 * below(8));
                break;
            case 5: {
                const std::string again = label();
                text += fmt::format("addi t6, zero, {}\n{}: addi t6, t6, -1\nbne t6, zero, {}\n", 1 + below(6), again,
                                    again);
                break;
            }
            default: {
                const std::string over = label();
                text += fmt::format("beq t3, t4, {}\naddi t5, t3, 1\n{}: addi t4, t3, 0\n", over, over);
                break;
            }
        }
    }
    return text;
}

std::string RandomLoops::loop(const std::vector<PolledWord>& words, std::uint32_t target) {
    const std::string begin = label();
    const std::uint32_t num_loads = 1 + below(4);
    std::vector<PolledWord> polled;
    polled.reserve(num_loads);
    for (std::uint32_t i = 0; i < num_loads; ++i) {
        polled.push_back(words[below(static_cast<std::uint32_t>(words.size()))]);
    }
    const bool needs_fence = std::ranges::any_of(polled, &PolledWord::is_cached);
    std::string text = fmt::format("addi a5, zero, {}\n", target);
    const bool sums = one_in(3);
    const bool is_hoisted = one_in(3);  // loads are issued one iteration before their values are used
    const auto load = [&](std::uint32_t i) { return fmt::format("lw a{}, {}\n", i, polled[i].operand); };
    const auto compare = [&](std::uint32_t i) { return fmt::format("bltu a{}, a5, {}\n", i, begin); };
    const auto all_loads = [&] {
        std::string loads;
        for (std::uint32_t i = 0; i < num_loads; ++i) {
            loads += load(i) + (one_in(3) ? filler() : std::string());
        }
        return loads;
    };
    if (is_hoisted) {
        text += needs_fence ? "fence\n" : "";
        text += all_loads();
        if (sums) {
            text += "add a4, a0, a0\n";
            for (std::uint32_t i = 1; i < num_loads; ++i) {
                text += fmt::format("add a4, a4, a{}\n", i);
            }
        }
        // The loop ends with a test of values loaded in the previous iteration, so its loads are for the next
        // iteration.
        const std::string end = label();
        text += fmt::format("{}: ", begin);
        text += needs_fence ? "fence\n" : "addi zero, zero, 0\n";
        for (std::uint32_t i = 0; i < num_loads; ++i) {
            text += fmt::format("addi s{}, a{}, 0\n", 2 + i, i);
        }
        text += all_loads();
        for (std::uint32_t i = 0; i < num_loads; ++i) {
            text += fmt::format("bltu s{}, a5, {}\n", 2 + i, begin);
        }
        return text + fmt::format("jal zero, {}\n{}: addi a4, a4, 1\n", end, end);
    }
    text += fmt::format("{}: {}", begin, needs_fence ? "fence\n" : "addi zero, zero, 0\n");
    text += filler();
    if (sums) {
        text += all_loads() + "addi a4, a0, 0\n";
        for (std::uint32_t i = 1; i < num_loads; ++i) {
            text += fmt::format("add a4, a4, a{}\n", i);
        }
        text += filler() + fmt::format("bltu a4, a5, {}\n", begin);
    } else {
        for (std::uint32_t i = 0; i < num_loads; ++i) {
            text += load(i) + (one_in(2) ? filler() : std::string()) + compare(i);
        }
    }
    return text;
}

}  // namespace nocbench::test
