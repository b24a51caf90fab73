#include "tests/riscv/elf_file.h"

#include <array>

namespace nocbench::test {

namespace {

struct NamedSymbol {
    const char* name;
    std::uint32_t value;
    std::uint32_t size;
    std::uint32_t info;  // 16 * binding (0 local, 1 global, 2 weak) + type (1 object, 2 function, 3 section, 4 file)
    std::uint32_t section;
};

/// Local symbols come first, as the format requires.
constexpr std::array<NamedSymbol, ElfFile::kNumSymbols> kSymbolList{{
    {"", 0, 0, 0, 0},
    {"kernel.cpp", 0, 0, 4, 0xfff1},
    {"", 0x1000, 0, 3, 1},
    {"$x", 0x1000, 0, 0, 1},
    {".L1", 0x100c, 0, 0, 1},
    {"twice", 0xffb00004, 2, 1, 2},
    {"loop", 0x100a, 0, 0, 1},
    {"_start", 0x1000, 0, 0x10, 1},
    {"kernel_main", 0x1008, 8, 0x12, 1},
    {"helper", 0x1010, 4, 0x22, 1},
    {"twice", 0xffb00000, 4, 0x11, 2},
    {"wall_clock", 0xffb121f0, 0, 0x10, 0xfff1},
    {"missing", 0, 0, 0x10, 0},
}};

std::string names_of_symbols() {
    std::string names(1, '\0');
    for (const NamedSymbol& symbol : kSymbolList) {
        if (*symbol.name != '\0') {
            names += symbol.name;
            names += '\0';
        }
    }
    return names;
}

}  // namespace

void ElfFile::set(std::size_t place, std::uint32_t value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        bytes_.at(place + i) = static_cast<std::byte>(value >> (8 * i));
    }
}

void ElfFile::append(std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) {
        bytes_.resize(size() + 4);
        set32(size() - 4, word);
    }
}

void ElfFile::append_text(std::string_view text) {
    for (const char character : text) {
        bytes_.push_back(static_cast<std::byte>(character));
    }
}

void ElfFile::append_header() {
    append(std::array<std::uint32_t, 13>{
        0x464c457f,             // magic
        0x00010101, 0, 0,       // 32 bits, little-endian, version 1
        0x00f30002,             // executable, RISC-V
        1,                      // version
        0x1000,                 // entry
        52, 0,                  // program headers; section headers, set later
        0, 0x00200034,          // flags; sizes of this header, and of a program header
        0x00280003, 0x00050006  // three program headers; section headers of 40 bytes, six of these; names in section 5
    });
}

void ElfFile::append_program_headers() {
    append(std::array<std::uint32_t, 24>{
        1,          kCode, 0x1000,     0x1000, 24, 24, 5, 4,  // readable and executable
        1,          kData, 0xffb00000, 0x2000, 8,  20, 6, 4,  // readable and writable; 12 bytes of zeros
        0x70000003, 0,     0,          0,      0,  0,  4, 1   // attributes, not loaded
    });
}

void ElfFile::append_symbols() {
    std::uint32_t name = 1;
    for (const NamedSymbol& symbol : kSymbolList) {
        const auto length = static_cast<std::uint32_t>(std::string_view(symbol.name).size());
        append(std::array<std::uint32_t, 4>{length == 0 ? 0 : name, symbol.value, symbol.size,
                                            symbol.info | (symbol.section << 16)});
        name += length == 0 ? 0 : length + 1;
    }
}

void ElfFile::append_section_headers(std::size_t name_bytes) {
    section_headers_ = size();
    set32(32, static_cast<std::uint32_t>(section_headers_));
    append(std::array<std::uint32_t, 10>{});
    append(std::array<std::uint32_t, 10>{0, 1, 6, 0x1000, kCode, 24, 0, 0, 4, 0});
    append(std::array<std::uint32_t, 10>{0, 1, 3, 0xffb00000, kData, 8, 0, 0, 4, 0});
    append(std::array<std::uint32_t, 10>{0, 8, 3, 0xffb00008, kSymbols, 12, 0, 0, 4, 0});
    append(std::array<std::uint32_t, 10>{0, 2, 0, 0, kSymbols, kNumSymbols * kSymbolBytes, 5, 7, 4, kSymbolBytes});
    append(std::array<std::uint32_t, 10>{0, 3, 0, 0, kNames, static_cast<std::uint32_t>(name_bytes), 0, 0, 1, 0});
}

ElfFile ElfFile::good() {
    const std::string names = names_of_symbols();
    ElfFile file;
    file.append_header();
    file.append_program_headers();
    file.append(std::array<std::uint32_t, 6>{0x13, 0x00000013, 0x00000013, 0x00000013, 0x00000013, 0x00008067});
    file.append(std::array<std::uint32_t, 2>{0x11223344, 0x55667788});
    file.append_symbols();
    file.append_text(names);
    file.append_section_headers(names.size());
    return file;
}

}  // namespace nocbench::test
