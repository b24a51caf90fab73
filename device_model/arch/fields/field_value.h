// Values of fields: what is expected, and how they are read from YAML and written as text.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>

#include "device_model/arch/fields/fields.h"

namespace nocbench {

/// What stands in a file in the place of what was expected, and where.
struct UnexpectedValue {
    YAML::Mark mark;
    std::string found;
};

/// What a field takes, as it is said after "expected": "a whole number of cycles from 1 to 1000".
std::string expectation(const Field& field);

/// A node, as it is said after "found": a scalar's text, "a list of 3 items", "a mapping", "nothing".
std::string description(const YAML::Node& node);

/// Reads a field's value into its member. If the value is of the wrong type or out of range, the member stays
/// unchanged.
std::optional<UnexpectedValue> read_value(const Field& field, const YAML::Node& node, Architecture& architecture,
                                          Board& board);

/// The YAML node of a value that was given on the command line. Lists may be given without their outer brackets.
YAML::Node setting_node(const Field& field, const std::string& text);

/// A field's value; setting_node() takes it back, except for text.
std::string value_text(const Field& field, Architecture& architecture, Board& board);

/// A number in the form in which the field's numbers are written.
std::string number_text(NumberForm form, std::int64_t value);

}  // namespace nocbench
