// SPDX-License-Identifier: Apache-2.0
// Clocks of the C++ library, in modeled time.
#include <time.h>

#include <chrono>

namespace {
std::chrono::nanoseconds now() {
    timespec value{};
    clock_gettime(CLOCK_MONOTONIC, &value);
    return std::chrono::seconds(value.tv_sec) + std::chrono::nanoseconds(value.tv_nsec);
}
}  // namespace

namespace std::chrono {
inline namespace _V2 {
system_clock::time_point system_clock::now() noexcept { return time_point(duration_cast<duration>(::now())); }
steady_clock::time_point steady_clock::now() noexcept { return time_point(duration_cast<duration>(::now())); }
}  // namespace _V2
}  // namespace std::chrono
