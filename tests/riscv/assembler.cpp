#include "tests/riscv/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>

#include "device_model/riscv/isa/decode.h"

namespace nocbench::test {

namespace {

constexpr std::uint32_t kOpcodeMask = 0x7f;

[[noreturn]] void fail(const std::string& line, const std::string& why) {
    throw std::invalid_argument(fmt::format("assembler: '{}': {}", line, why));
}

/// Returns an instruction word of each mnemonic, from GNU assembler output.
const std::map<std::string, std::uint32_t, std::less<>>& words() {
    static const auto kWords = [] {
        std::map<std::string, std::uint32_t, std::less<>> words;
        std::ifstream file(NOCBENCH_INSTRUCTION_TABLE);
        for (std::string text; std::getline(file, text);) {
            std::istringstream stream(text);
            std::string word;
            std::string extension;
            std::string mnemonic;
            stream >> word >> extension >> mnemonic;
            if (word.size() == 8 && word.find_first_not_of("0123456789abcdef") == std::string::npos) {
                words.emplace(mnemonic, static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
            }
        }
        return words;
    }();
    return kWords;
}

std::uint32_t register_number(const std::string& name, const std::string& line) {
    static constexpr std::array<std::string_view, 64> kNames{
        "zero", "ra",  "sp",  "gp",  "tp",  "t0",  "t1",   "t2",   "s0",  "s1",  "a0",   "a1",  "a2",
        "a3",   "a4",  "a5",  "a6",  "a7",  "s2",  "s3",   "s4",   "s5",  "s6",  "s7",   "s8",  "s9",
        "s10",  "s11", "t3",  "t4",  "t5",  "t6",  "ft0",  "ft1",  "ft2", "ft3", "ft4",  "ft5", "ft6",
        "ft7",  "fs0", "fs1", "fa0", "fa1", "fa2", "fa3",  "fa4",  "fa5", "fa6", "fa7",  "fs2", "fs3",
        "fs4",  "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
    const auto* const found = std::ranges::find(kNames, name);
    if (found == kNames.end()) {
        fail(line, "no register is called '" + name + "'");
    }
    return static_cast<std::uint32_t>(found - kNames.begin()) % 32;
}

std::uint32_t rounding_mode(const std::string& name) {
    static constexpr std::array<std::string_view, 5> kNames{"rne", "rtz", "rdn", "rup", "rmm"};
    return static_cast<std::uint32_t>(std::ranges::find(kNames, name) - kNames.begin());
}

std::uint32_t number(const std::string& text, const std::string& line) {
    static const std::map<std::string, std::uint32_t> kControlRegisters{
        {"fflags", 1},      {"frm", 2},        {"fcsr", 3},         {"cycle", 0xc00}, {"time", 0xc01},
        {"instret", 0xc02}, {"cycleh", 0xc80}, {"instreth", 0xc82}, {"timeh", 0xc81}};
    if (const auto found = kControlRegisters.find(text); found != kControlRegisters.end()) {
        return found->second;
    }
    try {
        return static_cast<std::uint32_t>(std::stoll(text, nullptr, 0));
    } catch (const std::exception&) {
        fail(line, "'" + text + "' is no number");
    }
}

std::uint32_t moved(std::uint32_t value, int from, int bits, int to) {
    return (value >> from & ((1U << bits) - 1)) << to;
}

struct Line {
    std::string text;
    std::string mnemonic;
    std::vector<std::string> operands;  // operands, split at commas and parentheses
};

Line parsed(const std::string& text) {
    Line line{text, text.substr(0, text.find(' ')), {}};
    std::string rest = text.substr(line.mnemonic.size());
    std::ranges::replace_if(
        rest, [](char character) { return character == ',' || character == '(' || character == ')'; }, ' ');
    std::istringstream stream(rest);
    for (std::string operand; stream >> operand;) {
        line.operands.push_back(operand);
    }
    return line;
}

std::uint32_t encoded(const Line& line, std::uint32_t address) {
    const auto found = words().find(line.mnemonic);
    if (found == words().end()) {
        fail(line.text, "no such instruction");
    }
    std::uint32_t word = found->second;
    const std::size_t count = line.operands.size();
    const auto at = [&](std::size_t index) {
        if (index >= count) {
            fail(line.text, "an operand is missing");
        }
        return line.operands[index];
    };
    const auto set = [&](int low, int bits, std::uint32_t value) {
        const std::uint32_t mask = ((1U << bits) - 1) << low;
        word = (word & ~mask) | (value << low & mask);
    };
    const auto place_register = [&](int low, std::size_t index) { set(low, 5, register_number(at(index), line.text)); };
    const auto value = [&](std::size_t index) { return number(at(index), line.text); };
    switch (word & kOpcodeMask) {
        case 0x37:
        case 0x17:
            place_register(7, 0);
            set(12, 20, value(1));
            break;
        case 0x6f: {
            const std::uint32_t distance = value(1) - address;
            place_register(7, 0);
            set(12, 20,
                moved(distance, 20, 1, 19) | moved(distance, 1, 10, 9) | moved(distance, 11, 1, 8) |
                    moved(distance, 12, 8, 0));
            break;
        }
        case 0x67:
        case 0x03:
        case 0x07:
            place_register(7, 0);
            set(20, 12, value(1));
            place_register(15, 2);
            break;
        case 0x63: {
            const std::uint32_t distance = value(2) - address;
            place_register(15, 0);
            place_register(20, 1);
            set(25, 7, moved(distance, 12, 1, 6) | moved(distance, 5, 6, 0));
            set(7, 5, moved(distance, 1, 4, 1) | moved(distance, 11, 1, 0));
            break;
        }
        case 0x23:
        case 0x27:
            place_register(20, 0);
            set(25, 7, value(1) >> 5);
            set(7, 5, value(1));
            place_register(15, 2);
            break;
        case 0x13:
            place_register(7, 0);
            place_register(15, 1);
            if (count > 2) {
                const bool is_shift = (word >> 12 & 3) == 1;
                set(20, is_shift ? 5 : 12, value(2));
            }
            break;
        case 0x33:
            place_register(7, 0);
            place_register(15, 1);
            if (count > 2) {
                place_register(20, 2);
            }
            break;
        case 0x73:
            if (count > 0) {
                place_register(7, 0);
                set(20, 12, value(1));
                set(15, 5, (word >> 14 & 1) != 0 ? value(2) : register_number(at(2), line.text));
            }
            break;
        case 0x2f:
            place_register(7, 0);
            place_register(15, count - 1);
            if (count > 2) {
                place_register(20, 1);
            }
            break;
        case 0x43:
        case 0x47:
        case 0x4b:
        case 0x4f:
        case 0x53: {
            const bool has_mode = rounding_mode(line.operands.back()) < 5;
            const std::size_t registers = count - (has_mode ? 1 : 0);
            static constexpr std::array<int, 4> kPlaces{7, 15, 20, 27};
            for (std::size_t index = 0; index < registers; ++index) {
                place_register(kPlaces.at(index), index);
            }
            if (has_mode) {
                set(12, 3, rounding_mode(line.operands.back()));
            } else if (const std::uint32_t kind = word >> 27;
                       (word & kOpcodeMask) != 0x53 || kind < 4 || kind == 0x0b || kind == 0x18 || kind == 0x1a) {
                set(12, 3, 7);  // dynamic: mode of register frm
            }
            break;
        }
        default:
            break;
    }
    return word;
}

std::vector<std::string> instructions_of(std::string_view text, std::uint32_t base,
                                         std::map<std::string, std::uint32_t>& labels) {
    std::vector<std::string> lines;
    std::uint32_t address = base;
    const auto append = [&](const std::string& line) {
        lines.push_back(line);
        address += line.starts_with(".half") ? 2 : 4;
    };
    std::string all(text);
    std::ranges::replace(all, ';', '\n');
    std::istringstream stream(all);
    for (std::string line; std::getline(stream, line);) {
        line = line.substr(0, line.find('#'));
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos) {
            continue;
        }
        line = line.substr(first, line.find_last_not_of(" \t") - first + 1);
        if (const std::size_t colon = line.find(':'); colon != std::string::npos) {
            labels[line.substr(0, colon)] = address;
            const std::size_t next = line.find_first_not_of(' ', colon + 1);
            if (next == std::string::npos) {
                continue;
            }
            line = line.substr(next);
        }
        if (const Line li = parsed(line); li.mnemonic == "li") {
            const std::uint32_t value = number(li.operands.at(1), line);
            const std::uint32_t upper = (value + 0x800) >> 12;
            append(fmt::format("lui {}, 0x{:x}", li.operands[0], upper & 0xfffff));
            append(fmt::format("addi {0}, {0}, {1}", li.operands[0], static_cast<std::int32_t>(value - (upper << 12))));
        } else {
            append(line);
        }
    }
    return lines;
}

}  // namespace

std::vector<std::byte> assembled(std::string_view text, std::uint32_t base) {
    std::map<std::string, std::uint32_t> labels;
    std::vector<std::byte> bytes;
    for (std::string text_of_line : instructions_of(text, base, labels)) {
        const std::uint32_t address = base + static_cast<std::uint32_t>(bytes.size());
        Line line = parsed(text_of_line);
        std::uint32_t word = 0;
        std::size_t size = sizeof(word);
        if (line.mnemonic == ".word" || line.mnemonic == ".half") {
            word = number(line.operands.at(0), text_of_line);
            size = line.mnemonic == ".half" ? 2 : 4;
        } else {
            if (!line.operands.empty() && labels.contains(line.operands.back())) {
                const std::string target = fmt::format("0x{:x}", labels[line.operands.back()]);
                text_of_line.replace(text_of_line.rfind(line.operands.back()), std::string::npos, target);
                line.operands.back() = target;
            }
            word = encoded(line, address);
            const std::string found = riscv::disassemble(riscv::decode(word, kAllExtensions), address);
            if (found != text_of_line) {
                fail(text_of_line, "it became '" + found + "'");
            }
        }
        const auto raw = std::as_bytes(std::span(&word, 1)).first(size);
        bytes.insert(bytes.end(), raw.begin(), raw.end());
    }
    return bytes;
}

}  // namespace nocbench::test
