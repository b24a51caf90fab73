#include "kernels/host/session.h"

#include "device_model/sim/error.h"

namespace nocbench::host {

namespace {

const Session*& current() {
    static const Session* session = nullptr;
    return session;
}

}  // namespace

SessionScope::SessionScope(const Session& session) {
    if (current() != nullptr) {
        throw InputError("expected no other device or host program in this process, found one that is still open");
    }
    current() = &session;
}

SessionScope::~SessionScope() {
    current() = nullptr;
    values_of_session().clear();
}

const Session& session() {
    if (current() == nullptr) {
        throw InputError("host programs run under 'nocbench host'");
    }
    return *current();
}

std::map<std::type_index, std::shared_ptr<void>>& values_of_session() {
    static std::map<std::type_index, std::shared_ptr<void>> values;
    return values;
}

}  // namespace nocbench::host
