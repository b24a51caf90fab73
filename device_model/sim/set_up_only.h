// Programs that are set up and not run: to learn whether what they are asked for makes sense.
#pragma once

#include <exception>
#include <utility>

namespace nocbench {

/// Is thrown in place of the first thing that would take time, while a SetUpOnlyScope is open: no error.
class SetUpDone : public std::exception {};

/// As long as it lives, no machine of this thread runs, and no kernel is compiled: SetUpDone is thrown instead.
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
