// What must hold between fields of an architecture file, beyond the range of each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/arch/architecture.h"

namespace nocbench {

struct Contradiction {
    std::string expected;
    std::string found;
};

struct CrossCheck {
    /// The fields that the check reads. It runs only if all of them could be read. The first is the one to complain
    /// about.
    std::vector<std::string_view> keys;
    std::optional<Contradiction> (*check)(const Architecture& architecture, const Board& board);

    /// The collection whose parts it reads fields of, so that it has to run for each of them: "boards", "memories".
    /// Empty: it reads none.
    [[nodiscard]] std::string_view collection(ArchitectureKind kind) const;
    [[nodiscard]] bool reads(std::string_view key) const;
};

/// The checks of a kind of machine: those whose fields it has.
std::span<const CrossCheck> cross_checks(ArchitectureKind kind);

}  // namespace nocbench
