// SPDX-License-Identifier: Apache-2.0
// Reproducible random_device: equal numbers in every run. PEs differ by the time of the call.
#include <time.h>

#include <random>

namespace std {

void random_device::_M_init(const string&) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    _M_fd = static_cast<int>(now.tv_nsec);
}
void random_device::_M_fini() {}
double random_device::_M_getentropy() const noexcept { return 0; }
random_device::result_type random_device::_M_getval() {
    _M_fd += 0x9E3779B9;
    auto mixed = static_cast<result_type>(_M_fd);
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6BU;
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35U;
    return mixed ^ mixed >> 16;
}

}  // namespace std
