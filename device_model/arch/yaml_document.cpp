#include "device_model/arch/yaml_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "device_model/sim/error.h"

namespace nocbench {

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
        const std::vector<YAML::Node> documents = YAML::LoadAll(content);
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
