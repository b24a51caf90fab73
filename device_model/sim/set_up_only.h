// Programs that are set up and not run: to learn whether what they are asked for makes sense.
#pragma once

namespace nocbench {

/// Is thrown in place of the first thing that would take time, while a SetUpOnlyScope is open.
struct SetUpDone {};

/// As long as it lives, no machine of this thread runs, and no kernel is compiled: SetUpDone is thrown instead.
class SetUpOnlyScope {
public:
    SetUpOnlyScope();
    ~SetUpOnlyScope();
    SetUpOnlyScope(const SetUpOnlyScope&) = delete;
    SetUpOnlyScope& operator=(const SetUpOnlyScope&) = delete;
    SetUpOnlyScope(SetUpOnlyScope&&) = delete;
    SetUpOnlyScope& operator=(SetUpOnlyScope&&) = delete;

    /// Throws SetUpDone if a scope is open.
    static void end_set_up();

private:
    bool before_;
};

}  // namespace nocbench
