// Boards composed of named parts, such as those of a wishbone_bridge.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/arch/fields/fields.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/wishbone/arch/constants.h"
#include "tests/arch/architecture_file_test.h"

namespace nocbench {

namespace {

Architecture etherbone(const std::vector<Setting>& settings = {}, const std::string& board = "") {
    return load_architecture(find_architecture("etherbone"), board, settings);
}

std::string board_setting_error(const std::vector<Setting>& settings, const std::string& board = "") {
    return input_error([&] { static_cast<void>(etherbone(settings, board)); });
}

class EtherboneFileTest : public ArchitectureFileTest {
protected:
    EtherboneFileTest() : ArchitectureFileTest("etherbone") {}

    /// Returns the expected message for several mistakes, one per line.
    [[nodiscard]] std::string mistakes(const std::vector<std::string>& complaints) const {
        std::string expected = fmt::format("{} mistakes in {}", complaints.size(), file_.string());
        for (const std::string& complaint : complaints) {
            expected += fmt::format("\n{}:{}", file_.string(), complaint);
        }
        return expected;
    }

    /// Removes everything from the first `from` to the next `to`.
    void remove(const std::string& from, const std::string& to) {
        const std::size_t begin = content_.find(from);
        const std::size_t end = content_.find(to, begin);
        ASSERT_NE(begin, std::string::npos) << from;
        ASSERT_NE(end, std::string::npos) << to;
        content_.erase(begin, end - begin);
    }
};

TEST_F(EtherboneFileTest, UnchangedCopyIsFine) { EXPECT_EQ(load_error(), "no error"); }

TEST_F(EtherboneFileTest, HostThatDoesNotExist) {
    replace("\n  t5810_usb:", "host: t5810", "host: t5811");
    EXPECT_EQ(load_error(), one_mistake(line_of("\n  t5810_usb:", "host:"), 5,
                                        "boards.t5810_usb.host: expected one of the hosts of this file (a020, rio4, "
                                        "scu2, scu3, t3500, t5810), found t5811 (did you mean t5810?)"));
}

TEST_F(EtherboneFileTest, BridgeAndFpgaThatDoNotExist) {
    replace("\n  scu3_gige:", "bridge: gige", "bridge: token_ring");
    replace("\n  scu3_gige:", "fpga: timing_receiver", "fpga: timing_reciever");
    EXPECT_EQ(load_error(),
              mistakes({fmt::format("{}:5: boards.scu3_gige.bridge: expected one of the bridges of this file (gige, "
                                    "pcie, usb, vme), found token_ring",
                                    line_of("\n  scu3_gige:", "bridge:")),
                        fmt::format("{}:5: boards.scu3_gige.fpga: expected one of the fpgas of this file "
                                    "(timing_receiver), found timing_reciever (did you mean timing_receiver?)",
                                    line_of("\n  scu3_gige:", "fpga:"))}));
}

TEST_F(EtherboneFileTest, BoardWithoutHost) {
    replace("\n  rio4_vme:", "    host: rio4\n", "");
    EXPECT_EQ(load_error(),
              one_mistake(line_of("\n", "  rio4_vme:"), 3, "boards.rio4_vme.host: expected this key, found nothing"));
}

TEST_F(EtherboneFileTest, PartIsNoText) {
    replace("\n  rio4_vme:", "host: rio4", "host: [rio4]");
    EXPECT_EQ(load_error(), one_mistake(line_of("\n  rio4_vme:", "host:"), 11,
                                        "boards.rio4_vme.host: expected text, found a list of 1 item"));
}

TEST_F(EtherboneFileTest, NoHosts) {
    remove("hosts:\n", "\nbridges:");
    EXPECT_EQ(load_error(), one_mistake(1, 1, "hosts: expected this key, found nothing"));
}

TEST_F(EtherboneFileTest, EmptyCollection) {
    remove("hosts:\n", "\nbridges:");
    replace("", "\nbridges:", "hosts: {}\n\nbridges:");
    EXPECT_EQ(load_error(), one_mistake(line_of("", "hosts:"), 1, "hosts: expected at least one host, found none"));
}

TEST_F(EtherboneFileTest, CollectionIsNoMapping) {
    remove("fpgas:\n", "\nboards:");
    replace("", "\nboards:", "fpgas: timing_receiver\n\nboards:");
    EXPECT_EQ(load_error(), one_mistake(line_of("", "fpgas:"), 8,
                                        "fpgas: expected a mapping with a key for each fpga, found timing_receiver"));
}

TEST_F(EtherboneFileTest, HostThatIsThereTwice) {
    replace("", "\nbridges:", "  scu2: {}\n\nbridges:");
    EXPECT_EQ(load_error(), one_mistake(line_of("a020:", "  scu2:"), 3,
                                        fmt::format("hosts.scu2: expected each key once, found it again after line {}",
                                                    line_of("", "\n  scu2:") + 1)));
}

TEST_F(EtherboneFileTest, UnknownKeyOfAPart) {
    replace("\n  scu2:", "    driver_ns:", "    drivers_ns:");
    EXPECT_EQ(load_error(),
              mistakes({fmt::format("{}:3: hosts.scu2.driver_ns: expected this key, found nothing",
                                    line_of("", "\n  scu2:") + 1),
                        fmt::format("{}:5: hosts.scu2.drivers_ns: expected a known key, found an unknown key (did you "
                                    "mean driver_ns?)",
                                    line_of("\n  scu2:", "    drivers_ns:"))}));
}

TEST_F(EtherboneFileTest, WrongUnitOfAPart) {
    replace("\n  usb:", "unit: nanoseconds", "unit: microseconds");
    EXPECT_EQ(load_error(), one_mistake(line_of("\n  usb:", "unit: microseconds"), 13,
                                        "bridges.usb.byte_ns.unit: expected nanoseconds, found microseconds"));
}

TEST_F(EtherboneFileTest, WrongValuesOfParts) {
    replace_value("\n  gige:\n    carries_datagrams:", "2");
    replace_value("\n  timing_receiver:\n    slave_word_cycles:", "0");
    replace_value("    memory_bytes:", "100000");
    EXPECT_EQ(
        load_error(),
        mistakes({fmt::format("{}:14: bridges.gige.carries_datagrams: expected a whole number from 0 to 1, found 2",
                              line_of("\n  gige:", "value:")),
                  fmt::format("{}:14: fpgas.timing_receiver.slave_word_cycles: expected a whole number from 1 to "
                              "100000 (cycles), found 0",
                              line_of("slave_word_cycles:", "value:")),
                  fmt::format("{}:14: fpgas.timing_receiver.memory_bytes: expected a power of two from 1024 to "
                              "131072 (bytes), found 100000",
                              line_of("memory_bytes:", "value:"))}));
}

TEST_F(EtherboneFileTest, PartThatNoBoardHasIsReadToo) {
    replace("", "\nbridges:", "  spare: {}\n\nbridges:");
    const std::string error = load_error();
    EXPECT_NE(error.find(fmt::format(":{}:3: hosts.spare.driver_ns: expected this key, found nothing",
                                     line_of("", "  spare:"))),
              std::string::npos)
        << error;
}

TEST(ArchitecturePartsTest, BoardsHaveTheConstantsOfTheirParts) {
    const Architecture machine = etherbone();
    EXPECT_EQ(machine.kind, ArchitectureKind::wishbone_bridge);
    EXPECT_EQ(machine.default_board, "scu3_pcie");
    EXPECT_EQ(machine.boards.size(), 11U);
    EXPECT_EQ(machine.board("").clock_hz, 125'000'000);
    EXPECT_EQ(wishbone_of(machine.board("scu3_pcie")).wishbone.host.word_read_ns, 2985);
    EXPECT_EQ(wishbone_of(machine.board("scu3_gige")).wishbone.host.word_read_ns, 2985);
    EXPECT_EQ(wishbone_of(machine.board("scu3_pcie")).wishbone.bridge.executes_in_driver, 1);
    EXPECT_EQ(wishbone_of(machine.board("scu3_gige")).wishbone.bridge.carries_datagrams, 1);
    EXPECT_EQ(wishbone_of(machine.board("scu3_gige")).wishbone.bridge.message_bytes_max, 1472);
    EXPECT_EQ(wishbone_of(machine.board("scu3_gige")).switches, 1);
    EXPECT_EQ(wishbone_of(machine.board("exploder_gige")).switches, 0);
    EXPECT_EQ(wishbone_of(machine.board("a020_vme")).wishbone.fpga.operations_in_flight_max, 32);
    EXPECT_EQ(machine.flit_bytes(), 4);
    EXPECT_EQ(machine.link_bytes_per_cycle(), 4);
}

TEST(ArchitecturePartsTest, NamesOfParts) {
    const Architecture machine = etherbone();
    EXPECT_EQ(machine.parts.size(), 3U);
    const auto names = [](const Architecture& architecture, const char* collection) {
        std::vector<std::string> found;
        std::ranges::transform(architecture.parts.find(collection)->second, std::back_inserter(found), &Board::name);
        return found;
    };
    EXPECT_EQ(names(machine, "hosts"), (std::vector<std::string>{"a020", "rio4", "scu2", "scu3", "t3500", "t5810"}));
    EXPECT_EQ(names(machine, "fpgas"), (std::vector<std::string>{"timing_receiver"}));
    EXPECT_EQ(names(load_architecture(find_architecture("wormhole_b0")), "host_links"),
              (std::vector<std::string>{"pcie_4_0_x16", "pcie_5_0_x16"}));
    EXPECT_EQ(names(load_architecture(find_architecture("blackhole")), "memories"),
              (std::vector<std::string>{"gddr6_2026", "gddr6_july_2025"}));
    EXPECT_TRUE(load_architecture(find_architecture("epiphany_iii")).parts.empty());
    EXPECT_EQ(machine.provenance.at("hosts.scu3.word_read_ns").status, "derived");
    EXPECT_EQ(machine.provenance.count("host.word_read_ns"), 0U);
}

TEST(ArchitecturePartsTest, FieldsOfPartsAreOfACollection) {
    std::set<std::string_view> collections;
    for (const Field& field : fields(ArchitectureKind::wishbone_bridge)) {
        collections.insert(field.collection);
        if (!field.collection.empty()) {
            EXPECT_EQ(field.collection, fmt::format("{}s", field.section())) << field.key;
        }
    }
    EXPECT_EQ(collections, (std::set<std::string_view>{"", "boards", "bridges", "fpgas", "hosts"}));
}

TEST(ArchitecturePartsTest, SettingsOfAPart) {
    const Architecture machine = etherbone({{"host.driver_ns", "1"}, {"bridges.pcie.byte_ns", "3"}});
    EXPECT_EQ(wishbone_of(machine.board("scu3_pcie")).wishbone.host.driver_ns, 1);
    EXPECT_EQ(wishbone_of(machine.board("scu3_pcie")).wishbone.bridge.byte_ns, 3);
    EXPECT_EQ(wishbone_of(machine.board("scu3_gige")).wishbone.host.driver_ns, 14'235) << "of another board";
    EXPECT_EQ(wishbone_of(etherbone({{"hosts.t5810.network_ns", "7"}}, "exploder_gige").board("exploder_gige"))
                  .wishbone.host.network_ns,
              7);
    EXPECT_EQ(wishbone_of(etherbone({{"board.switches", "5"}}, "scu3_gige").board("scu3_gige")).switches, 5);
}

TEST(ArchitecturePartsTest, ASettingGivesABoardAnotherPart) {
    const WishboneBoard plain = wishbone_of(etherbone().board("scu3_pcie"));
    const WishboneBoard other = wishbone_of(etherbone({{"board.host", "scu2"}}).board("scu3_pcie"));
    EXPECT_EQ(other.wishbone.host.driver_ns, wishbone_of(etherbone().board("scu2_pcie")).wishbone.host.driver_ns);
    EXPECT_NE(other.wishbone.host.driver_ns, plain.wishbone.host.driver_ns);
    EXPECT_EQ(other.wishbone.bridge.byte_ns, plain.wishbone.bridge.byte_ns) << "a part that was not asked for";
    const WishboneBoard changed = wishbone_of(
        etherbone({{"bridge.byte_ns", "3"}, {"board.host", "scu2"}, {"hosts.scu2.driver_ns", "1"}}).board("scu3_pcie"));
    EXPECT_EQ(changed.wishbone.host.driver_ns, 1) << "a setting behind that of the part";
    EXPECT_EQ(changed.wishbone.bridge.byte_ns, 3);
}

TorusBoard blackhole(const std::string& board, const std::vector<Setting>& settings = {}) {
    return torus_of(load_architecture(find_architecture("blackhole"), board, settings).board(board));
}

TEST(ArchitecturePartsTest, BoardsOfOneChipDifferInTheirMemory) {
    const MemoryConstants of_2025 = blackhole("p100").memory_constants;
    const MemoryConstants of_2026 = blackhole("p100a").memory_constants;
    EXPECT_NE(of_2026.subchannels, of_2025.subchannels);
    EXPECT_EQ(blackhole("p150").memory_constants.bank_read_ticks_per_flit, of_2026.bank_read_ticks_per_flit);
    const TorusBoard updated = blackhole("p100", {{"board.memory", "gddr6_2026"}});
    EXPECT_EQ(updated.memory_constants.subchannels, of_2026.subchannels);
    EXPECT_EQ(updated.memory_constants.bank_read_ticks_per_flit, of_2026.bank_read_ticks_per_flit);
    EXPECT_EQ(blackhole("p100a", {{"memories.gddr6_2026.bank_read_cycles_per_flit", "3"}})
                  .memory_constants.bank_read_ticks_per_flit,
              ticks_from_cycles(3));
}

TEST(ArchitecturePartsTest, APlacementMovesTheEndpointsOfDram) {
    const std::vector<DramBank> documented = blackhole("p150").dram_placement_constants.banks;
    const Architecture chip = load_architecture(find_architecture("blackhole"));
    std::size_t place = 0;
    for (const char* const placement : {"first_tiles", "second_tiles", "third_tiles"}) {
        const std::vector<DramBank> banks =
            blackhole("p150", {{"board.dram_placement", placement}}).dram_placement_constants.banks;
        ASSERT_EQ(banks.size(), documented.size());
        for (std::size_t bank = 0; bank < banks.size(); ++bank) {
            EXPECT_EQ(banks[bank].channel, documented[bank].channel);
            for (const PhysicalCoordinate endpoint : banks[bank].endpoint) {
                EXPECT_EQ(endpoint,
                          torus_of(chip).dram.channel_tiles[static_cast<std::size_t>(banks[bank].channel)][place]);
            }
        }
        ++place;
    }
}

/// The rule of the placement: endpoints of a NoC are in different rows, none is in row 1, and each is a tile of its
/// bank's channel (which loading checks).
TEST(ArchitecturePartsTest, RelocatedEndpointsOfANocAreInRowsOfTheirOwn) {
    const std::vector<DramBank> banks =
        blackhole("p150", {{"board.dram_placement", "relocated"}}).dram_placement_constants.banks;
    for (std::size_t noc = 0; noc < banks.front().endpoint.size(); ++noc) {
        std::set<int> rows;
        for (const DramBank& bank : banks) {
            rows.insert(bank.endpoint[noc].y);
        }
        EXPECT_EQ(rows.size(), 8U);
        EXPECT_FALSE(rows.contains(1));
    }
}

TEST(ArchitecturePartsTest, MistakesInSettingsOfAPart) {
    EXPECT_EQ(board_setting_error({{"hosts.t5810.driver_ns", "1"}}),
              "setting hosts.t5810.driver_ns=1: expected a field of hosts.scu3, the host of board scu3_pcie, found "
              "hosts.t5810.driver_ns");
    EXPECT_EQ(board_setting_error({{"bridges.gige", "1"}}, "scu3_gige"),
              "setting bridges.gige=1: expected a field of bridges.gige, the bridge of board scu3_gige, found "
              "bridges.gige");
    EXPECT_EQ(board_setting_error({{"hosts.scu3.drivers_ns", "1"}}),
              "setting hosts.scu3.drivers_ns=1: expected a field of architecture etherbone, found the unknown field "
              "host.drivers_ns (did you mean host.driver_ns?)");
    EXPECT_EQ(board_setting_error({{"hosts.scu3.driver_ns", "-1"}}),
              "setting hosts.scu3.driver_ns=-1: expected a whole number from 0 to 1000000000, found -1");
    EXPECT_EQ(board_setting_error({{"board.host", "scu4"}}),
              "setting board.host=scu4: expected one of the hosts of this file (a020, rio4, scu2, scu3, t3500, t5810), "
              "found scu4 (did you mean scu2?)");
    EXPECT_EQ(board_setting_error({{"board.description", "none"}}),
              "setting board.description=none: expected a field of architecture etherbone, found the unknown field "
              "board.description");
    EXPECT_EQ(board_setting_error({{"host.core_read_picoseconds", "1"}}),
              "setting host.core_read_picoseconds=1: expected a field of architecture etherbone, of kind "
              "wishbone_bridge, found host.core_read_picoseconds, a field of kind epiphany_mesh");
}

TEST(ArchitecturePartsTest, SchemaHasPartsByName) {
    const nlohmann::json schema = nlohmann::json::parse(architecture_json_schema());
    const nlohmann::json& file = schema.at("$defs").at("wishbone_bridge");
    const nlohmann::json& complete = schema.at("$defs").at("complete_wishbone_bridge");
    for (const char* collection : {"hosts", "bridges", "fpgas", "boards"}) {
        EXPECT_EQ(complete.at("properties").at(collection).at("minProperties"), 1) << collection;
        const nlohmann::json& parts = file.at("properties").at(collection);
        EXPECT_EQ(parts.at("additionalProperties").at("additionalProperties"), false) << collection;
    }
    EXPECT_FALSE(file.at("properties").contains("host"));
    EXPECT_EQ(complete.at("required").size(), 8U);
}

}  // namespace

}  // namespace nocbench
