#include "device_model/arch/fields/kinds.h"

#include <array>
#include <stdexcept>

namespace nocbench {

std::span<const ArchitectureKind> architecture_kinds() {
    static constexpr std::array kKinds{ArchitectureKind::tensix_torus, ArchitectureKind::epiphany_mesh,
                                       ArchitectureKind::wishbone_bridge, ArchitectureKind::plain_mesh};
    return kKinds;
}

std::string_view to_string(ArchitectureKind kind) { return definition_of(kind).name; }

const KindDefinition& definition_of(ArchitectureKind kind) {
    switch (kind) {
        case ArchitectureKind::tensix_torus:
            return tensix_torus_kind();
        case ArchitectureKind::epiphany_mesh:
            return epiphany_mesh_kind();
        case ArchitectureKind::wishbone_bridge:
            return wishbone_bridge_kind();
        case ArchitectureKind::plain_mesh:
            return plain_mesh_kind();
    }
    throw std::logic_error("an architecture of no kind");
}

}  // namespace nocbench
