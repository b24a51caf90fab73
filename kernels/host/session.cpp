#include "kernels/host/session.h"

#include <utility>

#include "device_model/sim/error.h"

namespace nocbench::host {

namespace {

const Session*& current() {
    static const Session* session = nullptr;
    return session;
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

}  // namespace nocbench::host
