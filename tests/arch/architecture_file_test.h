// Tests of mistakes in architecture files.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "device_model/arch/architecture.h"
#include "device_model/sim/error.h"

namespace nocbench {

inline std::string input_error(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

inline std::string read_file(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Copy of an architecture's file, in a temporary directory, to which a test adds mistakes.
class ArchitectureFileTest : public testing::Test {
protected:
    explicit ArchitectureFileTest(std::string architecture = "wormhole_b0") : architecture_(std::move(architecture)) {}

    void SetUp() override {
        std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
        std::ranges::replace(test, '/', '_');  // separates the test's name from that of its parameter
        directory_ = std::filesystem::temp_directory_path() / fmt::format("nocbench_{}_{}", test, getpid());
        std::filesystem::create_directories(directory_);
        file_ = directory_ / (architecture_ + ".yaml");
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }

    void replace(const std::string& after, const std::string& from, const std::string& to) {
        const std::size_t place = content_.find(from, content_.find(after));
        ASSERT_NE(content_.find(after), std::string::npos) << after;
        ASSERT_NE(place, std::string::npos) << from;
        content_.replace(place, from.size(), to);
    }

    /// Replaces the value of the first constant after `after`.
    void replace_value(const std::string& after, const std::string& to) {
        const std::size_t place = content_.find("value:", content_.find(after));
        ASSERT_NE(content_.find(after), std::string::npos) << after;
        content_.replace(place, content_.find('\n', place) - place, "value: " + to);
    }

    /// Returns the line of the first `text` after `after`, counted from 1.
    [[nodiscard]] int line_of(const std::string& after, const std::string& text) const {
        const std::size_t place = content_.find(text, content_.find(after));
        EXPECT_NE(place, std::string::npos) << text;
        return 1 + static_cast<int>(std::count(content_.begin(), content_.begin() + static_cast<long>(place), '\n'));
    }

    [[nodiscard]] std::string load_error() const {
        std::ofstream(file_, std::ios::binary) << content_;
        return input_error([&] { static_cast<void>(load_architecture(file_)); });
    }

    /// Returns the expected message for a single mistake at `line` and `column`.
    [[nodiscard]] std::string one_mistake(int line, int column, const std::string& complaint) const {
        return fmt::format("1 mistake in {0}\n{0}:{1}:{2}: {3}", file_.string(), line, column, complaint);
    }

    std::string architecture_;
    std::filesystem::path directory_;
    std::filesystem::path file_;
    std::string content_ = read_file(find_architecture(architecture_));
};

}  // namespace nocbench
