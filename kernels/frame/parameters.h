// Definitions of the parameters that many tests share, so that they are called and described alike everywhere.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "device_model/tenstorrent/transaction.h"
#include "kernels/frame/point.h"

namespace nocbench {

/// Lists of parameters, one after the other.
std::vector<ParameterDefinition> joined(std::initializer_list<std::vector<ParameterDefinition>> lists);

/// What Point::core() reads.
ParameterDefinition core_parameter(const std::string& name, const std::string& default_core,
                                   const std::string& meaning);

/// What Point::rectangle() reads, but for `wrap`.
std::vector<ParameterDefinition> area_parameters(const std::string& default_grid, const std::string& default_rectangle);

/// What Point::unicast_issuer() reads. By default, riscv_0 writes on NoC 0 and riscv_1 reads on NoC 1.
std::vector<ParameterDefinition> issuer_parameters(TransactionKind kind);

/// The same, and `stateful`.
std::vector<ParameterDefinition> unicast_parameters(TransactionKind kind);

/// What all_with_all() reads besides.
std::vector<ParameterDefinition> all_with_all_parameters();

/// What Point::multicast_issuer() reads.
std::vector<ParameterDefinition> multicast_parameters();

}  // namespace nocbench
