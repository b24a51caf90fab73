#include <cstdint>

#include "device_model/tenstorrent/risc.h"
#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dataflow {

ScopedZone::ScopedZone(const char* name) : risc_(Risc::current()) {
    risc_.open_zone(name);
    risc_.spend(risc_.state().architecture.risc.zone_ticks);
}

ScopedZone::~ScopedZone() { risc_.close_zone(); }

void record_timestamped_data(const char* name, std::uint64_t value) { Risc::current().record(name, value); }

}  // namespace nocbench::dataflow
