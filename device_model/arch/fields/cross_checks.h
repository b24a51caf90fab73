// Conditions between fields of an architecture file, beyond the range of each.
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
    /// Fields that the check reads. It runs only if all of them could be read. Contradictions are reported for the
    /// first field.
    std::vector<std::string_view> keys;
    std::optional<Contradiction> (*check)(const Architecture& architecture, const Board& board);

    /// Returns the collection ("boards", "memories") whose fields the check reads, so that it runs for each part;
    /// otherwise empty.
    [[nodiscard]] std::string_view collection(ArchitectureKind kind) const;
    [[nodiscard]] bool reads(std::string_view key) const;
};

/// Returns the checks of a kind of machine.
std::span<const CrossCheck> cross_checks(ArchitectureKind kind);

/// Returns a contradiction if `value` is above `limit`; `what` describes the limit.
std::optional<Contradiction> at_most(std::int64_t value, std::int64_t limit, std::string_view what);

/// Returns a contradiction if the part named by a board does not exist. A file without parts is reported elsewhere.
std::optional<Contradiction> part_exists(const Architecture& architecture, std::string_view collection,
                                         const std::string& name);

}  // namespace nocbench
