// Common parts of the tests 800 to 817 of the tt-metal suite, whose results feed its estimator of transfer times. They
// are variants of several primitives, with sweeps of their own.
#pragma once

#include <string>
#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// Differences between these tests.
struct EstimatorTest {
    int upstream_id = 0;
    std::string name;  // behind "Noc Estimator - "
    std::string primitive;
    std::string description;
    TransactionKind kind = TransactionKind::write;
    std::vector<ParameterDefinition> parameters;
    Sweep (*sweep)(const Architecture&, Tier) = nullptr;
    std::vector<KernelReport> (*run)(const Point&) = nullptr;
    bool has_one_core = true;  // that runs the kernel; its long points go on as they have begun
};

/// Returns the definition of a test. Its id is upstream's plus 1000, since upstream's belongs to another test here.
TestDefinition estimator_test(const EstimatorTest& test);

/// Returns the definition of the swept parameter `stateful`.
ParameterDefinition swept_stateful_parameter();

/// Returns the published packet sizes for all values of `parameters`; one size in the quick tier.
Sweep estimator_sweep(const Architecture& architecture, Tier tier, std::vector<SweptParameter> parameters);

/// Returns the swept grids: squares within the compute grid of the default board, and the whole grid; in the quick tier
/// only the smallest.
std::vector<std::string> estimator_grids(const Architecture& architecture, Tier tier);

}  // namespace nocbench
