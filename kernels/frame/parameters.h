// Definitions of parameters shared by many tests, for uniform names and descriptions.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "device_model/tenstorrent/transaction.h"
#include "kernels/frame/point.h"

namespace nocbench {

/// Concatenates lists of parameters.
std::vector<ParameterDefinition> joined(std::initializer_list<std::vector<ParameterDefinition>> lists);

/// Returns the definition of a parameter read by Point::core().
ParameterDefinition core_parameter(const std::string& name, const std::string& default_core,
                                   const std::string& meaning);

/// Returns the definition of a parameter read by Point::noc().
ParameterDefinition noc_parameter(const std::string& default_noc, const std::string& meaning, bool is_swept = false);

/// Return the definitions of `vc`, the virtual channel of unicast `packets` or of multicasts.
ParameterDefinition channel_parameter(const std::string& packets);
ParameterDefinition multicast_channel_parameter();

/// Returns the definitions for Point::rectangle(), without `wrap`.
std::vector<ParameterDefinition> area_parameters(const std::string& default_grid, const std::string& default_rectangle);

/// Returns the definitions for Point::unicast_issuer() and Point::multicast_issuer() on their first virtual
/// channels. By default, riscv_0 writes on NoC 0 and riscv_1 reads on NoC 1.
std::vector<ParameterDefinition> processor_parameters(TransactionKind kind);

/// Returns the definitions for Point::unicast_issuer(). By default, riscv_0 writes on NoC 0 and riscv_1 reads on NoC 1.
std::vector<ParameterDefinition> issuer_parameters(TransactionKind kind);

/// Returns the definitions for Point::unicast_issuer() with calls that alternate over virtual channels 0 to `vcs` - 1,
/// for sweeps of `noc` and `vcs`. `is_swept`: these two are axes of the sweep.
std::vector<ParameterDefinition> alternating_channels_parameters(TransactionKind kind, bool is_swept = true);

/// Returns the definitions for Point::unicast_issuer(), and `stateful`.
std::vector<ParameterDefinition> unicast_parameters(TransactionKind kind);

/// Returns the additional definitions for all_with_all().
std::vector<ParameterDefinition> all_with_all_parameters();

/// Returns the definitions for masters_with_subordinates(). `is_swept`: `master_grid` is an axis of the sweep.
std::vector<ParameterDefinition> master_parameters(const std::string& master_grid, const std::string& subordinate_grid,
                                                   bool is_swept = false);

/// Returns the definitions for Point::multicast_issuer().
std::vector<ParameterDefinition> multicast_parameters();

}  // namespace nocbench
