#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/riscv/program/elf.h"
#include "device_model/sim/error.h"
#include "tests/riscv/elf_file.h"
#include "tests/support/error_message.h"
#include "tests/support/thinning.h"

namespace nocbench::riscv {

namespace {

using test::ElfFile;
using test::error_message;
using test::thinned;

// Offsets in the ELF header.
constexpr std::size_t kClass = 4;
constexpr std::size_t kEncoding = 5;
constexpr std::size_t kVersion = 6;
constexpr std::size_t kType = 16;
constexpr std::size_t kMachine = 18;
constexpr std::size_t kEntry = 24;
constexpr std::size_t kProgramHeaderOffset = 28;
constexpr std::size_t kSectionHeaderOffset = 32;
constexpr std::size_t kProgramHeaderSize = 42;
constexpr std::size_t kNumProgramHeaders = 44;
constexpr std::size_t kSectionHeaderSize = 46;
constexpr std::size_t kNumSections = 48;

constexpr std::size_t kCodeHeader = ElfFile::kProgramHeaders;
constexpr std::size_t kDataHeader = ElfFile::kProgramHeaders + ElfFile::kProgramHeaderBytes;
constexpr std::size_t kOffset = 4;
constexpr std::size_t kAddress = 8;
constexpr std::size_t kLoadAddress = 12;
constexpr std::size_t kFileBytes = 16;
constexpr std::size_t kMemoryBytes = 20;
constexpr std::size_t kFlags = 24;

std::string message_of(const ElfFile& file) {
    return error_message([&] { const ElfImage image(file.bytes(), "kernel.elf"); });
}

std::string name_at(const ElfImage& image, std::uint32_t address) {
    const ElfFunction* const function = image.function_at(address);
    return function == nullptr ? "none" : function->name;
}

TEST(Elf, ReadsAGoodProgram) {
    const ElfFile file = ElfFile::good();
    const ElfImage image(file.bytes(), "kernel.elf");
    EXPECT_EQ(image.entry(), 0x1000U);
    ASSERT_EQ(image.segments().size(), 2U);
    const ElfSegment& code = image.segments()[0];
    EXPECT_EQ(code.address, 0x1000U);
    EXPECT_EQ(code.load_address, 0x1000U);
    EXPECT_EQ(code.memory_bytes, 24U);
    EXPECT_TRUE(code.executable);
    ASSERT_EQ(code.bytes.size(), 24U);
    EXPECT_EQ(code.bytes[20], std::byte{0x67});
    EXPECT_EQ(image.segments()[1],
              (ElfSegment{.address = 0xffb00000,
                          .load_address = 0x2000,
                          .bytes = {std::byte{0x44}, std::byte{0x33}, std::byte{0x22}, std::byte{0x11}, std::byte{0x88},
                                    std::byte{0x77}, std::byte{0x66}, std::byte{0x55}},
                          .memory_bytes = 20,
                          .executable = false}));
}

TEST(Elf, KnowsSymbolsByName) {
    const ElfFile file = ElfFile::good();
    const ElfImage image(file.bytes(), "kernel.elf");
    EXPECT_EQ(image.symbol("kernel_main"), (ElfSymbol{.address = 0x1008, .size = 8}));
    EXPECT_EQ(image.symbol("twice"), (ElfSymbol{.address = 0xffb00000, .size = 4}));  // the global symbol
    EXPECT_EQ(image.symbol("wall_clock"), (ElfSymbol{.address = 0xffb121f0, .size = 0}));
    for (const std::string_view name : {"missing", "kernel.cpp", "", "$x", ".L1", "kernel_mai", "kernel_mains"}) {
        EXPECT_EQ(image.symbol(name), std::nullopt) << name;
    }
    EXPECT_EQ(image.symbols().size(), 6U);
}

TEST(Elf, SymbolsAreThereWithoutAProgram) {
    ElfFile file = ElfFile::good();
    file.set16(kType, 1);
    EXPECT_EQ(read_elf_symbols(file.bytes(), "symbols.o").at("kernel_main"), (ElfSymbol{.address = 0x1008, .size = 8}));
    file.set8(0, 0);
    EXPECT_EQ(error_message([&] { read_elf_symbols(file.bytes(), "symbols.o"); }),
              "symbols.o: expected an ELF file, which begins with 7f 45 4c 46, found 00 45 4c 46");
}

/// Returns the ISA of a valid program whose attributes section ends with `attributes`, after the bytes common to all
/// files.
std::string isa_with(std::string_view attributes) {
    constexpr std::size_t kSection = 2;
    constexpr std::string_view kBefore("A\x40\0\0\0riscv\0\x01\x40\0\0\0", 16);
    ElfFile file = ElfFile::good();
    const std::size_t begin = file.size();
    file.resize(begin + kBefore.size() + attributes.size());
    for (std::size_t i = 0; i < kBefore.size() + attributes.size(); ++i) {
        const char byte = i < kBefore.size() ? kBefore[i] : attributes[i - kBefore.size()];
        file.set8(begin + i, static_cast<unsigned char>(byte));
    }
    const std::size_t header = file.section_header(kSection);
    file.set32(header + 4, 0x70000003);
    file.set32(header + 16, static_cast<std::uint32_t>(begin));
    file.set32(header + 20, static_cast<std::uint32_t>(file.size() - begin));
    return ElfImage(file.bytes(), "kernel.elf").isa();
}

TEST(Elf, KnowsTheInstructionsThatItIsFor) {
    using namespace std::string_view_literals;
    EXPECT_EQ(ElfImage(ElfFile::good().bytes(), "kernel.elf").isa(), "");
    EXPECT_EQ(isa_with("\x04\x10\x05rv32i2p0_m2p0\0"sv), "rv32i2p0_m2p0");
    EXPECT_EQ(isa_with("\x04\x90\x01\x07other\0\x05rv32i\0\x06\x01"sv), "rv32i");
    EXPECT_EQ(isa_with("\x04\x10"sv), "");
    EXPECT_EQ(isa_with("\x05rv32i"sv), "rv32i");  // truncated
    EXPECT_EQ(isa_with("\x04\xff"sv), "");
}

TEST(Elf, KnowsFunctionsByAddress) {
    const ElfFile file = ElfFile::good();
    const ElfImage image(file.bytes(), "kernel.elf");
    EXPECT_EQ(name_at(image, 0xffe), "none");
    EXPECT_EQ(name_at(image, 0x1000), "_start");  // a label in assembly, which extends to the next function
    EXPECT_EQ(name_at(image, 0x1006), "_start");
    EXPECT_EQ(name_at(image, 0x1008), "kernel_main");
    EXPECT_EQ(name_at(image, 0x100e), "kernel_main");  // despite a label inside
    EXPECT_EQ(name_at(image, 0x1012), "helper");
    EXPECT_EQ(name_at(image, 0x1014), "none");  // behind its end
    EXPECT_EQ(name_at(image, 0xffb00000), "none");
    EXPECT_EQ(name_at(image, 0xffffffff), "none");
    EXPECT_EQ(image.functions().at(1), (ElfFunction{.name = "kernel_main", .address = 0x1008, .end = 0x1010}));
}

TEST(Elf, NeedsNoSections) {
    ElfFile file = ElfFile::good();
    file.set32(kSectionHeaderOffset, 0);
    file.set16(kNumSections, 0);
    file.resize(ElfFile::kSymbols);
    const ElfImage image(file.bytes(), "kernel.elf");
    EXPECT_EQ(image.segments().size(), 2U);
    EXPECT_TRUE(image.symbols().empty());
    EXPECT_EQ(name_at(image, 0x1000), "none");
}

TEST(Elf, FunctionsMayReachTheLastAddress) {
    ElfFile file = ElfFile::good();
    file.set32(kCodeHeader + kAddress, 0xffffffe8);
    file.set32(kEntry, 0xffffffe8);
    file.set32(kDataHeader + kAddress, 0x4000);
    file.set32(ElfFile::kSymbols + 7 * ElfFile::kSymbolBytes + 4, 0xfffffff0);  // _start
    file.set32(ElfFile::kSymbols + 9 * ElfFile::kSymbolBytes + 4, 0xffffffec);  // helper
    const ElfImage image(file.bytes(), "kernel.elf");
    EXPECT_EQ(name_at(image, 0xffffffff), "_start");
    EXPECT_EQ(name_at(image, 0xffffffef), "helper");
    EXPECT_EQ(image.functions().back().end, std::uint64_t{1} << 32);
}

TEST(Elf, FunctionsEndWithTheirSegment) {
    ElfFile file = ElfFile::good();
    const std::size_t helper = ElfFile::kSymbols + 9 * ElfFile::kSymbolBytes;
    file.set32(helper + 8, 0xffffffff);  // size of helper
    EXPECT_EQ(ElfImage(file.bytes(), "kernel.elf").functions().back(),
              (ElfFunction{.name = "helper", .address = 0x1010, .end = 0x1018}));
    file.set32(helper + 4, 0x1018);  // address of helper
    EXPECT_EQ(ElfImage(file.bytes(), "kernel.elf").functions().back().name, "kernel_main");
}

struct Broken {
    std::string message;
    std::function<void(ElfFile&)> breaks;
};

void expect_messages(const std::vector<Broken>& all) {
    for (const Broken& broken : all) {
        ElfFile file = ElfFile::good();
        broken.breaks(file);
        EXPECT_EQ(message_of(file), "kernel.elf: expected " + broken.message);
    }
}

TEST(Elf, SaysWhatIsNoProgramForIt) {
    expect_messages({
        {"an ELF file's identification within the file's 0 bytes, found 16 bytes at 0",
         [](ElfFile& file) { file.resize(0); }},
        {"an ELF file's identification within the file's 15 bytes, found 16 bytes at 0",
         [](ElfFile& file) { file.resize(15); }},
        {"an ELF header within the file's 51 bytes, found 52 bytes at 0", [](ElfFile& file) { file.resize(51); }},
        {"an ELF file, which begins with 7f 45 4c 46, found 23 21 2f 62",
         [](ElfFile& file) { file.set32(0, 0x622f2123); }},
        {"a program of 32 bits (class 1), found class 2", [](ElfFile& file) { file.set8(kClass, 2); }},
        {"little-endian data (encoding 1), found encoding 2", [](ElfFile& file) { file.set8(kEncoding, 2); }},
        {"version 1 of ELF, found version 0", [](ElfFile& file) { file.set8(kVersion, 0); }},
        {"a RISC-V program (machine 243), found machine 62", [](ElfFile& file) { file.set16(kMachine, 62); }},
        {"an executable file (type 2), found type 1", [](ElfFile& file) { file.set16(kType, 1); }},
        {"an executable file (type 2), found type 3", [](ElfFile& file) { file.set16(kType, 3); }},
        {"an even entry address in an executable segment, found 0xffb00000",
         [](ElfFile& file) { file.set32(kEntry, 0xffb00000); }},
        {"an even entry address in an executable segment, found 0x00001018",
         [](ElfFile& file) { file.set32(kEntry, 0x1018); }},
        {"an even entry address in an executable segment, found 0x00001001",
         [](ElfFile& file) { file.set32(kEntry, 0x1001); }},
        {"an even entry address in an executable segment, found 0x00001000",
         [](ElfFile& file) { file.set32(kCodeHeader + kFlags, 4); }},
    });
}

TEST(Elf, SaysWhatIsWrongWithSegments) {
    expect_messages({
        {"program headers, found none", [](ElfFile& file) { file.set16(kNumProgramHeaders, 0); }},
        {"fewer than 65535 program headers, found 65535 or more",
         [](ElfFile& file) { file.set16(kNumProgramHeaders, 0xffff); }},
        {"program headers of 32 bytes, found 56 bytes", [](ElfFile& file) { file.set16(kProgramHeaderSize, 56); }},
        {"program headers within the file's 709 bytes, found 2097088 bytes at 52",
         [](ElfFile& file) { file.set16(kNumProgramHeaders, 0xfffe); }},
        {"program headers within the file's 709 bytes, found 96 bytes at 4294967295",
         [](ElfFile& file) { file.set32(kProgramHeaderOffset, 0xffffffff); }},
        {"a segment within the file's 709 bytes, found 24 bytes at 686",
         [](ElfFile& file) { file.set32(kCodeHeader + kOffset, 686); }},
        {"a segment within the file's 709 bytes, found 4294967295 bytes at 148",
         [](ElfFile& file) { file.set32(kCodeHeader + kFileBytes, 0xffffffff); }},
        {"a segment at 0x00001000 that has room for its 24 bytes, found 23 bytes of memory",
         [](ElfFile& file) { file.set32(kCodeHeader + kMemoryBytes, 23); }},
        {"segments that end at 2^32 or before, found 4294967295 bytes at 0x00001000",
         [](ElfFile& file) { file.set32(kCodeHeader + kMemoryBytes, 0xffffffff); }},
        {"segments that end at 2^32 or before, found 20 bytes at 0xfffffff0",
         [](ElfFile& file) { file.set32(kDataHeader + kLoadAddress, 0xfffffff0); }},
        {"segments that do not overlap, found 24 bytes at 0x00001000 and 20 bytes at 0x00001014",
         [](ElfFile& file) { file.set32(kDataHeader + kAddress, 0x1014); }},
        {"segments that do not overlap, found 20 bytes at 0x00001000 and 24 bytes at 0x00001000",
         [](ElfFile& file) { file.set32(kDataHeader + kAddress, 0x1000); }},
        {"segments that do not overlap, found 24 bytes at 0xffffffe8 and 20 bytes at 0xffffffec",  // ends at the last
                                                                                                   // address
         [](ElfFile& file) {
             file.set32(kCodeHeader + kAddress, 0xffffffe8);
             file.set32(kDataHeader + kAddress, 0xffffffec);
         }},
        {"segments with at most the file's 709 bytes together, found 1200 bytes",
         [](ElfFile& file) {
             for (const std::size_t header : {kCodeHeader, kDataHeader}) {
                 file.set32(header + kFileBytes, 600);
                 file.set32(header + kMemoryBytes, 600);
                 file.set32(header + kOffset, 0);
             }
         }},
        {"a segment to load, found none",
         [](ElfFile& file) {
             file.set32(kCodeHeader, 0);
             file.set32(kDataHeader, 4);
         }},
    });
}

TEST(Elf, SaysWhatIsWrongWithSections) {
    const ElfFile good = ElfFile::good();
    const std::size_t data = good.section_header(2);
    const std::size_t symbols = good.section_header(4);
    const std::size_t names = good.section_header(5);
    constexpr std::size_t kKind = 4;
    constexpr std::size_t kPlace = 16;
    constexpr std::size_t kBytes = 20;
    constexpr std::size_t kLink = 24;
    constexpr std::size_t kEntryBytes = 36;
    const std::size_t last_symbol = ElfFile::kSymbols + (ElfFile::kNumSymbols - 2) * ElfFile::kSymbolBytes;
    expect_messages({
        {"section headers of 40 bytes, found 64 bytes", [](ElfFile& file) { file.set16(kSectionHeaderSize, 64); }},
        {"section headers within the file's 709 bytes, found 240 bytes at 470",
         [](ElfFile& file) { file.set32(kSectionHeaderOffset, 470); }},
        {"section headers within the file's 708 bytes, found 240 bytes at 469",
         [](ElfFile& file) { file.resize(708); }},
        {"section headers within the file's 709 bytes, found 2611200 bytes at 469",
         [](ElfFile& file) { file.set16(kNumSections, 0xff00); }},
        {"fewer than 65280 sections, found 65280 or more", [](ElfFile& file) { file.set16(kNumSections, 0); }},
        {"a section within the file's 709 bytes, found 8 bytes at 4294967292",
         [=](ElfFile& file) { file.set32(data + kPlace, 0xfffffffc); }},
        {"sections that do not overlap, found 24 bytes at 148 and 8 bytes at 171",
         [=](ElfFile& file) { file.set32(data + kPlace, 171); }},
        {"sections that do not overlap, found 9 bytes at 172 and 208 bytes at 180",
         [=](ElfFile& file) { file.set32(data + kBytes, 9); }},
        {"symbols of 16 bytes, found 208 bytes of 24 each",
         [=](ElfFile& file) { file.set32(symbols + kEntryBytes, 24); }},
        {"symbols of 16 bytes, found 207 bytes of 16 each", [=](ElfFile& file) { file.set32(symbols + kBytes, 207); }},
        {"a section with the names of symbols, found section 6",
         [=](ElfFile& file) { file.set32(symbols + kLink, 6); }},
        {"a section with the names of symbols, found section 1",
         [=](ElfFile& file) { file.set32(symbols + kLink, 1); }},
        {"a section with the names of symbols, found section 5", [=](ElfFile& file) { file.set32(names + kKind, 1); }},
        {"names of symbols that end with a zero, found no names",
         [=](ElfFile& file) { file.set32(names + kBytes, 0); }},
        {"names of symbols that end with a zero, found none at the end",
         [=](ElfFile& file) { file.set32(names + kBytes, 5); }},
        {"a symbol whose name is within 81 bytes of names, found its name at 81",
         [=](ElfFile& file) { file.set32(last_symbol, 81); }},
        {"symbols of the file's 6 sections, found one of section 6",
         [=](ElfFile& file) { file.set16(last_symbol + 14, 6); }},
    });
}

/// Files that could need memory or time quadratic in the file's size.
TEST(Elf, SmallFilesCannotBeLargePrograms) {
    ElfFile many_segments = ElfFile::good();
    constexpr std::size_t kMany = 300;
    const std::size_t headers = many_segments.size();
    many_segments.resize(headers + kMany * ElfFile::kProgramHeaderBytes);
    many_segments.set32(kProgramHeaderOffset, static_cast<std::uint32_t>(headers));
    many_segments.set16(kNumProgramHeaders, kMany);
    for (std::uint32_t i = 0; i < kMany; ++i) {
        const std::size_t header = headers + i * ElfFile::kProgramHeaderBytes;
        many_segments.set32(header, 1);
        many_segments.set32(header + kAddress, 0x1000 + 16 * i);
        many_segments.set32(header + kMemoryBytes, 16);
    }
    EXPECT_EQ(message_of(many_segments), "kernel.elf: expected at most 256 segments to load, found more");

    ElfFile long_names = ElfFile::good();
    constexpr std::uint32_t kSymbols = 300;
    constexpr std::uint32_t kNameBytes = 300'000;
    const auto symbols = static_cast<std::uint32_t>(long_names.size());
    const std::uint32_t names = symbols + kSymbols * ElfFile::kSymbolBytes;
    long_names.resize(names + kNameBytes + 1);
    for (std::uint32_t i = 0; i < kNameBytes; ++i) {
        long_names.set8(names + i, 'a');
    }
    for (std::uint32_t i = 0; i < kSymbols; ++i) {
        long_names.set32(symbols + i * ElfFile::kSymbolBytes, i);
    }
    const auto set_section = [&](std::size_t section, std::uint32_t place, std::uint32_t bytes) {
        long_names.set32(long_names.section_header(section) + 16, place);
        long_names.set32(long_names.section_header(section) + 20, bytes);
    };
    set_section(4, symbols, kSymbols * ElfFile::kSymbolBytes);
    set_section(5, names, kNameBytes + 1);
    EXPECT_EQ(message_of(long_names),
              "kernel.elf: expected names of symbols with at most 67108864 bytes together, found more");
}

/// Expects a program, or an error of one line.
void expect_sound(const ElfFile& file) {
    try {
        const ElfImage image(file.bytes(), "kernel.elf");
        EXPECT_FALSE(image.segments().empty());
        for (const ElfFunction& function : image.functions()) {
            EXPECT_EQ(image.function_at(function.address), &function);
        }
    } catch (const InputError& error) {
        const std::string_view message = error.what();
        EXPECT_TRUE(message.starts_with("kernel.elf: expected ")) << message;
        EXPECT_EQ(message.find('\n'), std::string_view::npos) << message;
    }
}

TEST(Elf, NoFileThatWasCutOffIsReadBeyondItsEnd) {
    for (std::size_t bytes = 0; bytes < ElfFile::good().size(); ++bytes) {
        ElfFile file = ElfFile::good();
        file.resize(bytes);
        expect_sound(file);
    }
}

TEST(Elf, NoChangedByteDoesHarm) {
    for (std::size_t place = 0; place < ElfFile::good().size(); ++place) {
        for (const std::uint32_t value : {0x00U, 0x01U, 0x7fU, 0x80U, 0xffU}) {
            ElfFile file = ElfFile::good();
            file.set8(place, value);
            expect_sound(file);
        }
    }
}

TEST(Elf, NoRandomChangesDoHarm) {
    std::mt19937 random(29);  // NOLINT(bugprone-random-generator-seed): the same in every run
    constexpr std::array<std::uint32_t, 8> kEdges{0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 709, 0x1000, 5};
    for (int i = 0; i < thinned(20'000, 4); ++i) {
        ElfFile file = ElfFile::good();
        const std::size_t headers = random() % 2 == 0 ? 0 : file.section_header(0);
        for (std::uint32_t changes = random() % 4 + 1; changes > 0; --changes) {
            const std::size_t place = headers + random() % 37 * 4;
            const std::uint32_t value = random() % 2 == 0 ? kEdges.at(random() % kEdges.size()) : random() % 1024;
            file.set32(place, value);
        }
        expect_sound(file);
    }
}

}  // namespace

}  // namespace nocbench::riscv
