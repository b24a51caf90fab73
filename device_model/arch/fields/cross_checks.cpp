#include "device_model/arch/fields/cross_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>

#include "device_model/arch/architecture.h"
#include "device_model/arch/fields/fields.h"
#include "device_model/arch/fields/kinds.h"
#include "device_model/arch/spelling.h"

namespace nocbench {

namespace {

std::optional<Contradiction> default_board_exists(const Architecture& architecture, const Board& /*board*/) {
    if (architecture.boards.contains(architecture.default_board)) {
        return std::nullopt;
    }
    return Contradiction{
        fmt::format("one of the boards of this file ({})", fmt::join(std::views::keys(architecture.boards), ", ")),
        architecture.default_board};
}

std::map<ArchitectureKind, std::vector<CrossCheck>> make_cross_checks_by_kind() {
    std::map<ArchitectureKind, std::vector<CrossCheck>> by_kind;
    for (const ArchitectureKind kind : architecture_kinds()) {
        by_kind[kind] = {{{"default_board"}, default_board_exists}};
        std::ranges::copy(definition_of(kind).cross_checks, std::back_inserter(by_kind[kind]));
    }
    return by_kind;
}

}  // namespace

std::optional<Contradiction> at_most(std::int64_t value, std::int64_t limit, std::string_view what) {
    if (value <= limit) {
        return std::nullopt;
    }
    return Contradiction{fmt::format("at most {} ({})", limit, what), std::to_string(value)};
}

std::optional<Contradiction> part_exists(const Architecture& architecture, std::string_view collection,
                                         const std::string& name) {
    const auto parts = architecture.parts.find(collection);
    if (parts == architecture.parts.end() ||
        std::ranges::find(parts->second, name, &Board::name) != parts->second.end()) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    std::ranges::transform(parts->second, std::back_inserter(names), &Board::name);
    return Contradiction{fmt::format("one of the {} of this file ({})", collection, fmt::join(names, ", ")),
                         name + did_you_mean(name, names)};
}

std::string_view CrossCheck::collection(ArchitectureKind kind) const {
    std::string_view collection;
    for (const std::string_view key : keys) {
        const std::string_view of_key = find_field(key, kind)->collection;
        collection = of_key.empty() ? collection : of_key;
    }
    return collection;
}

bool CrossCheck::reads(std::string_view key) const { return std::ranges::find(keys, key) != keys.end(); }

std::span<const CrossCheck> cross_checks(ArchitectureKind kind) {
    static const std::map<ArchitectureKind, std::vector<CrossCheck>> by_kind = make_cross_checks_by_kind();
    return by_kind.at(kind);
}

}  // namespace nocbench
