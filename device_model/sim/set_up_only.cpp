#include "device_model/sim/set_up_only.h"

#include <utility>

namespace nocbench {

namespace {

thread_local bool only_set_up = false;

}  // namespace

SetUpOnlyScope::SetUpOnlyScope() : before_(std::exchange(only_set_up, true)) {}

SetUpOnlyScope::~SetUpOnlyScope() { only_set_up = before_; }

void SetUpOnlyScope::end_set_up() {
    if (only_set_up) {
        throw SetUpDone{};
    }
}

}  // namespace nocbench
