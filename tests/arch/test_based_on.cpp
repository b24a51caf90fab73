// Architecture files that contain only differences from another file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/arch/fields/field_value.h"
#include "device_model/arch/fields/fields.h"
#include "kernels/frame/primitive.h"
#include "tests/arch/architecture_file_test.h"

namespace nocbench {
namespace {

constexpr const char* kHeader = "architecture: wide\nbased_on: wormhole_b0\n";

class BasedOnTest : public ArchitectureFileTest {
protected:
    void SetUp() override {
        ArchitectureFileTest::SetUp();
        file_ = directory_ / "wide.yaml";
    }

    std::filesystem::path write(const std::string& name, const std::string& content) const {
        std::ofstream(directory_ / name, std::ios::binary) << content;
        return directory_ / name;
    }
    Architecture load(const std::string& content) {
        content_ = content;
        return load_architecture(write(file_.filename(), content_));
    }
    std::string error_of(const std::string& content) {
        content_ = content;
        return load_error();
    }
};

std::string constant(const std::string& value, const std::string& unit) {
    return fmt::format("{{value: {}, unit: {}, status: estimated, source: what if}}", value, unit);
}

TEST_F(BasedOnTest, DiffersWhereItSaysSo) {
    const Architecture base = load_architecture(find_architecture("wormhole_b0"));
    const Architecture wide = load(std::string(kHeader) + "router:\n  flit_bytes: " + constant("64", "bytes"));
    EXPECT_EQ(wide.name, "wide");
    EXPECT_EQ(wide.root, "wormhole_b0");
    EXPECT_EQ(wide.files, (std::vector<std::filesystem::path>{file_, find_architecture("wormhole_b0")}));
    EXPECT_EQ(wide.provenance.at("router.flit_bytes").source, "what if");
    const std::vector<FieldReport> was = report_fields(base);
    const std::vector<FieldReport> is = report_fields(wide);
    std::vector<std::string> changed;
    for (std::size_t index = 0; index < was.size(); ++index) {
        if (was[index].value != is[index].value) {
            changed.push_back(fmt::format("{}: {}", is[index].key, is[index].value));
        }
    }
    EXPECT_EQ(changed, (std::vector<std::string>{"architecture: wide", "router.flit_bytes: 64"}));
    EXPECT_EQ(wide.provenance.at("router.hop_cycles").source, base.provenance.at("router.hop_cycles").source);
    EXPECT_EQ(wide.boards.size(), base.boards.size());
}

TEST_F(BasedOnTest, PartsAreMergedFieldByField) {
    const Architecture wide =
        load(std::string(kHeader) + "boards:\n  n300:\n    clock_hz: " + constant("900000000", "hertz") +
             "\n    memory: gddr6\n");
    EXPECT_EQ(wide.board("n300").clock_hz, 900'000'000);
    EXPECT_EQ(wide.board("n150").clock_hz, load_architecture(find_architecture("wormhole_b0")).board("n150").clock_hz);
}

TEST_F(BasedOnTest, AFileByItsPathAndTheNearestCounts) {
    std::filesystem::create_directories(directory_ / "below");
    write("below/middle.yaml", "architecture: middle\nbased_on: blackhole\nrouter:\n  hop_cycles: " +
                                   constant("5", "cycles") + "\n  credit_return_cycles: " + constant("5", "cycles"));
    const Architecture wide =
        load("architecture: wide\nbased_on: below/middle.yaml\nrouter:\n  hop_cycles: " + constant("4", "cycles"));
    EXPECT_EQ(wide.root, "blackhole");
    EXPECT_EQ(wide.files, (std::vector<std::filesystem::path>{file_, directory_ / "below/middle.yaml",
                                                              find_architecture("blackhole")}));
    const auto value = [&](std::string_view key) {
        for (const FieldReport& field : report_fields(wide)) {
            if (field.key == key) {
                return field.value;
            }
        }
        return std::string("nothing");
    };
    EXPECT_EQ(value("router.hop_cycles"), "4");
    EXPECT_EQ(value("router.credit_return_cycles"), "5");
    EXPECT_EQ(value("router.flit_bytes"), "64");
}

TEST_F(BasedOnTest, AMeshWithAnotherRoutingFunction) {
    file_ = directory_ / "y_first_mesh.yaml";
    const std::string header = "architecture: y_first_mesh\nbased_on: openpiton\nrouter:\n  routing: ";
    static_cast<void>(load(header + constant("y_first", "word")));
    const auto cycles = [](const std::string& architecture) {
        return run_point(find_test("Lone Packets"), architecture, "",
                         {{"source", "0,1"}, {"destination", "1,0"}, {"num_transactions", "1"}, {"call_size", "16"}})
            .rows.at(0)
            .latency_cycles;
    };
    // It arrives to the right, and not upwards, and has to turn to the tile.
    EXPECT_EQ(cycles(add_architecture(file_)), cycles("openpiton") + 1);
    EXPECT_EQ(error_of(header + constant("y_frist", "word")),
              one_mistake(4, 20,
                          "router.routing: expected one of x_first, y_first, west_first, odd_even, minimal_adaptive, "
                          "found y_frist (did you mean "
                          "y_first?)"));
    EXPECT_EQ(error_of(header + constant("1", "word")),
              one_mistake(
                  4, 20,
                  "router.routing: expected one of x_first, y_first, west_first, odd_even, minimal_adaptive, found 1"));
}

TEST_F(BasedOnTest, ABaseThatIsNotThere) {
    EXPECT_EQ(error_of("architecture: wide\nbased_on: wormhole_b1\n"),
              one_mistake(2, 11,
                          "based_on: expected one of blackhole, epiphany_iii, etherbone, openpiton, quasar, "
                          "wormhole_b0, or the path of a file *.yaml, found wormhole_b1 (did you mean wormhole_b0?)"));
    EXPECT_EQ(error_of("architecture: wide\nbased_on: below/middle.yaml\n"),
              one_mistake(2, 11,
                          fmt::format("based_on: expected an architecture file, found no file {}",
                                      (directory_ / "below/middle.yaml").string())));
    EXPECT_EQ(error_of("architecture: wide\nbased_on:\n"), one_mistake(2, 1, "based_on: expected text, found nothing"));
    EXPECT_EQ(error_of("architecture: wide\nbased_on: [blackhole]\n"),
              one_mistake(2, 11, "based_on: expected text, found a list of 1 item"));
}

TEST_F(BasedOnTest, Circles) {
    EXPECT_EQ(error_of("architecture: wide\nbased_on: wide.yaml\n"),
              one_mistake(2, 11,
                          "based_on: expected a file that is not based on this one, found the circle wide.yaml -> "
                          "wide.yaml"));
    write("first.yaml", "architecture: first\nbased_on: second.yaml\n");
    const std::filesystem::path second = write("second.yaml", "# of two\nbased_on: ./first.yaml\n");
    EXPECT_EQ(
        error_of("architecture: wide\nbased_on: first.yaml\n"),
        fmt::format("1 mistake in {}\n{}:2:11: based_on: expected a file that is not based on this one, found the "
                    "circle first.yaml -> second.yaml -> first.yaml",
                    file_.string(), second.string()));
}

TEST_F(BasedOnTest, AnotherKind) {
    EXPECT_EQ(error_of(std::string(kHeader) + "kind: plain_mesh\n"),
              one_mistake(3, 7,
                          fmt::format("kind: expected tensix_torus, as {} has it, found plain_mesh",
                                      find_architecture("wormhole_b0").string())));
    EXPECT_EQ(error_of(std::string(kHeader) + "kind: tensix_torus\n"), "no error");
}

TEST_F(BasedOnTest, MistakesInTheDifferences) {
    EXPECT_EQ(
        error_of(std::string(kHeader) + "router:\n  hop_cyles: 1\n"),
        one_mistake(4, 3, "router.hop_cyles: expected a known key, found an unknown key (did you mean hop_cycles?)"));
    EXPECT_EQ(error_of("based_on: wormhole_b0\n"), one_mistake(1, 1, "architecture: expected this key, found nothing"));
    EXPECT_EQ(error_of("architecture: wormhole_b0\nbased_on: wormhole_b0\n"),
              one_mistake(1, 1, "architecture: expected the name of the file, wide, found wormhole_b0"));
    // Attributes of a value, such as its unit, are not inherited from the base.
    EXPECT_EQ(error_of(std::string(kHeader) + "router:\n  hop_cycles: {value: 8}\n"),
              fmt::format("3 mistakes in {0}\n{0}:4:3: router.hop_cycles.unit: expected this key, found nothing\n"
                          "{0}:4:3: router.hop_cycles.status: expected this key, found nothing\n"
                          "{0}:4:3: router.hop_cycles.source: expected this key, found nothing",
                          file_.string()));
    EXPECT_EQ(error_of(std::string(kHeader) + "router:\n  credit_return_cycles: {value: 6, unit: cycles, status: "
                                              "fitted, source: x, fitted_to: y}\n"),
              one_mistake(4, 3,
                          "router.credit_return_cycles.fitted_rows: expected this key, since status is fitted, found "
                          "nothing"));
    EXPECT_EQ(error_of(std::string(kHeader) + "router: 3\n")
                  .find(fmt::format("{}:3:9: router: expected a mapping", file_.string())),
              fmt::format("1 mistake in {}\n", file_.string()).size());
}

TEST_F(BasedOnTest, MistakesInABaseAreReportedThere) {
    const std::filesystem::path middle =
        write("middle.yaml", "based_on: blackhole\nrouter:\n  hop_cycles: " + constant("0", "cycles"));
    EXPECT_EQ(
        error_of("architecture: wide\nbased_on: middle.yaml\n"),
        fmt::format("1 mistake in {}\n{}:3:23: router.hop_cycles: expected a whole number from 1 to 1000 (cycles), "
                    "found 0",
                    file_.string(), middle.string()));
}

TEST_F(BasedOnTest, ContradictionsOfSeveralFilesAreReportedInItsOwn) {
    EXPECT_EQ(
        error_of(std::string(kHeader) + "grid:\n  columns: " + constant("9", "tiles")),
        fmt::format("2 mistakes in {0}\n{0}:4:3: grid.columns: expected grid.tensix_columns to be numbers below 9 "
                    "(grid.columns), found 9\n{0}:4:3: grid.columns: expected grid.ethernet_tiles to be places "
                    "inside the grid of 9 columns and 12 rows, found (9, 0)",
                    file_.string()));
}

TEST_F(BasedOnTest, AddedArchitecturesAreFoundByTheirName) {
    static_cast<void>(load(std::string(kHeader)));
    EXPECT_EQ(add_architecture(file_), "wide");
    EXPECT_EQ(find_architecture("wide"), file_);
    EXPECT_EQ(add_architecture(file_), "wide");
    EXPECT_EQ(add_architecture(find_architecture("blackhole")), "blackhole");
    std::filesystem::create_directories(directory_ / "below");
    const std::filesystem::path other = write("below/wide.yaml", "# not the same\n" + content_);
    EXPECT_EQ(input_error([&] { static_cast<void>(add_architecture(other)); }),
              fmt::format("1 mistake in {0}\n{0}:2:15: architecture: expected a name that no other architecture has, "
                          "found wide, the name of {1}",
                          other.string(), file_.string()));
    const std::filesystem::path same = write("openpiton.yaml", "architecture: openpiton\nbased_on: openpiton\n");
    EXPECT_EQ(input_error([&] { static_cast<void>(add_architecture(same)); }),
              fmt::format("1 mistake in {0}\n{0}:1:15: architecture: expected a name that no other architecture has, "
                          "found openpiton, the name of {1}",
                          same.string(), find_architecture("openpiton").string()));
}

TEST_F(BasedOnTest, ALimitThatIsNotThereIsSpelledNever) {
    const auto with_limit = [](const std::string& value) {
        return std::string(kHeader) + "router:\n  link_flits_on_end_max: " + constant(value, "flits");
    };
    const auto limit = [](const Architecture& architecture) {
        for (const FieldReport& field : report_fields(architecture)) {
            if (field.key == "router.link_flits_on_end_max") {
                return field.value;
            }
        }
        return std::string("nothing");
    };
    EXPECT_EQ(limit(load(with_limit("never"))), "never");
    EXPECT_EQ(
        limit(load_architecture(find_architecture("wormhole_b0"), "", {{"router.link_flits_on_end_max", "never"}})),
        "never");
    const std::string complaint =
        "router.link_flits_on_end_max: expected a whole number from 1 to 65534, or never, found ";
    EXPECT_EQ(error_of(with_limit("65535")), one_mistake(4, 34, complaint + "65535"));
    EXPECT_EQ(error_of(with_limit("\"never\"")), one_mistake(4, 34, complaint + "the text \"never\""));
    EXPECT_EQ(error_of(std::string(kHeader) + "router:\n  hop_cycles: " + constant("never", "cycles")),
              one_mistake(4, 23, "router.hop_cycles: expected a whole number from 1 to 1000 (cycles), found never"));
}

}  // namespace
}  // namespace nocbench
