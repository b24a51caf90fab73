#include <gtest/gtest.h>

#include <vector>

#include "device_model/riscv/program/source_map.h"

namespace nocbench::riscv {

namespace {

SourceFrame frame(const char* function, const char* file, int line) {
    return {.function = function, .file = file, .line = line};
}

TEST(SourceMap, EmptyOneKnowsNothing) {
    const SourceMap map;
    EXPECT_TRUE(map.frames(0x1000).empty());
    EXPECT_EQ(map.describe(0x1a2c), "0x00001a2c");
}

TEST(SourceMap, DescribesLinesAndInlinedCalls) {
    SourceMap map;
    map.add(0x1000, {frame("kernel_main", "kernel.cpp", 14)});
    map.add(0x1004, {frame("noc_async_read", "dataflow_api.h", 120), frame("kernel_main", "kernel.cpp", 15)});
    map.add(0x1008, {frame("poll", "noc.h", 7), frame("noc_async_read", "dataflow_api.h", 121),
                     frame("kernel_main", "kernel.cpp", 15)});
    EXPECT_EQ(map.describe(0x1000), "kernel.cpp:14 in kernel_main");
    EXPECT_EQ(map.describe(0x1004), "dataflow_api.h:120 in noc_async_read, inlined at kernel.cpp:15 in kernel_main");
    EXPECT_EQ(map.describe(0x1008),
              "noc.h:7 in poll, inlined at dataflow_api.h:121 in noc_async_read, inlined at kernel.cpp:15 in "
              "kernel_main");
}

TEST(SourceMap, SaysWhatIsUnknown) {
    SourceMap map;
    map.add(0x1000, {frame("start", "", 0)});
    map.add(0x1004, {frame("", "start.S", 3)});
    map.add(0x1008, {frame("start", "start.S", 0)});
    map.add(0x100c, {});
    EXPECT_EQ(map.describe(0x1000), "an unknown file in start");
    EXPECT_EQ(map.describe(0x1004), "start.S:3");
    EXPECT_EQ(map.describe(0x1008), "start.S in start");
    EXPECT_EQ(map.describe(0x100c), "0x0000100c");
}

TEST(SourceMap, NearestLowerEntryCounts) {
    SourceMap map;
    map.add(0x1000, {frame("f", "a.cpp", 1)});
    map.add(0x1010, {frame("f", "a.cpp", 2)});
    EXPECT_TRUE(map.frames(0xffe).empty());
    EXPECT_EQ(map.frames(0x100e), map.frames(0x1000));
    EXPECT_EQ(map.frames(0x1012).at(0).line, 2);
    EXPECT_EQ(map.frames(0xffffffff).at(0).line, 2);
    map.add(0x1010, {frame("f", "a.cpp", 3)});
    EXPECT_EQ(map.frames(0x1012).at(0).line, 3);
}

TEST(SourceMap, EntriesSayNothingAboutOtherFunctions) {
    SourceMap map;
    map.add_function(0x1000, 0x10);
    map.add_function(0x1010, 0x10);
    map.add_function(0xfffffff0, 0x10);
    map.add(0x1008, {frame("f", "a.cpp", 1)});
    map.add(0x1014, {frame("g", "a.cpp", 8)});
    map.add(0x1020, {frame("", "b.cpp", 9)});
    map.add(0xfffffff0, {frame("h", "a.cpp", 10)});
    EXPECT_TRUE(map.frames(0x1004).empty());
    EXPECT_EQ(map.frames(0x100c).at(0).line, 1);
    EXPECT_TRUE(map.frames(0x1010).empty());  // within g, before its first entry
    EXPECT_EQ(map.frames(0x101e).at(0).line, 8);
    EXPECT_EQ(map.frames(0x1020).at(0).line, 9);  // outside functions, but with an entry
    EXPECT_TRUE(map.frames(0x1022).empty());
    EXPECT_EQ(map.frames(0xffffffff).at(0).line, 10);
    map.add_function(0x1030, 4);
    map.add(0x1030, {frame("i", "a.cpp", 11)});
    EXPECT_EQ(map.frames(0x1033).at(0).line, 11);
    EXPECT_TRUE(map.frames(0x1034).empty());
}

}  // namespace

}  // namespace nocbench::riscv
