// Tables of fields: every constant of architecture files, declared once, in fields.cpp of each kind of machine.
// Parsing, validation, error messages, reports and the JSON Schema are derived from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "device_model/arch/architecture_kind.h"
#include "device_model/arch/fields/field_types.h"
#include "device_model/sim/coordinate.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

struct Architecture;
struct Board;

/// Notation of a field's numbers in a file.
enum class NumberForm : std::uint8_t {
    whole,
    power_of_two,
    decimal_cycles,  // cycles with at most four decimals; kept as ticks, so that 1.0205 cycles are exactly 10205 ticks
};

/// Function that returns the member of a field. Fields of a board and of its parts are members of `Board`, all others
/// of `Architecture`.
template <typename Value>
using FieldAccessor = Value& (*)(Architecture&, Board&);

/// Accessor of any field type.
using FieldAccess =
    std::variant<FieldAccessor<std::string>, FieldAccessor<ArchitectureKind>, FieldAccessor<std::int64_t>,
                 FieldAccessor<std::array<Tick, kNumNocs>>, FieldAccessor<std::vector<std::int64_t>>,
                 FieldAccessor<std::vector<PhysicalCoordinate>>,
                 FieldAccessor<std::vector<std::vector<PhysicalCoordinate>>>, FieldAccessor<std::vector<DramBank>>>;

/// Spelling of "no limit" in files.
inline constexpr std::string_view kNeverText = "never";

/// Key that names the base of a file.
inline constexpr std::string_view kBasedOn = "based_on";

/// Collection of boards; every kind of machine has it.
inline constexpr std::string_view kBoards = "boards";

struct Field {
    std::string_view key;   // path in the file; `board.` stands for `boards.<name of the board>.`
    std::string_view unit;  // empty for plain text, which has neither unit nor status nor source
    NumberForm form = NumberForm::whole;
    std::int64_t minimum = 0;  // of each number, inclusive; in ticks for decimal_cycles
    std::int64_t maximum = 0;
    std::size_t minimum_items = 0;  // of a list
    FieldAccess access;
    std::string_view meaning;
    /// Key of the file that lists named parts, each with its own section: "boards", "hosts". The plain text
    /// `board.host` names the host of a board. Empty: the section occurs only once.
    std::string_view collection = {};                  // NOLINT(readability-redundant-member-init): may be omitted
    std::optional<std::int64_t> never = std::nullopt;  // value of a number spelled `never` in files
    /// Words that files have in place of the numbers 0, 1 and so on. Empty: numbers.
    std::span<const std::string_view> words = {};  // NOLINT(readability-redundant-member-init): may be omitted

    [[nodiscard]] bool is_text() const {
        return std::holds_alternative<FieldAccessor<std::string>>(access) ||
               std::holds_alternative<FieldAccessor<ArchitectureKind>>(access);
    }
    [[nodiscard]] bool is_of_board() const { return collection == kBoards; }
    /// Returns "router" for "router.hop_cycles"; empty for fields at the top of the file.
    [[nodiscard]] std::string_view section() const;
    /// Returns "hop_cycles" for "router.hop_cycles".
    [[nodiscard]] std::string_view name() const;
};

/// Returns all fields of a kind of machine, section by section in the order of the file.
std::span<const Field> fields(ArchitectureKind kind);

/// Returns the field of this kind of machine with this key, or nullptr.
const Field* find_field(std::string_view key, ArchitectureKind kind);

/// Returns the name of the board's part in the collection of a field: "scu3" for `host.driver_ns`.
const std::string& part_of(const Field& field, Architecture& architecture, Board& board);

/// Returns the collection of the part named by a field of boards: "hosts" for `board.host`; otherwise empty.
std::string_view collection_named_by(const Field& field, ArchitectureKind kind);

/// Copies the values of the parts that a board names into the board: parts of `collection`, or of all if empty. Unknown
/// names are reported elsewhere.
void compose(Architecture& architecture, Board& board, std::string_view collection = {});

/// Field with its value, for display.
struct FieldReport {
    std::string_view key;
    std::string value;  // in the notation of settings
    std::string_view unit;
    std::string_view meaning;
};

/// Returns every field of a machine that is `board` (the default board if empty), in the order of the table.
std::vector<FieldReport> report_fields(const Architecture& architecture, const std::string& board_name = "");

}  // namespace nocbench
