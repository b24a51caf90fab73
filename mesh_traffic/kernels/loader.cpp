#include "kernels/epiphany_measurement.h"
#include "mesh_traffic/kernels/kernels.h"

namespace nocbench::mesh_traffic {

void loader(epiphany::Address address, std::size_t size, std::uint32_t times) {
    epiphany::open_zone(kEpiphanyZone);
    for (std::uint32_t time = 0; time < times; ++time) {
        switch (size) {
            case 1:
                epiphany::load<std::uint8_t>(address);
                break;
            case 2:
                epiphany::load<std::uint16_t>(address);
                break;
            case 4:
                epiphany::load<std::uint32_t>(address);
                break;
            default:
                epiphany::load<std::uint64_t>(address);
        }
    }
    epiphany::close_zone();
}

}  // namespace nocbench::mesh_traffic
