#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/arch/fields/cross_checks.h"
#include "device_model/arch/fields/fields.h"
#include "device_model/epiphany/arch/constants.h"
#include "device_model/tenstorrent/device.h"
#include "kernels/frame/primitive.h"
#include "tests/arch/architecture_file_test.h"

namespace nocbench {

namespace {

Architecture epiphany(const std::vector<Setting>& settings = {}, const std::string& board = "") {
    return load_architecture(find_architecture("epiphany_iii"), board, settings);
}

std::string setting_error(const std::string& architecture, const std::vector<Setting>& settings,
                          const std::string& board = "") {
    return input_error([&] { static_cast<void>(load_architecture(find_architecture(architecture), board, settings)); });
}

class EpiphanyFileTest : public ArchitectureFileTest {
protected:
    EpiphanyFileTest() : ArchitectureFileTest("epiphany_iii") {}
};

TEST_F(ArchitectureFileTest, UnknownKind) {
    replace("", "kind: tensix_torus", "kind: tensix_tours");
    EXPECT_EQ(load_error(),
              one_mistake(
                  line_of("", "kind:"), 7,
                  "kind: expected one of tensix_torus, epiphany_mesh, wishbone_bridge, plain_mesh, found tensix_tours "
                  "(did you mean tensix_torus?)"));
}

TEST_F(ArchitectureFileTest, NoKind) {
    replace("", "kind: tensix_torus\n", "");
    EXPECT_EQ(
        load_error(),
        one_mistake(1, 1,
                    "kind: expected one of tensix_torus, epiphany_mesh, wishbone_bridge, plain_mesh, found nothing"));
}

TEST_F(ArchitectureFileTest, NothingAsKind) {
    replace("", "kind: tensix_torus\n", "kind:\n");
    EXPECT_EQ(
        load_error(),
        one_mistake(line_of("", "kind:"), 1,
                    "kind: expected one of tensix_torus, epiphany_mesh, wishbone_bridge, plain_mesh, found nothing"));
}

TEST_F(ArchitectureFileTest, SeveralKinds) {
    replace("", "kind: tensix_torus\n", "kind: [tensix_torus, epiphany_mesh]\n");
    EXPECT_EQ(
        load_error(),
        one_mistake(
            line_of("", "kind:"), 7,
            "kind: expected one of tensix_torus, epiphany_mesh, wishbone_bridge, plain_mesh, found a list of 2 items"));
}

TEST_F(ArchitectureFileTest, KeyThatIsThereTwiceIsReportedWithTheKind) {
    replace("", "kind: tensix_torus\n", "description: again\n");
    const std::string error = load_error();
    EXPECT_TRUE(error.starts_with("2 mistakes in ")) << error;
    EXPECT_NE(error.find(":1:1: kind: expected one of "), std::string::npos) << error;
    EXPECT_NE(error.find("description: expected each key once, found it again after line "), std::string::npos)
        << error;
}

/// Each kind of file has its own sections.
TEST_F(ArchitectureFileTest, AnotherKind) {
    replace("", "kind: tensix_torus", "kind: epiphany_mesh");
    const std::string error = load_error();
    EXPECT_NE(error.find(":1:1: mesh: expected this key, found nothing\n"), std::string::npos) << error;
    EXPECT_NE(error.find(fmt::format(":{}:1: router: expected a known key, found an unknown key",
                                     line_of("", "\nrouter:") + 1)),
              std::string::npos)
        << error;
    EXPECT_NE(error.find("boards.n150.compute_rows: expected a known key, found an unknown key"), std::string::npos)
        << error;
}

TEST_F(EpiphanyFileTest, UnchangedCopyIsFine) { EXPECT_EQ(load_error(), "no error"); }

TEST_F(EpiphanyFileTest, WrongUnit) {
    replace("  single_write_periods:", "unit: periods of the link's clock", "unit: cycles");
    EXPECT_EQ(load_error(), one_mistake(line_of("  single_write_periods:", "unit:"), 11,
                                        "elink.single_write_periods.unit: expected periods of the link's clock, found "
                                        "cycles"));
}

TEST_F(EpiphanyFileTest, WrongValues) {
    replace_value("  hop_cycles:", "0.5");
    replace_value("  memory_bytes:", "40000");
    replace_value("  read_periods:", "4.55555");
    replace_value("  core_read_picoseconds:", "1.5");
    replace_value("    columns:", "65");
    std::string expected = fmt::format("5 mistakes in {}", file_.string());
    const auto add = [&](int line, int column, std::string_view complaint) {
        expected += fmt::format("\n{}:{}:{}: {}", file_.string(), line, column, complaint);
    };
    add(line_of("  hop_cycles:", "value:"), 12,
        "mesh.hop_cycles: expected a number with at most four decimals from 1 to 1000 (cycles), found 0.5");
    add(line_of("  memory_bytes:", "value:"), 12,
        "core.memory_bytes: expected a power of two from 1024 to 1048576 (bytes), found 40000");
    add(line_of("  read_periods:", "value:"), 12,
        "elink.read_periods: expected a number with at most four decimals from 1 to 100000 (periods of the link's "
        "clock), found 4.55555");
    add(line_of("  core_read_picoseconds:", "value:"), 12,
        "host.core_read_picoseconds: expected a whole number from 1 to 1000000000 (picoseconds), found 1.5");
    add(line_of("    columns:", "value:"), 14,
        "boards.parallella.columns: expected a whole number from 1 to 64, found 65");
    EXPECT_EQ(load_error(), expected);
}

TEST_F(EpiphanyFileTest, Contradictions) {
    replace_value("  hop_cycles:", "1.3");
    replace_value("    first_core_row:", "61");
    replace_value("    first_core_column:", "61");
    replace("", "default_board: parallella", "default_board: parallela");
    std::string expected = fmt::format("4 mistakes in {}", file_.string());
    const auto add = [&](int line, int column, std::string_view complaint) {
        expected += fmt::format("\n{}:{}:{}: {}", file_.string(), line, column, complaint);
    };
    add(line_of("", "default_board:"), 1,
        "default_board: expected one of the boards of this file (epiphany_iv_64, parallella), found parallela");
    add(line_of("", "  hop_cycles:"), 3, "mesh.hop_cycles: expected a multiple of half a cycle, found 1.3");
    add(line_of("", "    first_core_row:"), 5,
        "boards.parallella.first_core_row: expected at most 60 (64 less board.rows), found 61");
    add(line_of("", "    first_core_column:"), 5,
        "boards.parallella.first_core_column: expected at most 60 (64 less board.columns), found 61");
    EXPECT_EQ(load_error(), expected);
}

TEST(ArchitectureKindTest, ConstantsOfEpiphanyThatAreDocumented) {
    const Architecture machine = epiphany();
    EXPECT_EQ(machine.kind, ArchitectureKind::epiphany_mesh);
    EXPECT_EQ(machine.default_board, "parallella");
    EXPECT_EQ(machine.board("").clock_hz, 600'000'000);
    EXPECT_EQ(epiphany_of(machine.board("")).columns * epiphany_of(machine.board("")).rows, 16);
    EXPECT_EQ(epiphany_of(machine.board("")).first_core_row << 6 | epiphany_of(machine.board("")).first_core_column,
              0x808);
    EXPECT_EQ(epiphany_of(machine).mesh.hop_ticks, 3 * kTicksPerCycle / 2);
    EXPECT_EQ(epiphany_of(machine).core.memory_bytes, 32 * 1024);
    EXPECT_EQ(epiphany_of(machine).elink.external_memory_bytes, 32 * 1024 * 1024);
    EXPECT_EQ(epiphany_of(machine.board("epiphany_iv_64")).columns * epiphany_of(machine.board("epiphany_iv_64")).rows,
              64);
    EXPECT_EQ(load_architecture(find_architecture("blackhole")).kind, ArchitectureKind::tensix_torus);
}

TEST(ArchitectureKindTest, LinksCarryADwordPerCycleOnTheMesh) {
    EXPECT_EQ(epiphany().flit_bytes(), 8);
    EXPECT_EQ(epiphany().link_bytes_per_cycle(), 8);
    EXPECT_EQ(epiphany({{"mesh.on_chip_write_cycles", "2"}}).link_bytes_per_cycle(), 4);
    EXPECT_EQ(load_architecture(find_architecture("blackhole")).link_bytes_per_cycle(), 64);
}

TEST(ArchitectureKindTest, SettingsOfEpiphany) {
    const Architecture machine = epiphany({{"elink.single_write_periods", "4.0001"},
                                           {"mesh.hop_cycles", "2"},
                                           {"host.core_read_picoseconds", "1"},
                                           {"board.columns", "8"}});
    EXPECT_EQ(epiphany_of(machine).elink.single_write_ticks, 40'001);
    EXPECT_EQ(epiphany_of(machine).mesh.hop_ticks, 2 * kTicksPerCycle);
    EXPECT_EQ(epiphany_of(machine).host.core_read_picoseconds, 1);
    EXPECT_EQ(epiphany_of(machine.board("parallella")).columns, 8);
    EXPECT_EQ(epiphany_of(epiphany({{"board.rows", "1"}}, "epiphany_iv_64").board("epiphany_iv_64")).rows, 1);
    EXPECT_EQ(epiphany_of(epiphany({{"board.rows", "1"}}, "epiphany_iv_64").board("parallella")).rows, 4);
}

TEST(ArchitectureKindTest, MistakesInSettings) {
    EXPECT_EQ(setting_error("epiphany_iii", {{"mesh.hop_cycles", "1.25"}}),
              "setting mesh.hop_cycles=1.25: expected a multiple of half a cycle, found 1.25");
    EXPECT_EQ(setting_error("epiphany_iii", {{"board.columns", "57"}}),
              "setting board.columns=57: expected board.first_core_column to be at most 7 (64 less board.columns), "
              "found 8");
    EXPECT_EQ(setting_error("epiphany_iii", {{"mesh.hop_cyles", "2"}}),
              "setting mesh.hop_cyles=2: expected a field of architecture epiphany_iii, found the unknown field "
              "mesh.hop_cyles (did you mean mesh.hop_cycles?)");
    EXPECT_EQ(
        setting_error("epiphany_iii", {{"router.hop_cycles", "2"}}),
        "setting router.hop_cycles=2: expected a field of architecture epiphany_iii, of kind epiphany_mesh, found "
        "router.hop_cycles, a field of kind tensix_torus");
    EXPECT_EQ(setting_error("wormhole_b0", {{"board.columns", "2"}}),
              "setting board.columns=2: expected a field of architecture wormhole_b0, of kind tensix_torus, found "
              "board.columns, a field of kind epiphany_mesh");
    EXPECT_EQ(setting_error("wormhole_b0", {{"kind", "epiphany_mesh"}}),
              "setting kind=epiphany_mesh: expected a field of architecture wormhole_b0, found the unknown field kind");
}

TEST(ArchitectureKindTest, ArchitecturesByKind) {
    std::vector<std::string> all;
    for (const ArchitectureKind kind : architecture_kinds()) {
        const std::vector<std::string> names = architecture_names(kind);
        EXPECT_FALSE(names.empty());
        all.insert(all.end(), names.begin(), names.end());
    }
    std::ranges::sort(all);
    EXPECT_EQ(all, architecture_names());
    EXPECT_EQ(architecture_names(ArchitectureKind::epiphany_mesh), (std::vector<std::string>{"epiphany_iii"}));
}

TEST(ArchitectureKindTest, FieldsThatEveryKindHas) {
    std::map<std::string_view, std::size_t> kinds_by_key;
    for (const ArchitectureKind kind : architecture_kinds()) {
        for (const Field& field : fields(kind)) {
            ++kinds_by_key[field.key];
        }
    }
    std::vector<std::string_view> of_all;
    for (const auto& [key, count] : kinds_by_key) {
        if (count == architecture_kinds().size()) {
            of_all.push_back(key);
        }
    }
    EXPECT_EQ(of_all, (std::vector<std::string_view>{"architecture", "board.clock_hz", "board.description",
                                                     "default_board", "description", "kind"}));
}

TEST(ArchitectureKindTest, ConstantsOfAnotherKindAreRefused) {
    EXPECT_EQ(input_error([] { static_cast<void>(torus_of(epiphany())); }),
              "epiphany_iii: expected constants of another kind of architecture");
    EXPECT_EQ(input_error([] { static_cast<void>(torus_of(epiphany().board("parallella"))); }),
              "parallella: expected constants of another kind of architecture");
}

TEST(ArchitectureKindTest, CrossChecksReadFieldsOfTheirKindOnly) {
    for (const ArchitectureKind kind : architecture_kinds()) {
        EXPECT_GE(cross_checks(kind).size(), 1U);
        for (const CrossCheck& check : cross_checks(kind)) {
            for (const std::string_view key : check.keys) {
                EXPECT_NE(find_field(key, kind), nullptr) << key;
            }
        }
    }
}

TEST(ArchitectureKindTest, TestsRunOnTheirKindOnly) {
    const TestDefinition& test = find_test("One to One Packet Sizes");
    const std::string expected =
        "test 'One to One Packet Sizes': expected an architecture of kind tensix_torus (blackhole, quasar, "
        "wormhole_b0), found epiphany_iii, of kind epiphany_mesh";
    EXPECT_EQ(
        input_error([&] {
            static_cast<void>(run_point(test, "epiphany_iii", "", {{"num_transactions", "1"}, {"call_size", "64"}}));
        }),
        expected);
    EXPECT_EQ(
        input_error([&] { static_cast<void>(test.theoretical_bytes_per_cycle(epiphany(), epiphany().board(""))); }),
        expected);
}

TEST(ArchitectureKindTest, EveryTestIsOfOneKind) {
    std::size_t count = 0;
    for (const ArchitectureKind kind : architecture_kinds()) {
        for (const TestDefinition* test : tests_of(kind)) {
            EXPECT_EQ(test->kind, kind) << test->name;
            ++count;
        }
    }
    EXPECT_EQ(count, all_tests().size());
    EXPECT_FALSE(tests_of(ArchitectureKind::tensix_torus).empty());
}

TEST(ArchitectureKindTest, DevicesAreOfTensixTiles) {
    EXPECT_EQ(input_error([] { const Device device(epiphany()); }),
              "device: expected an architecture of kind tensix_torus, found epiphany_iii, of kind epiphany_mesh");
}

}  // namespace

}  // namespace nocbench
