#include "device_model/epiphany/arch/constants.h"
#include "epiphany/mesh_traffic/kernels/kernels.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench::mesh_traffic {

void loader(epiphany::Address address, std::uint32_t size, std::uint32_t times) {
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
                for (std::uint32_t offset = 0; offset < size; offset += static_cast<std::uint32_t>(kDwordBytes)) {
                    epiphany::load<std::uint64_t>(address + offset);
                }
        }
    }
    epiphany::close_zone();
}

}  // namespace nocbench::mesh_traffic
