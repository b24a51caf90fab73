// Values of fields: expectations, reading from YAML, and formatting as text.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>

#include "device_model/arch/fields/fields.h"

namespace nocbench {

/// Unexpected value in a file, and its position.
struct UnexpectedValue {
    YAML::Mark mark;
    std::string found;
};

/// Returns the values that a field accepts, to follow "expected" in messages: "a whole number of cycles from 1 to
/// 1000".
std::string expectation(const Field& field);

/// Returns the description of a node, to follow "found" in messages: a scalar's text, "a list of 3 items", "a mapping",
/// "nothing".
std::string description(const YAML::Node& node);

/// Reads a field's value into its member. Returns a value of the wrong type or out of range, and leaves the member
/// unchanged.
std::optional<UnexpectedValue> read_value(const Field& field, const YAML::Node& node, Architecture& architecture,
                                          Board& board);

/// Returns the YAML node of a value given on the command line. Lists may omit their outer brackets.
YAML::Node setting_node(const Field& field, const std::string& text);

/// Returns a field's value as text, in the format of setting_node() except for plain text.
std::string value_text(const Field& field, Architecture& architecture, Board& board);

/// Returns a number in the form of the field's numbers.
std::string number_text(NumberForm form, std::int64_t value);

}  // namespace nocbench
