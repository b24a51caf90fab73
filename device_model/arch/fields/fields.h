// The tables of fields: every constant of architecture files, declared once, in fields.cpp of each kind of machine.
// Parsing, validation, error messages, reports and the JSON Schema all follow from it.
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

/// How the numbers of a field are written in a file.
enum class NumberForm : std::uint8_t {
    whole,
    power_of_two,
    decimal_cycles,  // cycles with at most four decimals; kept as ticks, so that 1.0205 cycles are exactly 10205 ticks
};

/// Finds the member that a field fills. Fields of a board, and of the parts that it is composed of, are found in
/// `Board`, all others in `Architecture`.
template <typename Value>
using FieldAccessor = Value& (*)(Architecture&, Board&);

/// The type of a field is the type of its member.
using FieldAccess =
    std::variant<FieldAccessor<std::string>, FieldAccessor<ArchitectureKind>, FieldAccessor<std::int64_t>,
                 FieldAccessor<std::array<Tick, kNumNocs>>, FieldAccessor<std::vector<std::int64_t>>,
                 FieldAccessor<std::vector<PhysicalCoordinate>>,
                 FieldAccessor<std::vector<std::vector<PhysicalCoordinate>>>, FieldAccessor<std::vector<DramBank>>>;

/// A limit that is not there, as files spell it.
inline constexpr std::string_view kNeverText = "never";

/// The key that names what a file is based on.
inline constexpr std::string_view kBasedOn = "based_on";

/// The collection of boards, which every kind of machine has.
inline constexpr std::string_view kBoards = "boards";

struct Field {
    std::string_view key;   // path in the file; `board.` stands for `boards.<name of the board>.`, and so on
    std::string_view unit;  // empty for plain text, which has no unit, status or source either
    NumberForm form = NumberForm::whole;
    std::int64_t minimum = 0;  // of each number, inclusive; in ticks for decimal_cycles
    std::int64_t maximum = 0;
    std::size_t minimum_items = 0;  // of a list
    FieldAccess access;
    std::string_view meaning;
    /// The key of the file that lists named parts, each with a section of its own: "boards", "hosts". The plain text
    /// `board.host` names the host of a board. Empty: the file has the field's section only once.
    std::string_view collection = {};                  // NOLINT(readability-redundant-member-init): may be left out
    std::optional<std::int64_t> never = std::nullopt;  // the value of a number that files spell `never`

    [[nodiscard]] bool is_text() const {
        return std::holds_alternative<FieldAccessor<std::string>>(access) ||
               std::holds_alternative<FieldAccessor<ArchitectureKind>>(access);
    }
    [[nodiscard]] bool is_of_board() const { return collection == kBoards; }
    /// "router" for "router.hop_cycles"; empty for fields at the top of the file.
    [[nodiscard]] std::string_view section() const;
    /// "hop_cycles" for "router.hop_cycles".
    [[nodiscard]] std::string_view name() const;
};

/// All fields of a kind of machine, section by section in the order of the file.
std::span<const Field> fields(ArchitectureKind kind);

/// The field of this kind of machine with this key, or nullptr.
const Field* find_field(std::string_view key, ArchitectureKind kind);

/// The name of the part that a board has of the collection that a field belongs to: "scu3" for `host.driver_ns`.
const std::string& part_of(const Field& field, Architecture& architecture, Board& board);

/// The collection of parts of which a field of boards names one: "hosts" for `board.host`. Empty: it names none.
std::string_view collection_named_by(const Field& field, ArchitectureKind kind);

/// Gives a board the values of the parts that it names: of `collection`, or of all if it is empty. A name that no part
/// has is complained about elsewhere.
void compose(Architecture& architecture, Board& board, std::string_view collection = {});

/// One field with its value, for people to read.
struct FieldReport {
    std::string_view key;
    std::string value;  // written as a setting takes it
    std::string_view unit;
    std::string_view meaning;
};

/// Every field of a machine that is `board` (the default board if empty), in the order of the table.
std::vector<FieldReport> report_fields(const Architecture& architecture, const std::string& board_name = "");

}  // namespace nocbench
