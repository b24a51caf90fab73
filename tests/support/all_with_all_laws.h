// Laws of tests in which every core exchanges data with every core.
#pragma once

#include <string>

#include "tests/support/finished_point.h"

namespace nocbench::test {

struct AllWithAll {
    std::string test;
    std::string label;
};

/// Checks the data on the whole compute grid, as published.
void expect_data_arrive_everywhere(const AllWithAll& primitive, const SweepPoint& sweep_point);

/// Checks that every core accesses the others in a common order.
void expect_the_same_order_for_all(const AllWithAll& primitive, const std::string& architecture);

/// Checks that cores start simultaneously, or one launch skew apart.
void expect_starts_as_told(const AllWithAll& primitive, const std::string& architecture);

/// Checks rectangles, NoCs, virtual channels, starts, and cores that exclude themselves.
void expect_settings_work(const AllWithAll& primitive, const std::string& architecture);

/// Checks that each core of one grid accesses each core of another grid, overlapping or not. `test` has both grids.
void expect_grids_meet(const AllWithAll& primitive, const std::string& architecture);

void expect_bad_settings_are_named(const AllWithAll& primitive);

}  // namespace nocbench::test
