#include "device_model/arch/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "device_model/sim/error.h"

namespace nocbench {

namespace {

constexpr int kMaxLevels = 64;

/// Event handler that throws at aliases and at too many levels, before nodes are made. Walks through nodes visit the
/// target of every alias: a few lines can become billions of nodes.
class Limits final : public YAML::EventHandler {
public:
    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        throw YAML::ParserException(mark, "an alias; write what it stands for in its place");
    }
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        enter(mark);
    }
    void OnSequenceEnd() override { --num_levels_; }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
        enter(mark);
    }
    void OnMapEnd() override { --num_levels_; }

private:
    void enter(const YAML::Mark& mark) {
        if (++num_levels_ > kMaxLevels) {
            throw YAML::ParserException(mark, fmt::format("lists and mappings in more than {} levels", kMaxLevels));
        }
    }

    int num_levels_ = 0;
};

/// Returns whether Limits could throw: aliases need an anchor; levels need brackets, or a column each. Nearly no file
/// has either, and parsing events takes as long as making nodes.
bool may_exceed_limits(std::string_view text) {
    int open_brackets = 0;
    int indentation = 0;  // indentation of the current line; -1 after its first other character
    for (const char character : text) {
        open_brackets += character == '[' || character == '{' ? 1 : 0;
        open_brackets -= open_brackets > 0 && (character == ']' || character == '}') ? 1 : 0;
        if (character == '\n') {
            indentation = 0;
        } else if (indentation >= 0) {
            const bool indents = character == ' ' || character == '-' || character == '?';
            indentation = indents ? indentation + 1 : -1;
        }
        if (character == '&' || open_brackets > kMaxLevels || indentation >= kMaxLevels) {
            return true;
        }
    }
    return false;
}

/// Returns the bytes of the first character of a text in UTF-8, or 0 if it is invalid.
std::size_t bytes_of_character(std::string_view text) {
    const auto byte = [&](std::size_t place) { return static_cast<unsigned char>(text[place]); };
    struct Kind {
        unsigned char first, last, second_first, second_last;
        std::size_t bytes;
    };
    constexpr std::array<Kind, 9> kKinds{{{0x00, 0x7f, 0, 0, 1},
                                          {0xc2, 0xdf, 0x80, 0xbf, 2},
                                          {0xe0, 0xe0, 0xa0, 0xbf, 3},
                                          {0xe1, 0xec, 0x80, 0xbf, 3},
                                          {0xed, 0xed, 0x80, 0x9f, 3},
                                          {0xee, 0xef, 0x80, 0xbf, 3},
                                          {0xf0, 0xf0, 0x90, 0xbf, 4},
                                          {0xf1, 0xf3, 0x80, 0xbf, 4},
                                          {0xf4, 0xf4, 0x80, 0x8f, 4}}};
    const auto* const kind = std::ranges::find_if(
        kKinds, [&](const Kind& known) { return byte(0) >= known.first && byte(0) <= known.last; });
    if (kind == kKinds.end() || text.size() < kind->bytes) {
        return 0;
    }
    for (std::size_t place = 1; place < kind->bytes; ++place) {
        const bool is_second = place == 1;
        if (byte(place) < (is_second ? kind->second_first : 0x80) ||
            byte(place) > (is_second ? kind->second_last : 0xbf)) {
            return 0;
        }
    }
    return kind->bytes;
}

/// Returns the mistake in a file that is not text: messages quote its content, and must be text.
std::optional<Mistake> first_byte_of_no_text(std::string_view content) {
    TextPosition position{.line = 1, .column = 1};
    for (std::size_t place = 0; place < content.size();) {
        const bool is_ascii = static_cast<unsigned char>(content[place]) < 0x80;  // nearly always true
        const std::size_t bytes = is_ascii ? 1 : bytes_of_character(content.substr(place));
        if (bytes == 0 || content[place] == '\0') {
            return Mistake{.position = position,
                           .key = "file",
                           .expected = "text in UTF-8",
                           .found = fmt::format("byte 0x{:02x}", static_cast<unsigned char>(content[place]))};
        }
        const bool is_end_of_line = content[place] == '\n';
        position = {.line = position.line + (is_end_of_line ? 1 : 0),
                    .column = is_end_of_line ? 1 : position.column + 1};
        place += bytes;
    }
    return std::nullopt;
}

}  // namespace

TextPosition position_of(const YAML::Mark& mark) {
    return mark.is_null() ? TextPosition{} : TextPosition{.line = mark.line + 1, .column = mark.column + 1};
}

std::string describe_mistakes(const std::vector<std::filesystem::path>& files, std::vector<Mistake> mistakes) {
    std::ranges::stable_sort(mistakes, {}, &Mistake::position);
    std::string message = fmt::format("{} {} in {}", mistakes.size(), mistakes.size() == 1 ? "mistake" : "mistakes",
                                      files.front().string());
    for (const auto& [position, key, expected, found] : mistakes) {
        message += fmt::format("\n{}:{}:{}: {}: expected {}, found {}",
                               files.at(static_cast<std::size_t>(position.file)).string(), position.line,
                               position.column, key, expected, found);
    }
    return message;
}

std::vector<YAML::Node> parse_yaml(const std::string& text) {
    if (may_exceed_limits(text)) {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        Limits limits;
        while (parser.HandleNextDocument(limits)) {
        }
    }
    return YAML::LoadAll(text);
}

YAML::Node read_yaml_document(const std::filesystem::path& file, std::string_view what) {
    if (!std::filesystem::is_regular_file(file)) {
        throw InputError(fmt::format("{}: expected {}, found no file", file.string(), what));
    }
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        throw InputError(fmt::format("{}: expected {}, found a file that cannot be read", file.string(), what));
    }
    const std::string content{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (const std::optional<Mistake> mistake = first_byte_of_no_text(content)) {
        throw InputError(describe_mistakes({file}, {*mistake}));
    }
    Mistake mistake{.position = {}, .key = "file", .expected = "one YAML document", .found = "none"};
    try {
        const std::vector<YAML::Node> documents = parse_yaml(content);
        if (documents.size() == 1) {
            return documents.front();
        }
        if (!documents.empty()) {
            mistake.position = position_of(documents[1].Mark());
            mistake.found = fmt::format("{}", documents.size());
        }
    } catch (const YAML::Exception& exception) {
        mistake = {
            .position = position_of(exception.mark), .key = "syntax", .expected = "YAML", .found = exception.msg};
    }
    throw InputError(describe_mistakes({file}, {mistake}));
}

}  // namespace nocbench
