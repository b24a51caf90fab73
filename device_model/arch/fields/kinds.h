// Fields that each kind of machine adds to architecture files. The rooms of the machines define them.
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
    std::string_view name;  // as files have it
    std::any constants;     // of an Architecture and a Board, to read into
    std::any board;
    std::vector<Field> fields;  // besides those of all kinds, in the order of files
    std::vector<CrossCheck> cross_checks;
    std::int64_t (*flit_bytes)(const Architecture&) = nullptr;
    std::int64_t (*cycles_per_flit)(const Architecture&) = nullptr;  // of a link; null: 1
    void (*complete)(Architecture&) = nullptr;                       // when all has been read and set; may be null
};

const KindDefinition& tensix_torus_kind();
const KindDefinition& epiphany_mesh_kind();
const KindDefinition& wishbone_bridge_kind();
const KindDefinition& plain_mesh_kind();

const KindDefinition& definition_of(ArchitectureKind kind);

/// The constants of an Architecture or a Board, as a kind has them. Throws InputError if it is of another one.
template <typename Constants, typename Owner>
auto& constants_of(Owner& owner) {
    if (auto* const constants = std::any_cast<Constants>(&owner.constants)) {
        return *constants;
    }
    throw InputError(fmt::format("{}: expected constants of another kind of architecture", owner.name));
}

}  // namespace nocbench
