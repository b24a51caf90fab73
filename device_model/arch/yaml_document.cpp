#include "device_model/arch/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "device_model/sim/error.h"

namespace nocbench {

namespace {

constexpr int kMaxLevels = 64;

/// Looks at a document before nodes are made of it, and throws at what makes a small file large or deep. Whoever walks
/// through the nodes goes into an alias as often as it stands there: a few lines of them are billions of nodes.
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

}  // namespace

TextPosition position_of(const YAML::Mark& mark) {
    return mark.is_null() ? TextPosition{} : TextPosition{.line = mark.line + 1, .column = mark.column + 1};
}

std::string describe_mistakes(const std::filesystem::path& file, std::vector<Mistake> mistakes) {
    std::ranges::stable_sort(mistakes, {}, &Mistake::position);
    std::string message =
        fmt::format("{} {} in {}", mistakes.size(), mistakes.size() == 1 ? "mistake" : "mistakes", file.string());
    for (const Mistake& mistake : mistakes) {
        message += fmt::format("\n{}:{}:{}: {}: expected {}, found {}", file.string(), mistake.position.line,
                               mistake.position.column, mistake.key, mistake.expected, mistake.found);
    }
    return message;
}

std::vector<YAML::Node> parse_yaml(const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    Limits limits;
    while (parser.HandleNextDocument(limits)) {
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
    throw InputError(describe_mistakes(file, {mistake}));
}

}  // namespace nocbench
