// All benchmarks, with the options of Google Benchmark and two more:
//   --fast                    simulates whole devices packet by packet
//   --without=NAME[,NAME...]  disables accelerators of the engine, and those that need them: bypass, steady_state,
//                             round_robin, conflict_free
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "benchmarks/workload.h"

namespace {

constexpr std::array<std::string_view, nocbench::kNumAccelerators> kNames{"bypass", "steady_state", "round_robin",
                                                                          "conflict_free"};
constexpr std::string_view kWithout = "--without=";
constexpr std::string_view kFast = "--fast";

/// Disables accelerators by name. Returns false for an unknown name.
bool leave_out(std::string_view names) {
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(','));
        names.remove_prefix(std::min(name.size() + 1, names.size()));
        const auto* const found = std::ranges::find(kNames, name);
        if (found == kNames.end()) {
            fmt::print(stderr, "error: --without: expected one of {}, found {}\n", fmt::join(kNames, ", "), name);
            return false;
        }
        nocbench::accelerators() &= ~(nocbench::AcceleratorSet{1} << (found - kNames.begin()));
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    constexpr int kBadUsage = 2;
    int num_left = 1;
    for (int index = 1; index < argc; ++index) {
        const std::string_view argument = argv[index];
        if (argument == kFast) {
            nocbench::accuracy() = nocbench::Accuracy::fast;
        } else if (!argument.starts_with(kWithout)) {
            argv[num_left++] = argv[index];
        } else if (!leave_out(argument.substr(kWithout.size()))) {
            return kBadUsage;
        }
    }
    argc = num_left;
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return kBadUsage;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
