#include "device_model/arch/fields/field_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "device_model/arch/number_in_text.h"
#include "device_model/arch/spelling.h"
#include "device_model/arch/yaml_document.h"

namespace nocbench {

namespace {

constexpr std::size_t kMaximumDecimals = 4;
static_assert(kTicksPerCycle == 10'000, "a tick is the last of kMaximumDecimals decimals of a cycle");

/// Parses a whole number in decimal digits. Refuses leading zeros: YAML parsers disagree on whether 010 is eight or
/// ten.
std::optional<std::int64_t> parse_whole(std::string_view text) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.size() > 1 && digits.starts_with('0')) {
        return std::nullopt;
    }
    return number_in<std::int64_t>(text);
}

/// Parses digit by digit instead of as floating point, so that every value of up to four decimals is exact.
std::optional<Tick> parse_decimal_cycles(std::string_view text) {
    const std::size_t point = text.find('.');
    const std::optional<std::int64_t> cycles = parse_whole(text.substr(0, point));
    if (!cycles || text.starts_with('-') || *cycles > std::numeric_limits<Tick>::max() / kTicksPerCycle - 1) {
        return std::nullopt;
    }
    Tick ticks = ticks_from_cycles(*cycles);
    if (point == std::string_view::npos) {
        return ticks;
    }
    const std::string_view decimals = text.substr(point + 1);
    if (decimals.empty() || decimals.size() > kMaximumDecimals) {
        return std::nullopt;
    }
    Tick weight = kTicksPerCycle;
    for (const char digit : decimals) {
        if (digit < '0' || digit > '9') {
            return std::nullopt;
        }
        weight /= 10;
        ticks += weight * (digit - '0');
    }
    return ticks;
}

bool is_quoted(const YAML::Node& node) { return node.Tag() == "!"; }

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const ArchitectureKind kind : architecture_kinds()) {
        names.emplace_back(to_string(kind));
    }
    return names;
}

UnexpectedValue unexpected(const YAML::Node& node) { return {node.Mark(), description(node)}; }

/// Reads one value of any field type. Each function returns the mistake, if any, and sets `value` only without one.
class ValueReader {
public:
    explicit ValueReader(const Field& field) : field_(field) {}

    static std::optional<UnexpectedValue> read(const YAML::Node& node, std::string& value) {
        if (!node.IsScalar() || node.Scalar().empty()) {
            return unexpected(node);
        }
        value = node.Scalar();
        return std::nullopt;
    }

    static std::optional<UnexpectedValue> read(const YAML::Node& node, ArchitectureKind& value) {
        std::int64_t index = 0;
        if (auto mistake = read_word(node, kind_names(), index)) {
            return mistake;
        }
        value = architecture_kinds()[static_cast<std::size_t>(index)];
        return std::nullopt;
    }

    std::optional<UnexpectedValue> read(const YAML::Node& node, std::int64_t& value) const {
        if (!field_.words.empty()) {
            return read_word(node, {field_.words.begin(), field_.words.end()}, value);
        }
        if (field_.never && node.IsScalar() && !is_quoted(node) && node.Scalar() == kNeverText) {
            value = *field_.never;
            return std::nullopt;
        }
        const std::optional<std::int64_t> number = read_number(node);
        const bool fits = number && *number >= field_.minimum && *number <= field_.maximum;
        if (!fits ||
            (field_.form == NumberForm::power_of_two && !std::has_single_bit(static_cast<std::uint64_t>(*number)))) {
            return unexpected(node);
        }
        value = *number;
        return std::nullopt;
    }

    std::optional<UnexpectedValue> read(const YAML::Node& node, PhysicalCoordinate& value) const {
        std::array<std::int64_t, 2> x_and_y{};
        if (auto mistake = read(node, x_and_y)) {
            return mistake;
        }
        value = {.x = static_cast<int>(x_and_y[0]), .y = static_cast<int>(x_and_y[1])};
        return std::nullopt;
    }

    std::optional<UnexpectedValue> read(const YAML::Node& node, DramBank& value) const {
        if (!node.IsMap() || node.size() != 3) {
            return unexpected(node);
        }
        DramBank bank;
        const Field channel = number_field(kBankChannelMaximum);
        const Field offset = number_field(kBankOffsetMaximum);
        for (const auto& entry : node) {
            const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "";
            std::optional<UnexpectedValue> mistake;
            if (name == "channel") {
                mistake = ValueReader(channel).read(entry.second, bank.channel);
            } else if (name == "endpoints") {
                mistake = read(entry.second, bank.endpoint);
            } else if (name == "offset_bytes") {
                mistake = ValueReader(offset).read(entry.second, bank.offset_bytes);
            } else {
                mistake = UnexpectedValue{entry.first.Mark(), fmt::format("the key {}", description(entry.first))};
            }
            if (mistake) {
                return mistake;
            }
        }
        value = bank;
        return std::nullopt;
    }

    template <typename Item, std::size_t kSize>
    std::optional<UnexpectedValue> read(const YAML::Node& node, std::array<Item, kSize>& value) const {
        if (!node.IsSequence() || node.size() != kSize) {
            return unexpected(node);
        }
        std::array<Item, kSize> items{};
        for (std::size_t index = 0; index < kSize; ++index) {
            if (auto mistake = read(node[index], items[index])) {
                return mistake;
            }
        }
        value = items;
        return std::nullopt;
    }

    template <typename Item>
    std::optional<UnexpectedValue> read(const YAML::Node& node, std::vector<Item>& value) const {
        if (!node.IsSequence() || node.size() < field_.minimum_items) {
            return unexpected(node);
        }
        std::vector<Item> items;
        for (const YAML::Node& child : node) {
            Item item{};
            if (auto mistake = read(child, item)) {
                return mistake;
            }
            // Duplicate numbers or places are mistakes, but different channels may have the same tiles.
            if constexpr (std::is_same_v<Item, std::int64_t> || std::is_same_v<Item, PhysicalCoordinate>) {
                if (std::ranges::find(items, item) != items.end()) {
                    return UnexpectedValue{child.Mark(), fmt::format("{} twice", item_text(item))};
                }
            }
            items.push_back(std::move(item));
        }
        value = std::move(items);
        return std::nullopt;
    }

private:
    static constexpr std::int64_t kBankChannelMaximum = 255;
    static constexpr std::int64_t kBankOffsetMaximum = 1LL << 36;

    static Field number_field(std::int64_t maximum) {
        Field field;
        field.maximum = maximum;
        return field;
    }

    static std::optional<UnexpectedValue> read_word(const YAML::Node& node, const std::vector<std::string>& words,
                                                    std::int64_t& index) {
        if (!node.IsScalar() || node.Scalar().empty()) {
            return unexpected(node);
        }
        const auto word = std::ranges::find(words, node.Scalar());
        if (word == words.end()) {
            return UnexpectedValue{node.Mark(), description(node) + did_you_mean(node.Scalar(), words)};
        }
        index = word - words.begin();
        return std::nullopt;
    }

    static std::string item_text(std::int64_t item) { return std::to_string(item); }
    static std::string item_text(PhysicalCoordinate item) { return fmt::format("[{}, {}]", item.x, item.y); }

    std::optional<std::int64_t> read_number(const YAML::Node& node) const {
        if (!node.IsScalar() || is_quoted(node)) {
            return std::nullopt;
        }
        return field_.form == NumberForm::decimal_cycles ? parse_decimal_cycles(node.Scalar())
                                                         : parse_whole(node.Scalar());
    }

    const Field& field_;
};

/// Formats values as in a file.
class ValueWriter {
public:
    explicit ValueWriter(const Field& field) : field_(field) {}

    static std::string text(const std::string& value) { return value; }
    static std::string text(ArchitectureKind value) { return std::string(to_string(value)); }
    std::string text(std::int64_t value) const {
        if (!field_.words.empty()) {
            return std::string(field_.words[static_cast<std::size_t>(value)]);
        }
        return field_.never == value ? std::string(kNeverText) : number_text(field_.form, value);
    }
    static std::string text(PhysicalCoordinate value) { return fmt::format("[{}, {}]", value.x, value.y); }
    std::string text(const DramBank& value) const {
        return fmt::format("{{channel: {}, endpoints: {}, offset_bytes: {}}}", value.channel, text(value.endpoint),
                           value.offset_bytes);
    }
    template <typename Item, std::size_t kSize>
    std::string text(const std::array<Item, kSize>& value) const {
        return list_text(value);
    }
    template <typename Item>
    std::string text(const std::vector<Item>& value) const {
        return list_text(value);
    }

private:
    template <typename Items>
    std::string list_text(const Items& items) const {
        std::vector<std::string> texts;
        texts.reserve(items.size());
        for (const auto& item : items) {
            texts.push_back(text(item));
        }
        return fmt::format("[{}]", fmt::join(texts, ", "));
    }

    const Field& field_;
};

/// Describes each type of value, given the expectation of one number in it.
struct TypeExpectation {
    std::span<const std::string_view> words;
    std::string number;

    std::string operator()(FieldAccessor<std::string> /*unused*/) const { return "text"; }
    std::string operator()(FieldAccessor<ArchitectureKind> /*unused*/) const {
        return fmt::format("one of {}", fmt::join(kind_names(), ", "));
    }
    std::string operator()(FieldAccessor<std::int64_t> /*unused*/) const {
        return words.empty() ? "a " + number : fmt::format("one of {}", fmt::join(words, ", "));
    }
    std::string operator()(FieldAccessor<std::array<Tick, kNumNocs>> /*unused*/) const {
        return fmt::format("a list of {} numbers (NoC 0, NoC 1), each a {}", kNumNocs, number);
    }
    std::string operator()(FieldAccessor<std::vector<std::int64_t>> /*unused*/) const {
        return fmt::format("a list of different numbers, each a {}", number);
    }
    std::string operator()(FieldAccessor<std::vector<PhysicalCoordinate>> /*unused*/) const {
        return fmt::format("a list of different places [x, y], x and y each a {}", number);
    }
    std::string operator()(FieldAccessor<std::vector<std::vector<PhysicalCoordinate>>> /*unused*/) const {
        return fmt::format("for each channel a list of different places [x, y], x and y each a {}", number);
    }
    std::string operator()(FieldAccessor<std::vector<DramBank>> /*unused*/) const {
        return fmt::format(
            "a list of {{channel: number, endpoints: [[x, y], [x, y]], offset_bytes: number}}, x and y "
            "each a {}",
            number);
    }
};

/// Number of brackets before the first number of each type of value.
struct ListDepth {
    std::size_t operator()(FieldAccessor<std::string> /*unused*/) const { return 0; }
    std::size_t operator()(FieldAccessor<ArchitectureKind> /*unused*/) const { return 0; }
    std::size_t operator()(FieldAccessor<std::int64_t> /*unused*/) const { return 0; }
    std::size_t operator()(FieldAccessor<std::array<Tick, kNumNocs>> /*unused*/) const { return 1; }
    std::size_t operator()(FieldAccessor<std::vector<std::int64_t>> /*unused*/) const { return 1; }
    std::size_t operator()(FieldAccessor<std::vector<DramBank>> /*unused*/) const { return 1; }
    std::size_t operator()(FieldAccessor<std::vector<PhysicalCoordinate>> /*unused*/) const { return 2; }
    std::size_t operator()(FieldAccessor<std::vector<std::vector<PhysicalCoordinate>>> /*unused*/) const { return 3; }
};

std::string number_expectation(const Field& field) {
    std::string noun;
    switch (field.form) {
        case NumberForm::whole:
            noun = "whole number";
            break;
        case NumberForm::power_of_two:
            noun = "power of two";
            break;
        case NumberForm::decimal_cycles:
            noun = "number with at most four decimals";
            break;
    }
    return fmt::format("{} from {} to {}{}", noun, number_text(field.form, field.minimum),
                       number_text(field.form, field.maximum), field.never ? fmt::format(", or {}", kNeverText) : "");
}

}  // namespace

std::string number_text(NumberForm form, std::int64_t value) {
    if (form != NumberForm::decimal_cycles) {
        return std::to_string(value);
    }
    std::string text = fmt::format("{}.{:04}", value / kTicksPerCycle, value % kTicksPerCycle);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) {
        text.pop_back();
    }
    return text;
}

std::string expectation(const Field& field) {
    std::string text = std::visit(TypeExpectation{field.words, number_expectation(field)}, field.access);
    constexpr std::array<std::string_view, 5> kUnitsOfQuantities{"bytes", "hertz", "picoseconds", "cycles", "periods"};
    if (std::ranges::any_of(kUnitsOfQuantities, [&](std::string_view unit) { return field.unit.starts_with(unit); })) {
        text += fmt::format(" ({})", field.unit);
    }
    if (field.minimum_items > 0) {
        text += fmt::format(", at least {}", field.minimum_items);
    }
    return text;
}

std::string description(const YAML::Node& node) {
    if (!node.IsDefined() || node.IsNull()) {
        return "nothing";
    }
    if (node.IsSequence()) {
        return fmt::format("a list of {} {}", node.size(), node.size() == 1 ? "item" : "items");
    }
    if (node.IsMap()) {
        return "a mapping";
    }
    return is_quoted(node) ? fmt::format("the text \"{}\"", node.Scalar()) : node.Scalar();
}

std::optional<UnexpectedValue> read_value(const Field& field, const YAML::Node& node, Architecture& architecture,
                                          Board& board) {
    return std::visit([&](const auto accessor) { return ValueReader(field).read(node, accessor(architecture, board)); },
                      field.access);
}

YAML::Node setting_node(const Field& field, const std::string& text) {
    const std::size_t depth = std::visit(ListDepth{}, field.access);
    if (depth == 0) {
        return YAML::Node(text);
    }
    const bool is_bracketed = text == "[]" || text.starts_with(std::string(depth, '['));
    try {
        const std::vector<YAML::Node> documents = parse_yaml(is_bracketed ? text : fmt::format("[{}]", text));
        if (documents.size() == 1) {
            return documents.front();
        }
    } catch (const YAML::Exception&) {  // NOLINT(bugprone-empty-catch) - refused below
    }
    return YAML::Node(text);  // a scalar instead of a list, which the reader refuses with the text
}

std::string value_text(const Field& field, Architecture& architecture, Board& board) {
    return std::visit([&](const auto accessor) { return ValueWriter(field).text(accessor(architecture, board)); },
                      field.access);
}

}  // namespace nocbench
