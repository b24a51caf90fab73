// Fields that each kind of machine adds to architecture files, defined in the machines' folders.
#pragma once

#include <fmt/format.h>

#include <any>
#include <cstdint>
#include <string_view>
#include <vector>

#include "device_model/arch/architecture_kind.h"
#include "device_model/arch/fields/cross_checks.h"
#include "device_model/arch/fields/fields.h"
#include "device_model/sim/error.h"

namespace nocbench {

struct KindDefinition {
    std::string_view name;  // as in files
    std::any constants;     // empty constants of an Architecture, to read into
    std::any board;
    std::vector<Field> fields;  // besides those of all kinds, in the order of files
    std::vector<CrossCheck> cross_checks;
    std::int64_t (*flit_bytes)(const Architecture&) = nullptr;
    std::int64_t (*cycles_per_flit)(const Architecture&) = nullptr;  // of a link; null: 1
    void (*complete)(Architecture&) = nullptr;                       // called after all values have been read and set;
                                                                     // may be null
};

const KindDefinition& tensix_torus_kind();
const KindDefinition& epiphany_mesh_kind();
const KindDefinition& wishbone_bridge_kind();
const KindDefinition& plain_mesh_kind();

const KindDefinition& definition_of(ArchitectureKind kind);

/// Returns the constants of an Architecture or a Board. Throws InputError if they are of another kind.
template <typename Constants, typename Owner>
auto& constants_of(Owner& owner) {
    if (auto* const constants = std::any_cast<Constants>(&owner.constants)) {
        return *constants;
    }
    throw InputError(fmt::format("{}: expected constants of another kind of architecture", owner.name));
}

}  // namespace nocbench
