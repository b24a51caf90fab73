#include "device_model/arch/fields/field_builders.h"

namespace nocbench {

Field text(std::string_view key, FieldAccess access, std::string_view meaning) {
    return {.key = key, .unit = "", .access = access, .meaning = meaning};
}

Field whole(std::string_view key, std::string_view unit, std::int64_t minimum, std::int64_t maximum, FieldAccess access,
            std::string_view meaning) {
    return {.key = key, .unit = unit, .minimum = minimum, .maximum = maximum, .access = access, .meaning = meaning};
}

Field flag(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "count", 0, 1, access, meaning);
}

Field word(std::string_view key, std::span<const std::string_view> words, FieldAccess access,
           std::string_view meaning) {
    Field field = whole(key, "word", 0, static_cast<std::int64_t>(words.size()) - 1, access, meaning);
    field.words = words;
    return field;
}

Field latency(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "cycles", 0, kLatencyMaximum, access, meaning);
}

Field nanoseconds(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "nanoseconds", 0, 1'000'000'000, access, meaning);
}

Field clock(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "hertz", 1'000'000, 100'000'000'000, access, meaning);
}

Field power_of_two(std::string_view key, std::string_view unit, std::int64_t minimum, std::int64_t maximum,
                   FieldAccess access, std::string_view meaning) {
    Field field = whole(key, unit, minimum, maximum, access, meaning);
    field.form = NumberForm::power_of_two;
    return field;
}

Field decimal(std::string_view key, std::string_view unit, Cycle minimum, Cycle maximum, FieldAccess access,
              std::string_view meaning) {
    Field field = whole(key, unit, ticks_from_cycles(minimum), ticks_from_cycles(maximum), access, meaning);
    field.form = NumberForm::decimal_cycles;
    return field;
}

Field step(std::string_view key, FieldAccess access, std::string_view meaning) {
    return decimal(key, "cycles", 0, kStepMaximum, access, meaning);
}

Field list(std::string_view key, std::string_view unit, std::int64_t maximum, std::size_t minimum_items,
           FieldAccess access, std::string_view meaning) {
    Field field = whole(key, unit, 0, maximum, access, meaning);
    field.minimum_items = minimum_items;
    return field;
}

Field or_never(std::int64_t never, Field field) {
    field.never = never;
    return field;
}

std::vector<Field> in_collection(std::string_view collection, std::vector<Field> fields) {
    for (Field& field : fields) {
        field.collection = collection;
    }
    return fields;
}

}  // namespace nocbench
