#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "device_model/riscv/isa/decode.h"
#include "device_model/riscv/isa/instruction.h"
#include "device_model/sim/random_numbers.h"
#include "tests/support/thinning.h"

namespace nocbench::riscv {

namespace {

constexpr Extensions kAll{Extension::multiply,           Extension::atomic_operations, Extension::load_reserved,
                          Extension::single_float,       Extension::compressed,        Extension::csr,
                          Extension::address_generation, Extension::bit_manipulation};
constexpr std::uint32_t kAddress = 0x10000;

// ---- Reference: output of the GNU assembler and disassembler (scripts/studies/tabulate_riscv_instructions.py).

struct Line {
    std::string word;  // 4 or 8 hexadecimal digits
    std::string extension;
    std::string assembly;
};

struct Digest {
    std::size_t num_words = 0;
    std::uint64_t digest = 0;
};

struct Table {
    std::vector<Line> lines;
    std::map<std::string, Digest> digests;
};

Table read_table() {
    std::ifstream file(NOCBENCH_INSTRUCTION_TABLE);
    Table table;
    std::string text;
    while (std::getline(file, text)) {
        std::istringstream stream(text);
        Line line;
        stream >> line.word >> line.extension >> std::ws;
        std::getline(stream, line.assembly);
        if (line.word == "every_half" || line.word == "random_words") {
            table.digests[line.word] = {std::stoul(line.extension), std::stoull(line.assembly, nullptr, 16)};
        } else if (line.word != "#") {
            table.lines.push_back(line);
        }
    }
    return table;
}

const Table& table() {
    static const Table kTable = read_table();
    return kTable;
}

std::uint32_t word_of(const Line& line) { return static_cast<std::uint32_t>(std::stoul(line.word, nullptr, 16)); }

Extensions all_without(Extension missing) {
    using enum Extension;
    const auto unless_missing = [&](Extension extension) {
        const Extension other = missing == multiply ? csr : multiply;
        return extension == missing ? other : extension;
    };
    return {unless_missing(multiply),           unless_missing(atomic_operations), unless_missing(load_reserved),
            unless_missing(single_float),       unless_missing(compressed),        unless_missing(csr),
            unless_missing(address_generation), unless_missing(bit_manipulation)};
}

const std::map<std::string, std::vector<Extension>> kNeeded{{"I", {}},
                                                            {"M", {Extension::multiply}},
                                                            {"Zicsr", {Extension::csr}},
                                                            {"Zalrsc", {Extension::load_reserved}},
                                                            {"Zaamo", {Extension::atomic_operations}},
                                                            {"Zba", {Extension::address_generation}},
                                                            {"Zbb", {Extension::bit_manipulation}},
                                                            {"F", {Extension::single_float}},
                                                            {"C", {Extension::compressed}},
                                                            {"CF", {Extension::compressed, Extension::single_float}}};

class Fnv1a {
public:
    void add(const std::string& text) {
        for (const char character : text + "\n") {
            value_ = (value_ ^ static_cast<unsigned char>(character)) * 0x100000001b3;
        }
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325;
};

std::string assembly_of(std::uint32_t word) {
    const Instruction instruction = decode(word, kAll);
    return instruction.operation == Operation::illegal ? "illegal" : disassemble(instruction, kAddress);
}

TEST(Decode, AgreesWithTheAssembler) {
    ASSERT_GT(table().lines.size(), 800U);
    for (const Line& line : table().lines) {
        const Instruction instruction = decode(word_of(line), kAll);
        EXPECT_EQ(disassemble(instruction, kAddress), line.assembly) << line.word;
        EXPECT_EQ(instruction.bytes, line.word.size() / 2) << line.word;
    }
}

TEST(Decode, TableHasEveryOperation) {
    std::set<std::string> found;
    for (const Line& line : table().lines) {
        found.insert(line.assembly.substr(0, line.assembly.find(' ')));
    }
    std::set<std::string> expected;
#define NOCBENCH_RISCV_OPERATION(name, mnemonic) expected.insert(mnemonic);
#include "device_model/riscv/isa/operations.inl"
#undef NOCBENCH_RISCV_OPERATION
    expected.erase("illegal instruction");
    EXPECT_EQ(found, expected);
    EXPECT_EQ(to_string(Operation::illegal), "illegal instruction");
    EXPECT_EQ(to_string(Operation::fmv_w_x), "fmv.w.x");
}

TEST(Decode, KnowsOnlyWhatIsEnabled) {
    for (const Line& line : table().lines) {
        const std::uint32_t word = word_of(line);
        for (const Extension missing : kNeeded.at(line.extension)) {
            const Instruction instruction = decode(word, all_without(missing));
            EXPECT_EQ(instruction.operation, Operation::illegal) << line.word;
            EXPECT_EQ(static_cast<std::uint32_t>(instruction.immediate), word);
        }
        if (line.extension == "I") {
            EXPECT_EQ(decode(word, {}), decode(word, kAll)) << line.word;
        }
    }
}

TEST(Decode, AgreesOnEveryCompressedInstruction) {
    Fnv1a digest;
    std::size_t num_words = 0;
    for (std::uint32_t half = 0; half < 0x10000; ++half) {
        if (half % 4 != 3) {
            digest.add(assembly_of(half));
            ++num_words;
        }
    }
    EXPECT_EQ(num_words, table().digests.at("every_half").num_words);
    EXPECT_EQ(digest.value(), table().digests.at("every_half").digest);
}

/// Returns a word with a known opcode and random other bits.
std::uint32_t random_word(RandomNumbers& random) {
    constexpr std::array<std::uint32_t, 18> kOpcodes{0x03, 0x07, 0x13, 0x17, 0x23, 0x27, 0x2f, 0x33, 0x37,
                                                     0x43, 0x47, 0x4b, 0x4f, 0x53, 0x63, 0x67, 0x6f, 0x73};
    const std::uint64_t mixed = random.next();
    return (static_cast<std::uint32_t>(mixed) & 0xffffff80) | kOpcodes.at((mixed >> 32) % kOpcodes.size());
}

TEST(Decode, AgreesOnRandomWords) {
    const Digest expected = table().digests.at("random_words");
    Fnv1a digest;
    RandomNumbers random(0);
    for (std::size_t i = 0; i < expected.num_words; ++i) {
        digest.add(assembly_of(random_word(random)));
    }
    EXPECT_EQ(digest.value(), expected.digest);
}

TEST(Decode, NamesRegisters) {
    // add zero, a1, a2
    EXPECT_EQ(decode(0x00c58033, kAll), (Instruction{.operation = Operation::add, .source1 = 11, .source2 = 12}));
    // lui t6, 0xfffff
    EXPECT_EQ(decode(0xffffffb7, kAll),
              (Instruction{.operation = Operation::lui, .destination = 31, .immediate = -0x1000}));
    // sw a0, -4(sp)
    EXPECT_EQ(decode(0xfea12e23, kAll),
              (Instruction{.operation = Operation::sw, .source1 = 2, .source2 = 10, .immediate = -4}));
    // fmadd.s fa0, fa1, fa2, fa3, rtz
    EXPECT_EQ(decode(0x68c59543, kAll), (Instruction{.operation = Operation::fmadd_s,
                                                     .destination = kFirstFloat + 10,
                                                     .source1 = kFirstFloat + 11,
                                                     .source2 = kFirstFloat + 12,
                                                     .source3 = kFirstFloat + 13,
                                                     .rounding = 1}));
    // fsw fa1, 8(sp)
    EXPECT_EQ(decode(0x00b12427, kAll),
              (Instruction{.operation = Operation::fsw, .source1 = 2, .source2 = kFirstFloat + 11, .immediate = 8}));
    // flw ft0, 4(a0): register f0 is not x0
    EXPECT_EQ(decode(0x00452007, kAll),
              (Instruction{.operation = Operation::flw, .destination = kFirstFloat, .source1 = 10, .immediate = 4}));
    // csrrwi a0, 0xfff, 31
    EXPECT_EQ(decode(0xffffd573, kAll),
              (Instruction{.operation = Operation::csrrwi, .destination = 10, .operand = 31, .immediate = 0xfff}));
    // fcvt.w.s zero, ft0: the rounding mode in frm
    EXPECT_EQ(decode(0xc0007053, kAll),
              (Instruction{.operation = Operation::fcvt_w_s, .source1 = kFirstFloat, .rounding = 7}));
    // feq.s a0, fa1, fa2: its funct3 is not a rounding mode
    EXPECT_EQ(decode(0xa0c5a553, kAll), (Instruction{.operation = Operation::feq_s,
                                                     .destination = 10,
                                                     .source1 = kFirstFloat + 11,
                                                     .source2 = kFirstFloat + 12}));
    // lr.w.aqrl a0, (a1) and amoadd.w.aq a0, a1, (a2)
    EXPECT_EQ(decode(0x1605a52f, kAll), (Instruction{.operation = Operation::lr_w, .destination = 10, .source1 = 11}));
    EXPECT_EQ(decode(0x04b6252f, kAll),
              (Instruction{.operation = Operation::amoadd_w, .destination = 10, .source1 = 12, .source2 = 11}));
    // fence iorw, iorw; fence with all bits reserved for later versions; pause
    for (const std::uint32_t word : {0x0ff0000fU, 0xffff8f8fU, 0x0100000fU, 0x8330000fU}) {
        EXPECT_EQ(decode(word, kAll), Instruction{.operation = Operation::fence}) << word;
    }
    EXPECT_EQ(decode(0x0000100f, {}), Instruction{.operation = Operation::fence_i});
}

TEST(Decode, TurnsCompressedOnesIntoWhatTheyStandFor) {
    // c.lwsp ra, 252(sp)
    EXPECT_EQ(decode(0x50fe, kAll),
              (Instruction{.operation = Operation::lw, .destination = 1, .source1 = 2, .bytes = 2, .immediate = 252}));
    // c.jr ra
    EXPECT_EQ(decode(0x8082, kAll), (Instruction{.operation = Operation::jalr, .source1 = 1, .bytes = 2}));
    // c.ebreak
    EXPECT_EQ(decode(0x9002, kAll), (Instruction{.operation = Operation::ebreak, .bytes = 2}));
    // c.lui t6, 0xfffff
    EXPECT_EQ(decode(0x7ffd, kAll),
              (Instruction{.operation = Operation::lui, .destination = 31, .bytes = 2, .immediate = -0x1000}));
    // c.nop, and hints, which write no register
    for (const std::uint32_t half : {0x0001U, 0x0005U, 0x4005U, 0x6005U, 0x800aU, 0x900aU, 0x0002U}) {
        const Instruction instruction = decode(half, kAll);
        EXPECT_EQ(instruction.destination, kDiscard) << half;
        EXPECT_NE(instruction.operation, Operation::illegal) << half;
    }
}

// ---- Round trips of words assembled from the formats in the first pages of chapter 2 of the manual.

constexpr std::uint32_t bits(std::int32_t value, int high, int low) {
    return (static_cast<std::uint32_t>(value) >> low) & ((2U << (high - low)) - 1);
}

std::uint32_t encode_r(std::uint32_t opcode, std::uint32_t funct3, std::uint32_t funct7, std::uint32_t rd,
                       std::uint32_t rs1, std::uint32_t rs2) {
    return (funct7 << 25) | (rs2 << 20) | (rs1 << 15) | (funct3 << 12) | (rd << 7) | opcode;
}

std::uint32_t encode_i(std::uint32_t opcode, std::uint32_t funct3, std::uint32_t rd, std::uint32_t rs1,
                       std::int32_t immediate) {
    return (bits(immediate, 11, 0) << 20) | (rs1 << 15) | (funct3 << 12) | (rd << 7) | opcode;
}

std::uint32_t encode_s(std::uint32_t funct3, std::uint32_t rs1, std::uint32_t rs2, std::int32_t immediate) {
    return (bits(immediate, 11, 5) << 25) | (rs2 << 20) | (rs1 << 15) | (funct3 << 12) | (bits(immediate, 4, 0) << 7) |
           0x23;
}

std::uint32_t encode_b(std::uint32_t funct3, std::uint32_t rs1, std::uint32_t rs2, std::int32_t offset) {
    return (bits(offset, 12, 12) << 31) | (bits(offset, 10, 5) << 25) | (rs2 << 20) | (rs1 << 15) | (funct3 << 12) |
           (bits(offset, 4, 1) << 8) | (bits(offset, 11, 11) << 7) | 0x63;
}

std::uint32_t encode_j(std::uint32_t rd, std::int32_t offset) {
    return (bits(offset, 20, 20) << 31) | (bits(offset, 10, 1) << 21) | (bits(offset, 11, 11) << 20) |
           (bits(offset, 19, 12) << 12) | (rd << 7) | 0x6f;
}

TEST(Decode, EveryImmediateComesBack) {
    for (std::int32_t immediate = -2048; immediate < 2048; ++immediate) {
        const Instruction addi = decode(encode_i(0x13, 0, 5, 6, immediate), {});
        EXPECT_EQ(addi,
                  (Instruction{.operation = Operation::addi, .destination = 5, .source1 = 6, .immediate = immediate}));
        const Instruction sh = decode(encode_s(1, 7, 9, immediate), {});
        EXPECT_EQ(sh, (Instruction{.operation = Operation::sh, .source1 = 7, .source2 = 9, .immediate = immediate}));
        const Instruction bgeu = decode(encode_b(7, 3, 4, 2 * immediate), {});
        EXPECT_EQ(bgeu,
                  (Instruction{.operation = Operation::bgeu, .source1 = 3, .source2 = 4, .immediate = 2 * immediate}));
    }
    for (std::int32_t offset = -(1 << 20); offset < 1 << 20; offset += 2) {
        const Instruction jal = decode(encode_j(1, offset), {});
        if (jal != Instruction{.operation = Operation::jal, .destination = 1, .immediate = offset}) {
            ADD_FAILURE() << offset;
        }
    }
}

TEST(Decode, EveryRegisterComesBack) {
    for (std::uint32_t rd = 0; rd < 32; ++rd) {
        for (std::uint32_t rs1 = 0; rs1 < 32; ++rs1) {
            for (std::uint32_t rs2 = 0; rs2 < 32; ++rs2) {
                const Instruction sub = decode(encode_r(0x33, 0, 0x20, rd, rs1, rs2), {});
                EXPECT_EQ(sub, (Instruction{.operation = Operation::sub,
                                            .destination = rd == 0 ? kDiscard : static_cast<std::uint8_t>(rd),
                                            .source1 = static_cast<std::uint8_t>(rs1),
                                            .source2 = static_cast<std::uint8_t>(rs2)}));
            }
        }
    }
}

TEST(Decode, ReservedEncodingsAreIllegal) {
    const std::vector<std::uint32_t> words{
        0x00000000,  // all zeros
        0xffffffff,  // and all ones
        0x0000001f,  // 48 bits or more
        0x0000003f,
        0x00003003,  // ld
        0x00007003,
        0x00003023,  // sd
        0x02001013,  // slli by 32
        0x02005013,  // srli by 32
        0x42005013,  // srai by 32
        0x62005013,  // rori by 32
        0x60301013,  // between cpop and sext.b
        0x28605013,  // next to orc.b
        0x6b805013,  // rev8 of 64 bits
        0x08104033,  // zext.h of two registers
        0x00002063,  // branches with funct3 2 and 3
        0x00003063,
        0x00001067,  // jalr with funct3 1
        0x00003007,  // fld
        0x00003027,  // fsd
        0x1010202f,  // lr.w with a second register
        0x0000302f,  // amoadd.d
        0x2800202f,  // between amoxor and amoor
        0x00005053,  // fadd.s with rounding modes 5 and 6
        0x00006053,
        0x00005043,  // fmadd.s with rounding modes 5 and 6
        0x00006043,
        0x02007053,  // fadd.d
        0x02007043,  // fmadd.d
        0x20003053,  // fsgnj with funct3 3
        0x28002053,  // fmin with funct3 2
        0xa0003053,  // fle with funct3 3
        0x58100053,  // fsqrt.s of two registers
        0xc0200053,  // fcvt.l.s
        0xe0002053,  // fmv.x.w with funct3 2
        0xe0100053,  // fmv.x.w of two registers
        0xf0100053,
        0x0000200f,  // fences with funct3 2
        0x000000f3,  // ecall with a register
        0x00200073,  // uret
        0x30200073,  // mret
        0x10500073,  // wfi
        0x00004073,  // system with funct3 4
        0x0000003b,  // addw
        0x04000033,  // an unknown funct7
    };
    for (const std::uint32_t word : words) {
        const Instruction expected = (word & 3) == 3
                                         ? Instruction{.immediate = static_cast<std::int32_t>(word)}
                                         : Instruction{.bytes = 2, .immediate = static_cast<std::int32_t>(word)};
        EXPECT_EQ(decode(word, kAll), expected) << fmt::format("{:08x}", word);
    }
}

TEST(Decode, ReservedCompressedEncodingsAreIllegal) {
    const std::vector<std::uint32_t> halves{
        0x0000,                          // all zeros
        0x0004,                          // c.addi4spn with immediate 0
        0x2000, 0xa000,                  // c.fld, c.fsd
        0x8000,                          // reserved
        0x6081,                          // c.lui with immediate 0
        0x6101,                          // c.addi16sp with immediate 0
        0x9001, 0x9401,                  // c.srli and c.srai by 32
        0x9c01, 0x9c21, 0x9c41, 0x9c61,  // c.subw, c.addw and two unassigned ones
        0x1002,                          // c.slli by 32
        0x2002, 0xa002,                  // c.fldsp, c.fsdsp
        0x4002,                          // c.lwsp to x0
        0x8002,                          // c.jr to x0
    };
    for (const std::uint32_t half : halves) {
        const Instruction expected{.bytes = 2, .immediate = static_cast<std::int32_t>(half)};
        EXPECT_EQ(decode(half | 0xabcd0000, kAll), expected) << fmt::format("{:04x}", half);
    }
}

TEST(Decode, WithoutCompressedOnesTheWholeWordIsIllegal) {
    EXPECT_EQ(decode(0xabcd8082, {Extension::multiply}),
              Instruction{.immediate = static_cast<std::int32_t>(0xabcd8082)});
}

TEST(Disassemble, SaysWhatIsIllegal) {
    EXPECT_EQ(disassemble(decode(0, kAll), 0), "illegal instruction 0x0000");
    EXPECT_EQ(disassemble(decode(0, {}), 0), "illegal instruction 0x00000000");
    EXPECT_EQ(disassemble(decode(0xffffffff, kAll), 0), "illegal instruction 0xffffffff");
}

TEST(Disassemble, TargetsWrapAround) {
    EXPECT_EQ(disassemble(decode(encode_b(0, 1, 2, -4), {}), 0), "beq ra, sp, 0xfffffffc");
    EXPECT_EQ(disassemble(decode(encode_j(0, 16), {}), 0xfffffff8), "jal zero, 0x8");
}

void expect_sound(std::uint32_t word, const Instruction& instruction) {
    const bool is_sound = instruction.destination < kNumRegisters && instruction.source1 < kNumRegisters &&
                          instruction.source2 < kNumRegisters && instruction.source3 < kNumRegisters &&
                          instruction.destination != 0 && instruction.rounding < 8 &&
                          (instruction.bytes == 2 || instruction.bytes == 4);
    const std::uint32_t shown = instruction.bytes == 2 ? word & 0xffff : word;
    const bool is_shown = static_cast<std::uint32_t>(instruction.immediate) == shown;
    if (!is_sound || (instruction.operation == Operation::illegal && !is_shown)) {
        ADD_FAILURE() << fmt::format("{:08x}", word);
    }
}

TEST(Decode, EveryHalfIsSoundWithAnyExtensions) {
    const std::vector<Extensions> sets{
        {}, {Extension::compressed}, {Extension::compressed, Extension::single_float}, kAll};
    for (const Extensions extensions : sets) {
        for (std::uint32_t half = 0; half < 0x10000; ++half) {
            const Instruction instruction = decode(half, extensions);
            expect_sound(half, instruction);
            EXPECT_FALSE(disassemble(instruction, kAddress).empty());
            if (instruction.bytes == 2) {
                EXPECT_EQ(decode(half | 0xffff0000, extensions), instruction);
            }
        }
    }
}

TEST(Decode, RandomWordsAreSound) {
    RandomNumbers random(20'000'000);
    for (int i = 0; i < test::thinned(10'000'000, 20); ++i) {
        const std::uint32_t known = random_word(random);
        const auto any = static_cast<std::uint32_t>(random.next());
        expect_sound(known, decode(known, kAll));
        expect_sound(any, decode(any, kAll));
    }
}

}  // namespace

}  // namespace nocbench::riscv
