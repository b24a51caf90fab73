// Reading of YAML: files of one document each, with the place of every mistake. Nothing else parses YAML.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nocbench {

/// Where something stands in a file, counted from 1.
struct TextPosition {
    int file = 0;  // index among files that are read together
    int line = 1;
    int column = 1;
    auto operator<=>(const TextPosition&) const = default;
};

/// The beginning of the file, where there is no mark.
TextPosition position_of(const YAML::Mark& mark);

/// A mistake in a file: what is wrong at which key, and where that is.
struct Mistake {
    TextPosition position;
    std::string key;
    std::string expected;
    std::string found;
};

/// Lists mistakes in order of line, as `FILE:LINE:COLUMN: KEY: expected WHAT, found WHAT`, below a line with their
/// number. The first of `files` is the one that was asked for.
std::string describe_mistakes(const std::vector<std::filesystem::path>& files, std::vector<Mistake> mistakes);

/// The documents in a text. Throws YAML::Exception if that is no YAML, if it has aliases, or if lists and mappings in
/// it are nested deeper than any file of ours needs.
std::vector<YAML::Node> parse_yaml(const std::string& text);

/// The document of a file. Throws InputError if there is no such file, or not one document in it that
/// parse_yaml takes; `what` says what kind of file was expected, as "an architecture file".
YAML::Node read_yaml_document(const std::filesystem::path& file, std::string_view what);

}  // namespace nocbench
