// What must hold between fields of an architecture file, beyond the range of each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/arch/architecture_kind.h"

namespace nocbench {

struct Architecture;
struct Board;

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

/// The checks of a kind of machine.
std::span<const CrossCheck> cross_checks(ArchitectureKind kind);

/// A number that must not be above another one, which is `what`.
std::optional<Contradiction> at_most(std::int64_t value, std::int64_t limit, std::string_view what);

/// A board is composed of parts that the file has. That it has none at all is complained about by itself.
std::optional<Contradiction> part_exists(const Architecture& architecture, std::string_view collection,
                                         const std::string& name);

}  // namespace nocbench
