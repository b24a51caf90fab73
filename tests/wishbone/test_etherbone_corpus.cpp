// Properties of answers to any input, checked with fuzzers' findings and random bytes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "tests/support/thinning.h"
#include "tests/wishbone/fuzz/targets.h"
#include "tests/wishbone/hex.h"
#include "tests/wishbone/random_messages.h"

namespace nocbench::wishbone::test {

namespace {

using Target = std::string (*)(ByteView input);

void replay(const std::string& name, Target fault_with) {
    const std::filesystem::path path = std::filesystem::path(NOCBENCH_FUZZ_CORPUS) / (name + ".txt");
    std::ifstream corpus(path);
    int num_inputs = 0;
    for (std::string line; std::getline(corpus, line); ++num_inputs) {
        EXPECT_EQ(fault_with(from_hex(line)), "") << line;
    }
    EXPECT_GT(num_inputs, 20) << path;
}

TEST(EtherboneCorpus, Datagrams) { replay("datagram", fault_with_datagram); }

TEST(EtherboneCorpus, Streams) { replay("stream", fault_with_stream); }

TEST(EtherboneCorpus, BytesAtRandom) {
    std::mt19937 random(1);  // NOLINT(bugprone-random-generator-seed): the same in every run
    for (int message = 0; message < nocbench::test::thinned(20'000, 10); ++message) {
        // Head of the input, followed by a valid message, a mutated one, or random bytes behind its header.
        Bytes input(kInputHeadBytes);
        input[0] = random() % 4 == 0 ? static_cast<std::byte>(random()) : std::byte{0};
        input[1] = random() % 4 == 0 ? std::byte{1} : std::byte{0};
        Bytes rest = random_message(random, random_format(random));
        if (random() % 8 == 0) {
            rest.resize(kShortHeaderBytes + random() % 64);
            std::generate(rest.begin() + kShortHeaderBytes, rest.end(),
                          [&] { return static_cast<std::byte>(random()); });
        } else if (random() % 2 == 0) {
            mutate(random, rest);
        }
        input.insert(input.end(), rest.begin(), rest.end());
        ASSERT_EQ(fault_with_datagram(input), "") << to_hex(input);
        for (auto left = random() % 16; left > 0; --left) {
            input.push_back(static_cast<std::byte>(random() % 32));
        }
        input.push_back(static_cast<std::byte>(random()));
        ASSERT_EQ(fault_with_stream(input), "") << to_hex(input);
    }
}

}  // namespace

}  // namespace nocbench::wishbone::test
