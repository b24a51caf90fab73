#include "kernels/host/session.h"

#include <utility>

#include "device_model/sim/error.h"
#include "nocbench/host/running_test.h"

namespace nocbench::host {

namespace {

const Session*& current() {
    static const Session* session = nullptr;
    return session;
}

std::string& test_name() {
    static std::string name;
    return name;
}

}  // namespace

SessionScope::SessionScope(const Session& session) { current() = &session; }

SessionScope::~SessionScope() { current() = nullptr; }

const Session& session() {
    if (current() == nullptr) {
        throw InputError("host programs run under 'nocbench host'");
    }
    return *current();
}

const std::string& running_test() { return test_name(); }

}  // namespace nocbench::host

void tt::host::name_test(std::string name) { nocbench::host::test_name() = std::move(name); }
