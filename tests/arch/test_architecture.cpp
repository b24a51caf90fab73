#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/arch/fields/fields.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "tests/arch/architecture_file_test.h"

namespace nocbench {

namespace {

TEST_F(ArchitectureFileTest, UnchangedCopyIsFine) { EXPECT_EQ(load_error(), "no error"); }

TEST_F(ArchitectureFileTest, ThreeMistakesAreReportedAtOnce) {
    replace("router:", "  hop_cycles:", "  hop_cyles:");
    replace_value("  injection_cycles:", "0");
    const std::string file = file_.string();
    EXPECT_EQ(load_error(),
              fmt::format("3 mistakes in {0}\n"
                          "{0}:{1}:1: router.hop_cycles: expected this key, found nothing\n"
                          "{0}:{2}:3: router.hop_cyles: expected a known key, found an unknown key (did you mean "
                          "hop_cycles?)\n"
                          "{0}:{3}:12: niu.injection_cycles: expected a whole number from 1 to 1000 (cycles), found 0",
                          file, line_of("", "\nrouter:") + 1, line_of("router:", "  hop_cyles:"),
                          line_of("injection_cycles:", "value:")));
}

TEST_F(ArchitectureFileTest, DuplicateKey) {
    replace("l1:", "  reserved_bytes:", "  size_bytes:\n    value: 1\n  reserved_bytes:");
    const int first = line_of("l1:", "  size_bytes:");
    const int second = line_of("l1:", "  reserved_bytes:") - 2;
    EXPECT_EQ(load_error(),
              one_mistake(second, 3,
                          fmt::format("l1.size_bytes: expected each key once, found it again after line {}", first)));
}

TEST_F(ArchitectureFileTest, DuplicateSectionAndBoard) {
    content_ += "  n150:\n    description: again\nrisc: {}\n";
    const std::string error = load_error();
    EXPECT_TRUE(error.starts_with("2 mistakes in ")) << error;
    EXPECT_NE(error.find("boards.n150: expected each key once, found it again after line "), std::string::npos)
        << error;
    EXPECT_NE(error.find("risc: expected each key once, found it again after line "), std::string::npos) << error;
}

TEST_F(ArchitectureFileTest, WrongUnit) {
    replace("flit_bytes:", "unit: bytes", "unit: bits");
    EXPECT_EQ(load_error(),
              one_mistake(line_of("flit_bytes:", "unit:"), 11, "router.flit_bytes.unit: expected bytes, found bits"));
}

TEST_F(ArchitectureFileTest, MissingPartOfAConstant) {
    replace("flit_bytes:", "    status: documented\n", "");
    EXPECT_EQ(load_error(), one_mistake(line_of("router:", "  flit_bytes:"), 3,
                                        "router.flit_bytes.status: expected this key, found nothing"));
}

TEST_F(ArchitectureFileTest, UnknownStatus) {
    replace("flit_bytes:", "status: documented", "status: guessed");
    EXPECT_EQ(
        load_error(),
        one_mistake(line_of("flit_bytes:", "status:"), 13,
                    "router.flit_bytes.status: expected one of derived, documented, measured, fitted, estimated, found "
                    "guessed"));
}

TEST_F(ArchitectureFileTest, FittedConstantsSayWhatTheyWereFittedTo) {
    replace("flit_bytes:", "status: documented", "status: fitted\n    fitted_rows: []");
    EXPECT_EQ(load_error(), one_mistake(line_of("router:", "  flit_bytes:"), 3,
                                        "router.flit_bytes.fitted_to: expected this key, since status is fitted, found "
                                        "nothing"));
}

TEST_F(ArchitectureFileTest, FittedConstantsNameTheirPublishedRows) {
    replace("flit_bytes:", "status: documented", "status: fitted\n    fitted_to: a table");
    EXPECT_EQ(load_error(), one_mistake(line_of("router:", "  flit_bytes:"), 3,
                                        "router.flit_bytes.fitted_rows: expected this key, since status is fitted, "
                                        "found nothing"));
}

TEST_F(ArchitectureFileTest, OnlyFittedConstantsSayWhatTheyWereFittedTo) {
    replace("flit_bytes:", "    status: documented\n", "    status: documented\n    fitted_to: a table\n");
    EXPECT_EQ(load_error(), one_mistake(line_of("flit_bytes:", "fitted_to:"), 5,
                                        "router.flit_bytes.fitted_to: expected this key only where status is fitted, "
                                        "found it with status documented"));
}

TEST_F(ArchitectureFileTest, WhatIsDocumentedWasFittedToNoRows) {
    replace("flit_bytes:", "    status: documented\n", "    status: documented\n    fitted_rows: []\n");
    EXPECT_EQ(load_error(),
              one_mistake(line_of("flit_bytes:", "fitted_rows:"), 5,
                          "router.flit_bytes.fitted_rows: expected this key only where status is not documented, found "
                          "it with status documented"));
}

TEST_F(ArchitectureFileTest, WhatWasMeasuredMayNameRows) {
    replace(
        "flit_bytes:", "    status: documented\n",
        "    status: measured\n    fitted_rows:\n      - reference: table.csv\n        where: {test: [A, B*], size: "
        "..2KiB}\n      - {reference: another.csv}\n");
    EXPECT_EQ(load_error(), "no error");
}

TEST_F(ArchitectureFileTest, FittedRowsAreTablesAndConditions) {
    replace("flit_bytes:", "    status: documented\n",
            "    status: measured\n    fitted_rows:\n      - {table: table.csv}\n      - {reference: table.csv, where: "
            "{test: {}, size: []}}\n      - table.csv\n");
    const int line = line_of("flit_bytes:", "fitted_rows:");
    const std::string file = file_.string();
    EXPECT_EQ(
        load_error(),
        fmt::format("5 mistakes in {0}\n"
                    "{0}:{1}:9: router.flit_bytes.fitted_rows.reference: expected this key, found nothing\n"
                    "{0}:{1}:10: router.flit_bytes.fitted_rows.table: expected a known key, found an unknown key\n"
                    "{0}:{2}:46: router.flit_bytes.fitted_rows.where.test: expected a value, or a list of values, "
                    "found a mapping\n"
                    "{0}:{2}:56: router.flit_bytes.fitted_rows.where.size: expected a value, or a list of values, "
                    "found a list of 0 items\n"
                    "{0}:{3}:9: router.flit_bytes.fitted_rows: expected a mapping with the keys reference, found "
                    "table.csv",
                    file, line + 1, line + 2, line + 3));
}

TEST_F(ArchitectureFileTest, FittedRowsAreAList) {
    replace("flit_bytes:", "    status: documented\n", "    status: measured\n    fitted_rows: a table\n");
    EXPECT_EQ(load_error(), one_mistake(line_of("flit_bytes:", "fitted_rows:"), 18,
                                        "router.flit_bytes.fitted_rows: expected a list, found a table"));
}

struct WrongValue {
    std::string name;
    std::string after;  // start of the search for `from`
    std::string from;   // text to replace; if empty, the whole value
    std::string to;
    int column;
    std::string complaint;
};

class WrongValueTest : public ArchitectureFileTest, public testing::WithParamInterface<WrongValue> {};

INSTANTIATE_TEST_SUITE_P(
    All, WrongValueTest,
    testing::Values(
        WrongValue{"Text", "  hop_cycles:", "", "nine", 12,
                   "router.hop_cycles: expected a whole number from 1 to 1000 (cycles), found nine"},
        WrongValue{"QuotedNumber", "  hop_cycles:", "", "\"9\"", 12,
                   "router.hop_cycles: expected a whole number from 1 to 1000 (cycles), found the text \"9\""},
        WrongValue{"Fraction", "  hop_cycles:", "", "9.5", 12,
                   "router.hop_cycles: expected a whole number from 1 to 1000 (cycles), found 9.5"},
        WrongValue{"PerhapsOctal", "  hop_cycles:", "", "010", 12,
                   "router.hop_cycles: expected a whole number from 1 to 1000 (cycles), found 010"},
        WrongValue{"TooManyDigits", "  hop_cycles:", "", "99999999999999999999", 12,
                   "router.hop_cycles: expected a whole number from 1 to 1000 (cycles), found 99999999999999999999"},
        WrongValue{"List", "  hop_cycles:", "", "[9]", 12,
                   "router.hop_cycles: expected a whole number from 1 to 1000 (cycles), found a list of 1 item"},
        WrongValue{"Mapping", "  hop_cycles:", "", "{a: 9}", 12,
                   "router.hop_cycles: expected a whole number from 1 to 1000 (cycles), found a mapping"},
        WrongValue{"NotAPowerOfTwo", "  flit_bytes:", "", "48", 12,
                   "router.flit_bytes: expected a power of two from 4 to 4096 (bytes), found 48"},
        WrongValue{"FiveDecimals", "  partial_write_cycles:", "", "62.50000", 12,
                   "dram.partial_write_cycles: expected a number with at most four decimals from 0 to 100000 (cycles), "
                   "found 62.50000"},
        WrongValue{"Exponent", "  partial_write_cycles:", "", "6e1", 12,
                   "dram.partial_write_cycles: expected a number with at most four decimals from 0 to 100000 (cycles), "
                   "found 6e1"},
        WrongValue{"SecondOfPair", "  sink_cycles_per_data_flit:", "", "[1.02, 0.98]", 19,
                   "niu.sink_cycles_per_data_flit: expected a list of 2 numbers (NoC 0, NoC 1), each a number with at "
                   "most four decimals from 1 to 1000 (cycles per flit), found 0.98"},
        WrongValue{"Repeated", "  tensix_columns:", "[1, 2, 3,", "[1, 2, 2,", 19,
                   "grid.tensix_columns: expected a list of different numbers, each a whole number from 0 to 63, at "
                   "least 1, found 2 twice"},
        WrongValue{"NoPlace", "  pcie_tiles:", "", "[[0, 3, 1]]", 13,
                   "grid.pcie_tiles: expected a list of different places [x, y], x and y each a whole number from 0 to "
                   "63, found a list of 3 items"},
        WrongValue{"UnknownPartOfBank", "  banks:", "{channel: 0, endpoints", "{channel: 0, tiles", 24,
                   "dram_placements.soc_descriptor.banks: expected a list of {channel: number, endpoints: [[x, y], [x, "
                   "y]], offset_bytes: "
                   "number}, x and y each a whole number from 0 to 63, at least 1, found the key tiles"}),
    [](const auto& test) { return test.param.name; });

TEST_P(WrongValueTest, IsReportedWithItsPlace) {
    const WrongValue& wrong = GetParam();
    if (wrong.from.empty()) {
        replace_value(wrong.after, wrong.to);
    } else {
        replace(wrong.after, wrong.from, wrong.to);
    }
    const int line = line_of(wrong.after, wrong.from.empty() ? "value:" : wrong.to);
    EXPECT_EQ(load_error(), one_mistake(line, wrong.column, wrong.complaint));
}

TEST_F(ArchitectureFileTest, NothingWhereAValueBelongs) {
    replace_value("  hop_cycles:", "");
    EXPECT_EQ(load_error(), one_mistake(line_of("router:", "  hop_cycles:"), 3,
                                        "router.hop_cycles: expected a whole number from 1 to 1000 (cycles), found "
                                        "nothing"));
}

TEST_F(ArchitectureFileTest, ConstantWithoutProvenance) {
    content_ = "kind: tensix_torus\nrouter:\n  hop_cycles: 9\n";
    EXPECT_NE(
        load_error().find(":3:15: router.hop_cycles: expected a mapping with the keys value, unit, status, source, "
                          "found 9"),
        std::string::npos);
}

TEST_F(ArchitectureFileTest, SyntaxError) {
    content_ = "grid:\n  columns: [1, 2\nrouter: 3\n";
    EXPECT_EQ(load_error(), one_mistake(3, 7, "syntax: expected YAML, found end of sequence flow not found"));
}

/// Each alias expands to nine aliases of the level below, so a walk over all nodes would practically never end.
TEST_F(ArchitectureFileTest, AliasesAreRefused) {
    content_ = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int level = 1; level < 10; ++level) {
        content_ += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", level,
                                level - 1);
    }
    EXPECT_EQ(load_error(),
              one_mistake(2, 10, "syntax: expected YAML, found an alias; write what it stands for in its place"));
}

TEST_F(ArchitectureFileTest, DeepNestingIsRefused) {
    const std::string complaint = "syntax: expected YAML, found lists and mappings in more than 64 levels";
    content_ = std::string(100'000, '[') + std::string(100'000, ']');
    EXPECT_EQ(load_error(), one_mistake(1, 65, complaint));
    content_.clear();
    for (int level = 0; level < 100'000; ++level) {
        content_ += "- ";
    }
    EXPECT_EQ(load_error(), one_mistake(1, 129, complaint));
    content_ = "kind:\n  " + std::string(63, '[') + std::string(63, ']') + "\n";
    EXPECT_EQ(load_error().find("levels"), std::string::npos);
}

TEST_F(ArchitectureFileTest, EmptyFile) {
    content_.clear();
    EXPECT_EQ(load_error(), one_mistake(1, 1, "file: expected one YAML document, found none"));
}

TEST_F(ArchitectureFileTest, TwoDocuments) {
    const int lines = static_cast<int>(std::ranges::count(content_, '\n'));
    content_ += "---\nrouter: 1\n";
    EXPECT_EQ(load_error(), one_mistake(lines + 2, 1, "file: expected one YAML document, found 2"));
}

TEST_F(ArchitectureFileTest, NoMapping) {
    content_ = "- 1\n- 2\n";
    EXPECT_EQ(load_error(),
              one_mistake(1, 1,
                          "file: expected a mapping whose key kind says which other keys there are, found a list of 2 "
                          "items"));
}

TEST_F(ArchitectureFileTest, NoFile) {
    const std::string missing = (directory_ / "missing.yaml").string();
    EXPECT_EQ(input_error([&] { static_cast<void>(load_architecture(missing)); }),
              missing + ": expected an architecture file, found no file");
    EXPECT_EQ(input_error([&] { static_cast<void>(load_architecture(directory_)); }),
              directory_.string() + ": expected an architecture file, found no file");
}

TEST_F(ArchitectureFileTest, EverySectionMissing) {
    content_ = "architecture: wormhole_b0\nkind: tensix_torus\n";
    std::string expected = fmt::format("16 mistakes in {}", file_.string());
    for (const char* key : {"description", "default_board", "grid", "router", "niu", "l1", "risc", "riscv", "compute",
                            "dram", "pcie", "shortening", "host_links", "memories", "dram_placements", "boards"}) {
        expected += fmt::format("\n{}:1:1: {}: expected this key, found nothing", file_.string(), key);
    }
    EXPECT_EQ(load_error(), expected);
}

struct Contradictory {
    std::string name;
    std::string after;  // start of the search for `from`
    std::string from;   // text to replace; if empty, the whole value
    std::string to;
    std::string owner;  // key named in the complaint, which determines its line
    int column;
    std::string complaint;
};

class ContradictionTest : public ArchitectureFileTest, public testing::WithParamInterface<Contradictory> {};

INSTANTIATE_TEST_SUITE_P(
    All, ContradictionTest,
    testing::Values(
        Contradictory{"OutsideTheGrid", "  pcie_tiles:", "", "[[10, 3]]", "  pcie_tiles:", 3,
                      "grid.pcie_tiles: expected places inside the grid of 10 columns and 12 rows, found (10, 3)"},
        Contradictory{"ColumnOutsideTheGrid", "  tensix_columns:", "8, 9]", "8, 10]", "  tensix_columns:", 3,
                      "grid.tensix_columns: expected numbers below 10 (grid.columns), found 10"},
        Contradictory{"TwoClasses", "  arc_tiles:", "", "[[0, 3]]", "  arc_tiles:", 3,
                      "grid.arc_tiles: expected tiles that are in no other class, found (0, 3), a tile of class PCIe"},
        Contradictory{"DramOnTensix", "  channel_tiles:", "- [[0, 0], [0, 1], [0, 11]]",
                      "- [[0, 0], [0, 1], [0, 11], [1, 1]]", "  channel_tiles:", 3,
                      "dram.channel_tiles: expected tiles that are in no other class, found (1, 1), a tile of class "
                      "Tensix"},
        Contradictory{"TranslatedCount", "  translated_rows:", ", 27]", "]", "  translated_rows:", 3,
                      "grid.translated_rows: expected 10 numbers, as many as grid.tensix_rows, found 9"},
        Contradictory{"VirtualChannelRoom", "  shared_flits_per_virtual_channel_max:", "", "31",
                      "  shared_flits_per_virtual_channel_max:", 3,
                      "router.shared_flits_per_virtual_channel_max: expected at most 30 (31 less "
                      "router.private_flits_per_virtual_channel), found 31"},
        Contradictory{"ReservedL1", "  reserved_bytes:", "", "1499136", "  reserved_bytes:", 3,
                      "l1.reserved_bytes: expected at most 1499135 (less than l1.size_bytes), found 1499136"},
        Contradictory{"BankOnAnotherChannel", "  banks:", "{channel: 0, endpoints: [[0, 11], [0, 11]]",
                      "{channel: 0, endpoints: [[0, 11], [0, 5]]", "    banks:", 5,
                      "dram_placements.soc_descriptor.banks: expected endpoints among the tiles of the bank's channel "
                      "(dram.channel_tiles), found "
                      "(0, 5) of bank 0, which is on channel 0"},
        Contradictory{"BanksOverlap", "  banks:", "offset_bytes: 1073741824}", "offset_bytes: 1073741823}",
                      "    banks:", 5,
                      "dram_placements.soc_descriptor.banks: expected banks that are reached through the same tiles to "
                      "lie dram.bank_size_bytes "
                      "apart, found banks 0 and 1 at offsets 0 and 1073741823"},
        Contradictory{
            "Interleaving", "  subchannel_interleave_bytes:", "", "4096", "    bank_interleave_bytes:", 5,
            "memories.gddr6.bank_interleave_bytes: expected at most 4096 (memory.subchannel_interleave_bytes), found "
            "8192"},
        Contradictory{
            "HarvestedRow", "  n150:", "harvested_rows:\n      value: [2]", "harvested_rows:\n      value: [6]",
            "    harvested_rows:", 5,
            "boards.n150.harvested_rows: expected numbers among grid.tensix_rows (1, 2, 3, 4, 5, 7, 8, 9, 10, "
            "11), found 6"},
        Contradictory{"ComputeGrid", "  n300:", "compute_rows:\n      value: 7", "compute_rows:\n      value: 9",
                      "    compute_rows:", 5,
                      "boards.n300.compute_rows: expected at most 8 (rows of grid.tensix_rows that are not harvested), "
                      "found 9"},
        Contradictory{"DefaultBoard", "", "default_board: n150", "default_board: p150", "default_board:", 1,
                      "default_board: expected one of the boards of this file (n150, n150_row_5, n300), found p150"},
        Contradictory{"NameOfTheFile", "", "architecture: wormhole_b0", "architecture: wormhole", "architecture:", 1,
                      "architecture: expected the name of the file, wormhole_b0, found wormhole"}),
    [](const auto& test) { return test.param.name; });

TEST_P(ContradictionTest, IsReportedAtTheKey) {
    const Contradictory& contradictory = GetParam();
    if (contradictory.from.empty()) {
        replace_value(contradictory.after, contradictory.to);
    } else {
        replace(contradictory.after, contradictory.from, contradictory.to);
    }
    const std::string board = contradictory.after == "  n300:" ? contradictory.after : "";
    EXPECT_EQ(load_error(),
              one_mistake(line_of(board, contradictory.owner), contradictory.column, contradictory.complaint));
}

Architecture wormhole(const std::vector<Setting>& settings, const std::string& board = "") {
    return load_architecture(find_architecture("wormhole_b0"), board, settings);
}

std::string setting_error(const std::vector<Setting>& settings, const std::string& board = "") {
    return input_error([&] { static_cast<void>(wormhole(settings, board)); });
}

TEST(SettingsTest, ChangeAnyKindOfField) {
    const Architecture architecture = wormhole({{"router.hop_cycles", "8"},
                                                {"risc.write_call_cycles", "21.5"},
                                                {"niu.source_cycles_per_data_flit", "1.5, 2"},
                                                {"grid.translated_rows", "28,19,20,21,22,23,24,25,26,27"},
                                                {"grid.pcie_tiles", "[0, 2], [0, 4]"},
                                                {"grid.ethernet_tiles", ""}});
    EXPECT_EQ(torus_of(architecture).router.hop_cycles, 8);
    EXPECT_EQ(torus_of(architecture).risc.write_call_ticks, 215'000);
    EXPECT_EQ(torus_of(architecture).niu.source_ticks_per_data_flit, (std::array<Tick, 2>{15'000, 20'000}));
    EXPECT_EQ(torus_of(architecture).grid.translated_rows,
              (std::vector<std::int64_t>{28, 19, 20, 21, 22, 23, 24, 25, 26, 27}));
    EXPECT_EQ(torus_of(architecture).grid.pcie_tiles, (std::vector<PhysicalCoordinate>{{0, 2}, {0, 4}}));
    EXPECT_TRUE(torus_of(architecture).grid.ethernet_tiles.empty());
}

TEST(SettingsTest, LaterOnesWin) {
    EXPECT_EQ(torus_of(wormhole({{"router.hop_cycles", "8"}, {"router.hop_cycles", "7"}})).router.hop_cycles, 7);
}

TEST(SettingsTest, OfABoardChangeTheChosenBoard) {
    const Architecture chosen = wormhole({{"board.harvested_rows", "2,5"}}, "n300");
    EXPECT_EQ(torus_of(chosen.board("n300")).harvested_rows, (std::vector<std::int64_t>{2, 5}));
    EXPECT_EQ(torus_of(chosen.board("n150")).harvested_rows, (std::vector<std::int64_t>{2}));
    const Architecture default_board = wormhole({{"board.harvested_rows", ""}});
    EXPECT_TRUE(torus_of(default_board.board("")).harvested_rows.empty());
}

TEST(SettingsTest, Mistakes) {
    EXPECT_EQ(setting_error({{"router.hop_cyles", "8"}}),
              "setting router.hop_cyles=8: expected a field of architecture wormhole_b0, found the unknown field "
              "router.hop_cyles (did you mean router.hop_cycles?)");
    EXPECT_EQ(setting_error({{"nonsense", "8"}}),
              "setting nonsense=8: expected a field of architecture wormhole_b0, found the unknown field nonsense");
    EXPECT_EQ(setting_error({{"description", "mine"}}),
              "setting description=mine: expected a field of architecture wormhole_b0, found the unknown field "
              "description");
    EXPECT_EQ(setting_error({{"router.hop_cycles", "fast"}}),
              "setting router.hop_cycles=fast: expected a whole number from 1 to 1000 (cycles), found fast");
    EXPECT_EQ(setting_error({{"router.hop_cycles", "0"}}),
              "setting router.hop_cycles=0: expected a whole number from 1 to 1000 (cycles), found 0");
    EXPECT_EQ(setting_error({{"router.hop_cycles", ""}}),
              "setting router.hop_cycles=: expected a whole number from 1 to 1000 (cycles), found nothing");
    EXPECT_EQ(
        setting_error({{"board.harvested_rows", "2,x"}}),
        "setting board.harvested_rows=2,x: expected a list of different numbers, each a whole number from 0 to 63, "
        "found x");
    EXPECT_EQ(
        setting_error({{"board.harvested_rows", "2,]"}}),
        "setting board.harvested_rows=2,]: expected a list of different numbers, each a whole number from 0 to 63, "
        "found 2,]");
    EXPECT_EQ(setting_error({{"router.hop_cycles", "0"}, {"l1.size", "1"}}),
              "setting router.hop_cycles=0: expected a whole number from 1 to 1000 (cycles), found 0\n"
              "setting l1.size=1: expected a field of architecture wormhole_b0, found the unknown field l1.size");
}

TEST(SettingsTest, ContradictionsNameTheSetting) {
    EXPECT_EQ(
        setting_error({{"board.harvested_rows", "6"}}),
        "setting board.harvested_rows=6: expected numbers among grid.tensix_rows (1, 2, 3, 4, 5, 7, 8, 9, 10, 11), "
        "found 6");
    EXPECT_EQ(
        setting_error({{"board.harvested_rows", "1,2,3"}}),
        "setting board.harvested_rows=1,2,3: expected board.compute_rows to be at most 7 (rows of grid.tensix_rows "
        "that are not harvested), found 8");
    EXPECT_EQ(setting_error({{"board.harvested_rows", "1,2,3"}, {"board.compute_rows", "7"}}), "no error");
}

class EveryArchitecture : public testing::TestWithParam<std::string> {
protected:
    Architecture architecture = load_architecture(find_architecture(GetParam()));
};

INSTANTIATE_TEST_SUITE_P(All, EveryArchitecture, testing::ValuesIn(architecture_names()),
                         [](const auto& test) { return test.param; });

TEST_P(EveryArchitecture, EveryConstantSaysWhereItComesFrom) {
    std::size_t expected = 0;
    for (const Field& field : fields(architecture.kind)) {
        const std::size_t times = field.collection.empty() ? 1
                                  : field.is_of_board()    ? architecture.boards.size()
                                                           : architecture.parts.find(field.collection)->second.size();
        expected += field.is_text() ? 0 : times;
    }
    EXPECT_EQ(architecture.provenance.size(), expected);
    for (const auto& [key, provenance] : architecture.provenance) {
        EXPECT_GE(provenance.source.size(), 3U) << key;
        EXPECT_EQ(provenance.status == "fitted", !provenance.fitted_to.empty()) << key;
    }
}

/// Setting all reported values changes nothing: reading and writing of values agree for every field.
TEST_P(EveryArchitecture, ReportedValuesAreSettings) {
    for (const auto& [board_name, board] : architecture.boards) {
        std::vector<Setting> settings;
        for (const FieldReport& field : report_fields(architecture, board_name)) {
            if (!find_field(field.key, architecture.kind)->is_text()) {
                settings.emplace_back(field.key, field.value);
            }
        }
        EXPECT_GT(settings.size(), 10U);
        const Architecture again = load_architecture(find_architecture(GetParam()), board_name, settings);
        const std::vector<FieldReport> before = report_fields(architecture, board_name);
        const std::vector<FieldReport> after = report_fields(again, board_name);
        ASSERT_EQ(before.size(), after.size());
        for (std::size_t index = 0; index < before.size(); ++index) {
            EXPECT_EQ(before[index].value, after[index].value) << before[index].key;
        }
    }
}

TEST(ArchitectureTest, ConstantsThatAreDocumented) {
    const Architecture wormhole_b0 = load_architecture(find_architecture("wormhole_b0"));
    EXPECT_EQ(wormhole_b0.name, "wormhole_b0");
    EXPECT_EQ(wormhole_b0.default_board, "n150");
    EXPECT_EQ(torus_of(wormhole_b0).router.flit_bytes * torus_of(wormhole_b0).router.max_packet_data_flits, 8192);
    EXPECT_EQ(wormhole_b0.board("").clock_hz, 1'000'000'000);
    EXPECT_EQ(torus_of(wormhole_b0).l1.size_bytes, 1464 * 1024);

    const Architecture blackhole = load_architecture(find_architecture("blackhole"));
    EXPECT_EQ(blackhole.name, "blackhole");
    EXPECT_EQ(blackhole.default_board, "p100");
    EXPECT_EQ(torus_of(blackhole).router.flit_bytes * torus_of(blackhole).router.max_packet_data_flits, 16384);
    EXPECT_EQ(blackhole.board("").clock_hz, 1'350'000'000);
    EXPECT_EQ(torus_of(blackhole).l1.size_bytes, 1536 * 1024);
}

TEST(ArchitectureTest, DecimalsOfCyclesAreExact) {
    const Architecture architecture =
        wormhole({{"risc.zone_cycles", "1.0205"}, {"risc.address_cycles", "0.0001"}, {"risc.l1_load_cycles", "2.5"}});
    EXPECT_EQ(torus_of(architecture).risc.zone_ticks, 10'205);
    EXPECT_EQ(torus_of(architecture).risc.address_ticks, 1);
    EXPECT_EQ(torus_of(architecture).risc.l1_load_ticks, 25'000);
}

TEST(ArchitectureTest, UnknownNames) {
    EXPECT_EQ(
        input_error([] { static_cast<void>(wormhole({}, "n151")); }),
        "board: expected one of n150, n150_row_5, n300 for architecture wormhole_b0, found n151 (did you mean n150?)");
    const std::string error = input_error([] { static_cast<void>(find_architecture("wormhole_b1")); });
    EXPECT_TRUE(error.starts_with("architecture: expected one of blackhole, ")) << error;
    EXPECT_TRUE(error.ends_with("wormhole_b0, found wormhole_b1 (did you mean wormhole_b0?)")) << error;
}

TEST_F(ArchitectureFileTest, DirectoryOfArchitectureFilesCanBeChosen) {
    const std::filesystem::path built_in = find_architecture("wormhole_b0").parent_path();
    set_architecture_directory(directory_);
    const std::string empty = input_error([] { static_cast<void>(architecture_names()); });
    std::ofstream(file_) << content_;
    const std::vector<std::string> names = architecture_names();
    const std::filesystem::path found = find_architecture("wormhole_b0");
    set_architecture_directory(directory_ / "missing");
    const std::string missing = input_error([] { static_cast<void>(find_architecture("wormhole_b0")); });
    set_architecture_directory(built_in);

    EXPECT_EQ(empty, directory_.string() + ": expected a directory of architecture files (*.yaml), found none in it");
    EXPECT_EQ(names, (std::vector<std::string>{"wormhole_b0"}));
    EXPECT_EQ(found, file_);
    EXPECT_EQ(missing, (directory_ / "missing").string() +
                           ": expected a directory of architecture files (*.yaml), found No such file or directory");
}

class EveryKind : public testing::TestWithParam<ArchitectureKind> {};

INSTANTIATE_TEST_SUITE_P(All, EveryKind, testing::ValuesIn(architecture_kinds().begin(), architecture_kinds().end()),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST_P(EveryKind, KeysAreDistinctAndHaveMeanings) {
    std::set<std::string_view> keys;
    for (const Field& field : fields(GetParam())) {
        EXPECT_TRUE(keys.insert(field.key).second) << field.key;
        EXPECT_FALSE(field.meaning.empty()) << field.key;
        EXPECT_EQ(field.is_text(), field.unit.empty()) << field.key;
        EXPECT_TRUE(field.is_text() || field.minimum < field.maximum) << field.key;
        EXPECT_EQ(find_field(field.key, GetParam()), &field);
    }
    EXPECT_EQ(find_field("router", GetParam()), nullptr);
}

TEST_P(EveryKind, SchemaListsEveryFieldWithItsUnit) {
    const nlohmann::json schema = nlohmann::json::parse(architecture_json_schema());
    EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
    const std::string kind(to_string(GetParam()));
    for (const Field& field : fields(GetParam())) {
        const auto object_of = [&](const std::string& definition) {
            const nlohmann::json* object = &schema.at("$defs").at(definition);
            if (!field.collection.empty()) {
                object = &object->at("properties").at(std::string(field.collection)).at("additionalProperties");
            } else if (!field.section().empty()) {
                object = &object->at("properties").at(std::string(field.section()));
            }
            return *object;
        };
        const std::string name(field.name());
        const nlohmann::json object = object_of(kind);
        const nlohmann::json& property = object.at("properties").at(name);
        EXPECT_EQ(property.at("description"), field.meaning);
        EXPECT_FALSE(object.at("additionalProperties").get<bool>());
        EXPECT_FALSE(object.contains("required")) << "a file may be based on another one";
        const auto required = object_of("complete_" + kind).at("required").get<std::vector<std::string>>();
        EXPECT_EQ(std::ranges::count(required, name), 1) << field.key;
        if (!field.is_text()) {
            EXPECT_EQ(property.at("properties").at("unit").at("const"), field.unit) << field.key;
        }
    }
}

TEST(SchemaTest, GivesRangesInTheUnitsOfTheFile) {
    const nlohmann::json schema = nlohmann::json::parse(architecture_json_schema());
    const auto value = [&](const char* section, const char* name) -> const nlohmann::json& {
        const nlohmann::json& file = schema.at("$defs").at("tensix_torus");
        return file.at("properties").at(section).at("properties").at(name).at("properties").at("value");
    };
    EXPECT_EQ(value("router", "hop_cycles"), (nlohmann::json{{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}}));
    EXPECT_EQ(value("risc", "zone_cycles"), (nlohmann::json{{"type", "number"}, {"minimum", 0}, {"maximum", 10000}}));
    EXPECT_EQ(value("l1", "alignment_bytes").at("enum").front(), 1);
    EXPECT_EQ(value("l1", "alignment_bytes").at("enum").back(), 4096);
}

}  // namespace

}  // namespace nocbench
