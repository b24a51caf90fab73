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

/// The same with the virtual channels 0 to `vcs` - 1 one after the other, in sweeps of `noc` and `vcs`.
std::vector<ParameterDefinition> alternating_channels_parameters(TransactionKind kind);

/// What Point::unicast_issuer() reads, and `stateful`.
std::vector<ParameterDefinition> unicast_parameters(TransactionKind kind);

/// What all_with_all() reads besides.
std::vector<ParameterDefinition> all_with_all_parameters();

/// What masters_with_subordinates() reads; `is_swept` if `master_grid` is an axis of the sweep.
std::vector<ParameterDefinition> master_parameters(const std::string& master_grid, const std::string& subordinate_grid,
                                                   bool is_swept = false);

/// What Point::multicast_issuer() reads.
std::vector<ParameterDefinition> multicast_parameters();

}  // namespace nocbench
