// Reading of YAML files with one document each, and the position of every mistake. The only YAML parser.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nocbench {

/// Position in a file; line and column are counted from 1.
struct TextPosition {
    int file = 0;  // index among files that are read together
    int line = 1;
    int column = 1;
    auto operator<=>(const TextPosition&) const = default;
};

/// Returns the position of a mark, or the beginning of the file without one.
TextPosition position_of(const YAML::Mark& mark);

/// Mistake in a file with its position and key.
struct Mistake {
    TextPosition position;
    std::string key;
    std::string expected;
    std::string found;
};

/// Lists mistakes in order of line, as `FILE:LINE:COLUMN: KEY: expected WHAT, found WHAT`, below a line with their
/// number. The first of `files` is the requested one.
std::string describe_mistakes(const std::vector<std::filesystem::path>& files, std::vector<Mistake> mistakes);

/// Returns the documents in a text. Throws YAML::Exception for invalid YAML, aliases, and lists and mappings nested too
/// deeply.
std::vector<YAML::Node> parse_yaml(const std::string& text);

/// Returns the document of a file. Throws InputError if the file does not exist, or does not consist of one document
/// accepted by parse_yaml(). `what` names the expected kind of file: "an architecture file".
YAML::Node read_yaml_document(const std::filesystem::path& file, std::string_view what);

}  // namespace nocbench
