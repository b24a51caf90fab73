// Builders of fields for tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "device_model/arch/fields/fields.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

inline constexpr std::int64_t kGridMaximum = 64;  // columns or rows
inline constexpr std::int64_t kPlaceMaximum = kGridMaximum - 1;
inline constexpr std::int64_t kLatencyMaximum = 100'000;  // cycles
inline constexpr Cycle kStepMaximum = 10'000;             // cycles of a step of a program's code

/// Returns a field of plain text.
Field text(std::string_view key, FieldAccess access, std::string_view meaning);
Field whole(std::string_view key, std::string_view unit, std::int64_t minimum, std::int64_t maximum, FieldAccess access,
            std::string_view meaning);
Field flag(std::string_view key, FieldAccess access, std::string_view meaning);
/// Returns a field whose value is the index of a word, which files spell.
Field word(std::string_view key, std::span<const std::string_view> words, FieldAccess access, std::string_view meaning);
Field latency(std::string_view key, FieldAccess access, std::string_view meaning);
Field nanoseconds(std::string_view key, FieldAccess access, std::string_view meaning);
Field clock(std::string_view key, FieldAccess access, std::string_view meaning);
Field power_of_two(std::string_view key, std::string_view unit, std::int64_t minimum, std::int64_t maximum,
                   FieldAccess access, std::string_view meaning);
Field decimal(std::string_view key, std::string_view unit, Cycle minimum, Cycle maximum, FieldAccess access,
              std::string_view meaning);
/// Returns a field for the cycles of a step of a program's code.
Field step(std::string_view key, FieldAccess access, std::string_view meaning);
Field list(std::string_view key, std::string_view unit, std::int64_t maximum, std::size_t minimum_items,
           FieldAccess access, std::string_view meaning);
/// Returns `field` with the further value `never`, read as the number `never`.
Field or_never(std::int64_t never, Field field);

/// Sets the key of the file under which several named parts have these fields.
std::vector<Field> in_collection(std::string_view collection, std::vector<Field> fields);

}  // namespace nocbench
