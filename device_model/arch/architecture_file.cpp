#include "device_model/arch/architecture_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_model/arch/fields/cross_checks.h"
#include "device_model/arch/fields/field_value.h"
#include "device_model/arch/fields/fields.h"
#include "device_model/arch/fields/kinds.h"
#include "device_model/arch/spelling.h"
#include "device_model/arch/yaml_document.h"
#include "device_model/sim/error.h"

namespace nocbench {

namespace {

/// Returns whether a name is safe as a folder name and in lists of parameters.
bool is_plain_name(std::string_view name) {
    constexpr std::string_view kLettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    return !name.empty() && name.front() != '.' && name.front() != '-' &&
           name.find_first_not_of(kLettersAndDigits) == std::string_view::npos;
}

/// Key of a mapping with its value. `bases` are the entries at the same path in the files that this file is based on,
/// the nearest first.
struct Entry {
    TextPosition position;
    YAML::Node value;
    std::vector<Entry> bases;
};

using Entries = std::map<std::string, Entry>;

std::string joined(std::string_view path, std::string_view name) {
    return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

const std::vector<std::string>& statuses() {
    static const std::vector<std::string> names{"derived", "documented", "measured", "fitted", "estimated"};
    return names;
}

constexpr std::string_view kWhatIsRead = "an architecture file";

/// Returns the position of a mark in the file of `owner`.
TextPosition position_of(const YAML::Mark& mark, const TextPosition& owner) {
    TextPosition position = nocbench::position_of(mark);
    position.file = owner.file;
    return position;
}

/// Returns the position of a value, or of its key if there is no value.
TextPosition place_of(const Entry& entry) {
    return entry.value.IsNull() ? entry.position : position_of(entry.value.Mark(), entry.position);
}

class ArchitectureFileReader {
public:
    explicit ArchitectureFileReader(const std::filesystem::path& file) { architecture_.files.push_back(file); }

    Architecture read();

private:
    Entry read_documents();
    std::optional<std::filesystem::path> find_base(const Entry& document);
    void refuse_circle(const Entry& based_on, const std::filesystem::path& base);
    Entries read_merged(const Entry& owner, const std::string& path, const std::string& expected);
    Entries read_mapping(const Entry& owner, const std::string& path, const std::vector<std::string>& names,
                         const std::vector<std::string>& optional_names = {});
    Entries read_distinct_keys(const Entry& owner, const std::string& path, const std::string& expected);
    void check_keys(Entries& entries, TextPosition owner, const std::string& path,
                    const std::vector<std::string>& names, const std::vector<std::string>& optional_names = {});
    void read_kind(const Entries& top);
    void read_collection(std::string_view collection, const Entry& entry);
    void read_field(const Field& field, const std::string& path, const Entry& entry, Board& board);
    void read_constant(const Field& field, const std::string& path, const Entry& entry, Board& board);
    void check_origin(const Entries& parts, const std::string& status, const Entry& entry, const std::string& path);
    void check_fitted_rows(const Entry& entry, const std::string& path);
    void read_into_member(const Field& field, const std::string& path, const Entry& owner, const YAML::Node& value,
                          Board& board);
    std::string read_text(const Entries& entries, const std::string& name, const std::string& path);
    void check_name();
    void run_cross_checks();
    void run_cross_check(const CrossCheck& check, const Board& board);

    void complain(TextPosition position, std::string key, std::string expected, std::string found) {
        mistakes_.push_back({position, std::move(key), std::move(expected), std::move(found)});
    }
    void fail_if_mistaken() const {
        if (!mistakes_.empty()) {
            throw InputError(describe_mistakes(architecture_.files, mistakes_));
        }
    }

    Architecture architecture_;
    std::map<std::string, TextPosition> valid_;  // positions of fields read, by path in the file
    std::vector<Mistake> mistakes_;
};

Architecture ArchitectureFileReader::read() {
    const Entry root = read_documents();
    Entries top = read_merged(root, "", "a mapping whose key kind says which other keys there are");
    if (!root.value.IsMap()) {
        fail_if_mistaken();
    }
    std::erase_if(top, [](const auto& entry) {  // not inherited
        return entry.second.position.file != 0 && (entry.first == "architecture" || entry.first == kBasedOn);
    });
    read_kind(top);
    architecture_.constants = definition_of(architecture_.kind).constants;

    std::vector<std::string> top_names;  // plain text, sections and boards, each once, in the order of the table
    for (const Field& field : fields(architecture_.kind)) {
        const std::string name(!field.collection.empty() ? field.collection
                               : field.section().empty() ? field.key
                                                         : field.section());
        if (std::ranges::find(top_names, name) == top_names.end()) {
            top_names.push_back(name);
        }
    }
    check_keys(top, TextPosition{}, "", top_names, {std::string(kBasedOn)});

    Board no_board;
    for (const std::string& name : top_names) {
        const auto entry = top.find(name);
        if (entry == top.end()) {
            continue;
        }
        if (std::ranges::find(fields(architecture_.kind), name, &Field::collection) !=
            fields(architecture_.kind).end()) {
            read_collection(name, entry->second);
        } else if (const Field* field = find_field(name, architecture_.kind)) {
            read_field(*field, name, entry->second, no_board);
        } else {
            std::vector<std::string> names;
            for (const Field& other : fields(architecture_.kind)) {
                if (other.section() == name) {
                    names.emplace_back(other.name());
                }
            }
            for (const auto& [key, constant] : read_mapping(entry->second, name, names)) {
                const std::string path = joined(name, key);
                read_field(*find_field(path, architecture_.kind), path, constant, no_board);
            }
        }
    }
    check_name();
    run_cross_checks();
    fail_if_mistaken();
    return std::move(architecture_);
}

/// Reads the document of the file, and those of all files that it is based on, directly or indirectly.
Entry ArchitectureFileReader::read_documents() {
    const std::string what(kWhatIsRead);
    Entry root{{}, read_yaml_document(architecture_.files.front(), what), {}};
    std::optional<std::filesystem::path> base = find_base(root);
    while (base) {
        const TextPosition position{.file = static_cast<int>(architecture_.files.size())};
        root.bases.push_back({position, read_yaml_document(*base, what), {}});
        architecture_.files.push_back(*base);
        base = find_base(root.bases.back());
    }
    architecture_.root = architecture_.files.back().stem().string();
    return root;
}

/// Returns the file that a document is based on: an architecture by name, or a path relative to the file's folder.
std::optional<std::filesystem::path> ArchitectureFileReader::find_base(const Entry& document) {
    if (!document.value.IsMap()) {
        return std::nullopt;
    }
    for (const auto& pair : document.value) {
        if (!pair.first.IsScalar() || pair.first.Scalar() != kBasedOn) {
            continue;
        }
        const std::string key(kBasedOn);
        const Entry entry{position_of(pair.first.Mark(), document.position), pair.second, {}};
        const std::string name = read_text({{key, entry}}, key, "");
        std::filesystem::path base = name;
        if (base.extension() == kArchitectureExtension) {
            base = (architecture_.files.back().parent_path() / base).lexically_normal();
            if (!name.empty() && !std::filesystem::is_regular_file(base)) {
                complain(place_of(entry), key, std::string(kWhatIsRead), fmt::format("no file {}", base.string()));
            }
        } else if (const std::vector<std::string> names = architecture_names();
                   std::ranges::find(names, name) != names.end()) {
            base = find_architecture(name);
        } else if (!name.empty()) {
            complain(
                place_of(entry), key,
                fmt::format("one of {}, or the path of a file *{}", fmt::join(names, ", "), kArchitectureExtension),
                name + did_you_mean(name, names));
        }
        fail_if_mistaken();
        refuse_circle(entry, base);
        return base;
    }
    return std::nullopt;
}

void ArchitectureFileReader::refuse_circle(const Entry& based_on, const std::filesystem::path& base) {
    const std::vector<std::filesystem::path>& files = architecture_.files;
    const auto again = std::ranges::find_if(
        files, [&](const std::filesystem::path& file) { return std::filesystem::equivalent(file, base); });
    if (again == files.end()) {
        return;
    }
    std::string circle;
    for (auto file = again; file != files.end(); ++file) {
        circle += file->filename().string() + " -> ";
    }
    complain(place_of(based_on), std::string(kBasedOn), "a file that is not based on this one",
             "the circle " + circle + base.filename().string());
    fail_if_mistaken();
}

/// Returns the entries of a mapping by key, including those that only its bases have.
Entries ArchitectureFileReader::read_merged(const Entry& owner, const std::string& path, const std::string& expected) {
    Entries entries = read_distinct_keys(owner, path, expected);
    for (const Entry& base : owner.bases) {
        for (const auto& [name, entry] : read_distinct_keys(base, path, expected)) {
            const auto [nearer, is_new] = entries.insert({name, entry});
            if (!is_new) {
                nearer->second.bases.push_back(entry);
            }
        }
    }
    return entries;
}

/// Returns the entries of a mapping by key. Reports duplicate keys.
Entries ArchitectureFileReader::read_distinct_keys(const Entry& owner, const std::string& path,
                                                   const std::string& expected) {
    Entries entries;
    const YAML::Node& node = owner.value;
    if (!node.IsMap()) {
        complain(place_of(owner), path.empty() ? "file" : path, expected, description(node));
        return entries;
    }
    for (const auto& pair : node) {
        const TextPosition position = position_of(pair.first.Mark(), owner.position);
        if (!pair.first.IsScalar()) {
            complain(position, path.empty() ? "file" : path, "keys that are plain words", description(pair.first));
            continue;
        }
        const std::string& name = pair.first.Scalar();
        const auto [earlier, is_new] = entries.insert({name, {position, pair.second, {}}});
        if (!is_new) {
            complain(position, joined(path, name), "each key once",
                     fmt::format("it again after line {}", earlier->second.position.line));
        }
    }
    return entries;
}

/// Returns the entries of a mapping. Reports missing `names`, and keys that are in neither `names` nor
/// `optional_names`.
Entries ArchitectureFileReader::read_mapping(const Entry& owner, const std::string& path,
                                             const std::vector<std::string>& names,
                                             const std::vector<std::string>& optional_names) {
    Entries entries = read_merged(owner, path, fmt::format("a mapping with the keys {}", fmt::join(names, ", ")));
    if (owner.value.IsMap()) {
        check_keys(entries, owner.position, path, names, optional_names);
    }
    return entries;
}

/// Reports missing and unknown keys, and drops the unknown ones.
void ArchitectureFileReader::check_keys(Entries& entries, TextPosition owner, const std::string& path,
                                        const std::vector<std::string>& names,
                                        const std::vector<std::string>& optional_names) {
    std::vector<std::string> known = names;
    known.insert(known.end(), optional_names.begin(), optional_names.end());
    for (auto entry = entries.begin(); entry != entries.end();) {
        if (std::ranges::find(known, entry->first) != known.end()) {
            ++entry;
            continue;
        }
        complain(entry->second.position, joined(path, entry->first), "a known key",
                 "an unknown key" + did_you_mean(entry->first, known));
        entry = entries.erase(entry);
    }
    for (const std::string& name : names) {
        if (!entries.contains(name)) {
            complain(owner, joined(path, name), "this key", "nothing");
        }
    }
}

/// Reads the kind first: other mistakes cannot be found without it. A mistake in the kind is reported alone.
void ArchitectureFileReader::read_kind(const Entries& top) {
    constexpr std::string_view kKind = "kind";
    const std::string path(kKind);
    Board no_board;
    if (const auto entry = top.find(path); entry != top.end()) {
        read_field(*find_field(kKind, architecture_.kind), path, entry->second, no_board);
    } else {
        complain(TextPosition{}, path, expectation(*find_field(kKind, architecture_.kind)), "nothing");
    }
    if (!valid_.contains(path)) {
        fail_if_mistaken();
    }
    for (const Entry& base : top.at(path).bases) {
        if (base.value.IsScalar() && base.value.Scalar() != to_string(architecture_.kind)) {
            complain(place_of(top.at(path)), path,
                     fmt::format("{}, as {} has it", base.value.Scalar(), architecture_.files[1].string()),
                     std::string(to_string(architecture_.kind)));
            fail_if_mistaken();
        }
    }
}

/// Reads named parts, each of which has the fields of a section. Boards are parts, too, composed of the others.
void ArchitectureFileReader::read_collection(std::string_view collection, const Entry& entry) {
    const std::string key(collection);
    const bool are_boards = collection == kBoards;
    std::vector<std::string> names;
    std::string section;
    for (const Field& field : fields(architecture_.kind)) {
        if (field.collection == collection) {
            names.emplace_back(field.name());
            section = field.section();
        }
    }
    const Entries parts = read_merged(entry, key, fmt::format("a mapping with a key for each {}", section));
    if (entry.value.IsMap() && parts.empty()) {
        complain(entry.position, key, fmt::format("at least one {}", section), "none");
    }
    for (const auto& [name, part_entry] : parts) {
        const std::string path = joined(key, name);
        Board& part = are_boards ? architecture_.boards[name] : architecture_.parts[key].emplace_back();
        part.name = name;
        part.constants = definition_of(architecture_.kind).board;
        for (const auto& [field_name, constant] : read_mapping(part_entry, path, names)) {
            read_field(*find_field(joined(section, field_name), architecture_.kind), joined(path, field_name), constant,
                       part);
        }
        if (are_boards) {
            compose(architecture_, part);
        }
    }
}

void ArchitectureFileReader::read_field(const Field& field, const std::string& path, const Entry& entry, Board& board) {
    if (field.is_text()) {
        read_into_member(field, path, entry, entry.value, board);
    } else {
        read_constant(field, path, entry, board);
    }
}

/// Reads a constant: its value and its provenance. Value and provenance are inherited from a base only together.
void ArchitectureFileReader::read_constant(const Field& field, const std::string& path, const Entry& entry,
                                           Board& board) {
    const Entries parts = read_mapping({entry.position, entry.value, {}}, path, {"value", "unit", "status", "source"},
                                       {"fitted_to", "fitted_rows"});
    Provenance& provenance = architecture_.provenance[path];
    provenance.source = read_text(parts, "source", path);
    provenance.fitted_to = read_text(parts, "fitted_to", path);
    provenance.status = read_text(parts, "status", path);
    const auto status = parts.find("status");
    if (!provenance.status.empty() && std::ranges::find(statuses(), provenance.status) == statuses().end()) {
        complain(place_of(status->second), joined(path, "status"),
                 fmt::format("one of {}", fmt::join(statuses(), ", ")), provenance.status);
    }
    check_origin(parts, provenance.status, entry, path);
    const std::string unit = read_text(parts, "unit", path);
    if (!unit.empty() && unit != field.unit) {
        complain(place_of(parts.at("unit")), joined(path, "unit"), std::string(field.unit), unit);
    }
    if (const auto value = parts.find("value"); value != parts.end()) {
        read_into_member(field, path, entry, value->second.value, board);
    }
}

/// Checks the origin of a constant. A fitted constant must have fitted_to and fitted_rows. Measured, derived and
/// estimated constants may have fitted_rows; documented ones must not.
void ArchitectureFileReader::check_origin(const Entries& parts, const std::string& status, const Entry& entry,
                                          const std::string& path) {
    const std::string found = fmt::format("it with status {}", status.empty() ? "unknown" : status);
    for (const std::string name : {"fitted_to", "fitted_rows"}) {
        if (status == "fitted" && !parts.contains(name)) {
            complain(entry.position, joined(path, name), "this key, since status is fitted", "nothing");
        }
    }
    if (status != "fitted" && parts.contains("fitted_to")) {
        complain(parts.at("fitted_to").position, joined(path, "fitted_to"), "this key only where status is fitted",
                 found);
    }
    if (const auto rows = parts.find("fitted_rows"); rows != parts.end()) {
        if (status == "documented") {
            complain(rows->second.position, joined(path, "fitted_rows"), "this key only where status is not documented",
                     found);
        }
        check_fitted_rows(rows->second, joined(path, "fitted_rows"));
    }
}

/// Checks the form of references to rows of published tables. The Python side, which reads the tables, checks that the
/// rows exist.
void ArchitectureFileReader::check_fitted_rows(const Entry& entry, const std::string& path) {
    if (!entry.value.IsSequence()) {
        complain(place_of(entry), path, "a list", description(entry.value));
        return;
    }
    for (const YAML::Node& item : entry.value) {
        const Entries parts =
            read_mapping({position_of(item.Mark(), entry.position), item, {}}, path, {"reference"}, {"where"});
        read_text(parts, "reference", path);
        const auto where = parts.find("where");
        if (where == parts.end()) {
            continue;
        }
        const std::string where_path = joined(path, "where");
        for (const auto& [column, condition] :
             read_distinct_keys(where->second, where_path, "a mapping of columns to values")) {
            const auto is_text = [](const YAML::Node& node) { return node.IsScalar() && !node.Scalar().empty(); };
            const YAML::Node& value = condition.value;
            const bool is_condition =
                is_text(value) || (value.IsSequence() && value.size() > 0 && std::ranges::all_of(value, is_text));
            if (!is_condition) {
                complain(place_of(condition), joined(where_path, column), "a value, or a list of values",
                         description(value));
            }
        }
    }
}

void ArchitectureFileReader::read_into_member(const Field& field, const std::string& path, const Entry& owner,
                                              const YAML::Node& value, Board& board) {
    if (const auto mistake = read_value(field, value, architecture_, board)) {
        const bool has_place = !value.IsNull() && !mistake->mark.is_null();
        complain(has_place ? position_of(mistake->mark, owner.position) : owner.position, path, expectation(field),
                 mistake->found);
    } else {
        valid_[path] = owner.position;
    }
}

/// Returns the text of a key. A missing key is reported elsewhere.
std::string ArchitectureFileReader::read_text(const Entries& entries, const std::string& name,
                                              const std::string& path) {
    const auto entry = entries.find(name);
    if (entry == entries.end()) {
        return {};
    }
    const YAML::Node& value = entry->second.value;
    if (!value.IsScalar() || value.Scalar().empty()) {
        complain(place_of(entry->second), joined(path, name), "text", description(value));
        return {};
    }
    return value.Scalar();
}

/// Checks that the name in the file equals the file name: users choose by file name, results carry the name in the
/// file.
void ArchitectureFileReader::check_name() {
    const auto name = valid_.find("architecture");
    const std::string expected = architecture_.files.front().stem().string();
    if (name != valid_.end() && architecture_.name != expected) {
        complain(name->second, "architecture", fmt::format("the name of the file, {}", expected), architecture_.name);
    } else if (name != valid_.end() && !is_plain_name(architecture_.name)) {
        complain(name->second, "architecture", "letters, digits, _, - and dots, the first one no dot",
                 architecture_.name);
    }
}

void ArchitectureFileReader::run_cross_checks() {
    for (const CrossCheck& check : cross_checks(architecture_.kind)) {
        const std::string collection(check.collection(architecture_.kind));
        if (collection.empty()) {
            run_cross_check(check, Board{});
        } else if (collection == kBoards) {
            for (const auto& [name, board] : architecture_.boards) {
                run_cross_check(check, board);
            }
        } else {
            for (const Board& part : architecture_.parts[collection]) {
                run_cross_check(check, part);
            }
        }
    }
}

void ArchitectureFileReader::run_cross_check(const CrossCheck& check, const Board& board) {
    const auto path_in_file = [&](std::string_view key) {
        const Field& field = *find_field(key, architecture_.kind);
        return field.collection.empty() ? std::string(key)
                                        : fmt::format("{}.{}.{}", field.collection, board.name, field.name());
    };
    const bool can_run =
        std::ranges::all_of(check.keys, [&](std::string_view key) { return valid_.contains(path_in_file(key)); });
    if (!can_run) {
        return;
    }
    if (const auto contradiction = check.check(architecture_, board)) {
        // Reports the key in the file itself rather than one in a base.
        const std::string_view key = *std::ranges::min_element(
            check.keys, {}, [&](std::string_view read) { return valid_.at(path_in_file(read)).file; });
        const std::string front = path_in_file(check.keys.front());
        const std::string path = path_in_file(key);
        complain(valid_.at(path), path,
                 (path == front ? "" : fmt::format("{} to be ", front)) + contradiction->expected,
                 contradiction->found);
    }
}

}  // namespace

Architecture read_architecture_file(const std::filesystem::path& file) { return ArchitectureFileReader(file).read(); }

}  // namespace nocbench
