#include "device_model/arch/fields/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "device_model/arch/architecture.h"
#include "device_model/arch/fields/field_builders.h"
#include "device_model/arch/fields/field_value.h"
#include "device_model/arch/fields/kinds.h"

namespace nocbench {

namespace {

template <auto Member>
auto& at_top(Architecture& architecture, Board& /*board*/) {
    return architecture.*Member;
}

template <auto Member>
auto& of_board(Architecture& /*architecture*/, Board& board) {
    return board.*Member;
}

std::vector<Field> top_fields() {
    using A = Architecture;
    return {
        text("architecture", at_top<&A::name>, "name of the architecture, the same as the file's"),
        text("kind", at_top<&A::kind>, "what the machine is built like; it decides which constants there are"),
        text("description", at_top<&A::description>, "one line about the architecture"),
        text("default_board", at_top<&A::default_board>, "the board that is meant where none is named"),
    };
}

std::vector<Field> board_fields() {
    return {
        text("board.description", of_board<&Board::description>, "one line about the board"),
        clock("board.clock_hz", of_board<&Board::clock_hz>, "clock of the tiles"),
    };
}

/// Returns the fields in the order of files. Boards come last.
std::map<ArchitectureKind, std::vector<Field>> make_fields_by_kind() {
    std::map<ArchitectureKind, std::vector<Field>> by_kind;
    for (const ArchitectureKind kind : architecture_kinds()) {
        std::vector<Field>& table = by_kind[kind];
        table = top_fields();
        const std::vector<Field>& of_kind = definition_of(kind).fields;
        std::ranges::copy_if(of_kind, std::back_inserter(table), [](const Field& f) { return !f.is_of_board(); });
        std::ranges::move(in_collection(kBoards, board_fields()), std::back_inserter(table));
        std::ranges::copy_if(of_kind, std::back_inserter(table), &Field::is_of_board);
    }
    return by_kind;
}

}  // namespace

std::string_view Field::section() const {
    const std::size_t dot = key.find('.');
    return dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
}

std::string_view Field::name() const {
    const std::size_t dot = key.find('.');
    return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

std::span<const Field> fields(ArchitectureKind kind) {
    static const std::map<ArchitectureKind, std::vector<Field>> by_kind = make_fields_by_kind();
    return by_kind.at(kind);
}

const Field* find_field(std::string_view key, ArchitectureKind kind) {
    const std::span<const Field> table = fields(kind);
    const auto found = std::ranges::find(table, key, &Field::key);
    return found == table.end() ? nullptr : &*found;
}

const std::string& part_of(const Field& field, Architecture& architecture, Board& board) {
    const Field& choice = *find_field(fmt::format("board.{}", field.section()), architecture.kind);
    const auto access = std::get<FieldAccessor<std::string>>(choice.access);
    return access(architecture, board);
}

std::string_view collection_named_by(const Field& field, ArchitectureKind kind) {
    for (const Field& other : fields(kind)) {
        if (!other.collection.empty() && !other.is_of_board() && field.is_of_board() &&
            field.name() == other.section()) {
            return other.collection;
        }
    }
    return {};
}

void compose(Architecture& architecture, Board& board, std::string_view collection) {
    for (const Field& field : fields(architecture.kind)) {
        if (field.collection.empty() || field.is_of_board() ||
            (!collection.empty() && field.collection != collection)) {
            continue;
        }
        const auto parts = architecture.parts.find(field.collection);
        if (parts == architecture.parts.end()) {
            continue;
        }
        const auto part = std::ranges::find(parts->second, part_of(field, architecture, board), &Board::name);
        if (part != parts->second.end()) {
            std::visit([&](auto access) { access(architecture, board) = access(architecture, *part); }, field.access);
        }
    }
}

std::vector<FieldReport> report_fields(const Architecture& architecture, const std::string& board_name) {
    Architecture machine = architecture;  // accessors return mutable references
    Board board = architecture.board(board_name);
    std::vector<FieldReport> report;
    for (const Field& field : fields(architecture.kind)) {
        report.push_back({field.key, value_text(field, machine, board), field.unit, field.meaning});
    }
    return report;
}

}  // namespace nocbench
