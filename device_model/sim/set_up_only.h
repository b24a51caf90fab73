// Dry runs: programs are set up without running, to check their requests.
#pragma once

#include <exception>
#include <utility>

namespace nocbench {

/// Thrown instead of the first time-consuming action while a SetUpOnlyScope is open. Not an error.
class SetUpDone : public std::exception {};

/// Scope in which machines of this thread do not run and kernels are not compiled: SetUpDone is thrown instead.
class SetUpOnlyScope {
public:
    SetUpOnlyScope() : before_(std::exchange(is_open_, true)) {}
    ~SetUpOnlyScope() { is_open_ = before_; }
    SetUpOnlyScope(const SetUpOnlyScope&) = delete;
    SetUpOnlyScope& operator=(const SetUpOnlyScope&) = delete;
    SetUpOnlyScope(SetUpOnlyScope&&) = delete;
    SetUpOnlyScope& operator=(SetUpOnlyScope&&) = delete;

    /// Throws SetUpDone if a scope is open.
    static void end_set_up() {
        if (is_open_) {
            throw SetUpDone{};
        }
    }

private:
    static inline thread_local bool is_open_ = false;

    bool before_;
};

}  // namespace nocbench
