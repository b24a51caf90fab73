#include "device_model/arch/architecture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "device_model/arch/architecture_file.h"
#include "device_model/arch/fields/cross_checks.h"
#include "device_model/arch/fields/field_value.h"
#include "device_model/arch/fields/fields.h"
#include "device_model/arch/fields/kinds.h"
#include "device_model/arch/spelling.h"
#include "device_model/arch/yaml_document.h"
#include "device_model/sim/error.h"

namespace nocbench {

namespace {

std::filesystem::path& architecture_directory() {
    static std::filesystem::path directory = NOCBENCH_ARCHITECTURE_DIRECTORY;
    return directory;
}

std::map<std::string, std::filesystem::path>& added_architectures() {
    static std::map<std::string, std::filesystem::path> files;
    return files;
}

std::string mistake_in(const Setting& setting, std::string_view expected, std::string_view found) {
    return fmt::format("setting {}={}: expected {}, found {}", setting.first, setting.second, expected, found);
}

/// Returns the mistake in a setting whose key is not a field of the architecture, or a field of plain text. `key` is
/// the key in the table of fields.
std::string unknown_field(const Setting& setting, const std::string& key, const Architecture& architecture) {
    const std::string expected = fmt::format("a field of architecture {}", architecture.name);
    for (const ArchitectureKind other : architecture_kinds()) {
        if (find_field(key, architecture.kind) == nullptr && find_field(key, other) != nullptr) {
            return mistake_in(setting, fmt::format("{}, of kind {}", expected, to_string(architecture.kind)),
                              fmt::format("{}, a field of kind {}", key, to_string(other)));
        }
    }
    std::vector<std::string> keys;
    for (const Field& candidate : fields(architecture.kind)) {
        if (!candidate.is_text() || !collection_named_by(candidate, architecture.kind).empty()) {
            keys.emplace_back(candidate.key);
        }
    }
    return mistake_in(setting, expected, fmt::format("the unknown field {}{}", key, did_you_mean(key, keys)));
}

/// Returns the key in the table of fields for a setting's key. A setting may name a part of the board as in the file:
/// `hosts.scu3.driver_ns` becomes `host.driver_ns` if the board has host scu3. Other keys are unchanged.
std::string key_in_table(const std::string& key, Architecture& architecture, Board& board) {
    for (const Field& field : fields(architecture.kind)) {
        if (field.collection.empty() || field.is_of_board()) {
            continue;
        }
        const std::string part = fmt::format("{}.{}.", field.collection, part_of(field, architecture, board));
        if (key.starts_with(part)) {
            return fmt::format("{}.{}", field.section(), std::string_view(key).substr(part.size()));
        }
    }
    return key;
}

/// Returns the mistake in a setting of a part that the board does not have; empty otherwise.
std::string other_part(const Setting& setting, Architecture& architecture, Board& board) {
    for (const auto& [collection, parts] : architecture.parts) {
        if (setting.first.starts_with(collection + '.')) {
            const Field& field = *std::ranges::find(fields(architecture.kind), collection, &Field::collection);
            return mistake_in(setting,
                              fmt::format("a field of {}.{}, the {} of board {}", collection,
                                          part_of(field, architecture, board), field.section(), board.name),
                              setting.first);
        }
    }
    return {};
}

/// Sets the accuracy of networks. Returns the mistake in the setting, or nothing.
std::string apply_accuracy(const Setting& setting, Architecture& architecture) {
    if (setting.second == "fast" && architecture.kind != ArchitectureKind::tensix_torus) {
        return mistake_in(setting, fmt::format("exact for an architecture of kind {}", to_string(architecture.kind)),
                          setting.second);
    }
    if (setting.second != "exact" && setting.second != "fast") {
        return mistake_in(setting, "exact or fast", setting.second);
    }
    architecture.accuracy = setting.second == "fast" ? Accuracy::fast : Accuracy::exact;
    return {};
}

/// Applies one setting. Returns the mistake in it, or nothing.
std::string apply(const Setting& setting, Architecture& architecture, Board& board) {
    const std::string& text = setting.second;
    if (setting.first == kAccuracySetting) {
        return apply_accuracy(setting, architecture);
    }
    const std::string key = key_in_table(setting.first, architecture, board);
    if (std::string complaint = key == setting.first ? other_part(setting, architecture, board) : "";
        !complaint.empty()) {
        return complaint;
    }
    const Field* field = find_field(key, architecture.kind);
    const std::string_view collection = field == nullptr ? "" : collection_named_by(*field, architecture.kind);
    if (field == nullptr || (field->is_text() && collection.empty())) {
        return unknown_field(setting, key, architecture);
    }
    if (const auto mistake = read_value(*field, setting_node(*field, text), architecture, board)) {
        return mistake_in(setting, expectation(*field), mistake->found.empty() ? "nothing" : mistake->found);
    }
    if (!collection.empty()) {
        compose(architecture, board, collection);
    }
    return {};
}

/// Returns contradictions of settings with the file or with each other. Each is reported for the last setting involved.
std::vector<std::string> contradictions(const std::vector<Setting>& settings, const Architecture& architecture,
                                        const Board& board) {
    std::vector<std::string> complaints;
    for (const CrossCheck& check : cross_checks(architecture.kind)) {
        const auto newest_first = std::views::reverse(settings);
        const auto setting =
            std::ranges::find_if(newest_first, [&](const Setting& candidate) { return check.reads(candidate.first); });
        if (setting == newest_first.end()) {
            continue;
        }
        if (const auto contradiction = check.check(architecture, board)) {
            const std::string_view key = check.keys.front();
            const std::string subject = key == setting->first ? "" : fmt::format("{} to be ", key);
            complaints.push_back(mistake_in(*setting, subject + contradiction->expected, contradiction->found));
        }
    }
    return complaints;
}

void apply_settings(const std::vector<Setting>& settings, Architecture& architecture, Board& board) {
    std::vector<std::string> complaints;
    for (const Setting& setting : settings) {
        if (std::string complaint = apply(setting, architecture, board); !complaint.empty()) {
            complaints.push_back(std::move(complaint));
        }
    }
    if (complaints.empty()) {
        complaints = contradictions(settings, architecture, board);
    }
    if (!complaints.empty()) {
        throw InputError(fmt::format("{}", fmt::join(complaints, "\n")));
    }
}

}  // namespace

std::int64_t Architecture::flit_bytes() const { return definition_of(kind).flit_bytes(*this); }

double Architecture::link_bytes_per_cycle() const {
    const KindDefinition& definition = definition_of(kind);
    const std::int64_t cycles = definition.cycles_per_flit == nullptr ? 1 : definition.cycles_per_flit(*this);
    return static_cast<double>(flit_bytes()) / static_cast<double>(cycles);
}

const Board& Architecture::board(const std::string& board_name) const {
    const auto found = boards.find(board_name.empty() ? default_board : board_name);
    if (found != boards.end()) {
        return found->second;
    }
    const auto keys = std::views::keys(boards);
    const std::vector<std::string> names(keys.begin(), keys.end());
    throw InputError(fmt::format("board: expected one of {} for architecture {}, found {}{}", fmt::join(names, ", "),
                                 name, board_name, did_you_mean(board_name, names)));
}

Architecture load_architecture(const std::filesystem::path& file, const std::string& board_name,
                               const std::vector<Setting>& settings) {
    Architecture architecture = read_architecture_file(file);
    Board& board = architecture.boards.at(architecture.board(board_name).name);
    apply_settings(settings, architecture, board);
    if (const auto complete = definition_of(architecture.kind).complete; complete != nullptr) {
        complete(architecture);
    }
    return architecture;
}

std::filesystem::path find_architecture(const std::string& name) {
    if (const auto added = added_architectures().find(name); added != added_architectures().end()) {
        return added->second;
    }
    const std::vector<std::string> names = architecture_names();
    if (std::ranges::find(names, name) == names.end()) {
        throw InputError(fmt::format("architecture: expected one of {}, found {}{}", fmt::join(names, ", "), name,
                                     did_you_mean(name, names)));
    }
    return architecture_directory() / (name + std::string(kArchitectureExtension));
}

std::string add_architecture(const std::filesystem::path& file) {
    const std::string name = load_architecture(file).name;
    const std::vector<std::string> names = architecture_names();
    std::erase_if(added_architectures(), [](const auto& added) { return !std::filesystem::exists(added.second); });
    const bool is_known = added_architectures().contains(name) || std::ranges::find(names, name) != names.end();
    if (!is_known) {
        added_architectures().emplace(name, std::filesystem::absolute(file));
    } else if (const std::filesystem::path other = find_architecture(name); !std::filesystem::equivalent(file, other)) {
        const YAML::Node place = read_yaml_document(file, "an architecture file")["architecture"];
        throw InputError(describe_mistakes(
            {file}, {{position_of(place.Mark()), "architecture", "a name that no other architecture has",
                      fmt::format("{}, the name of {}", name, other.string())}}));
    }
    return name;
}

std::vector<std::string> architecture_names() {
    std::error_code error;
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(architecture_directory(), error)) {
        if (entry.path().extension() == kArchitectureExtension) {
            names.insert(entry.path().stem().string());
        }
    }
    if (error || names.empty()) {
        throw InputError(fmt::format("{}: expected a directory of architecture files (*.yaml), found {}",
                                     architecture_directory().string(), error ? error.message() : "none in it"));
    }
    return {names.begin(), names.end()};
}

std::vector<std::string> architecture_names(ArchitectureKind kind) {
    std::vector<std::string> names = architecture_names();
    std::erase_if(names,
                  [&](const std::string& name) { return load_architecture(find_architecture(name)).kind != kind; });
    return names;
}

void set_architecture_directory(const std::filesystem::path& directory) { architecture_directory() = directory; }

}  // namespace nocbench
