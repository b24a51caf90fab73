// Writes a block to each of some tiles, or reads one from each, in `count` transactions.
#include "measured.hpp"

enum class Place : uint32_t { core, bank, host };

template <Place place>
uint64_t address_of(uint32_t x, uint32_t y, uint32_t address) {
    if constexpr (place == Place::bank) {
        return get_noc_addr_from_bank_id<true>(x, address);
    } else if constexpr (place == Place::host) {
        return get_noc_addr_helper(NOC_XY_PCIE_ENCODING(x, y), address);
    } else {
        return get_noc_addr(x, y, address);
    }
}

void kernel_main() {
    constexpr bool reads = get_compile_time_arg_val(2) != 0;
    constexpr auto turn = static_cast<Turn>(get_compile_time_arg_val(3));
    constexpr auto place = static_cast<Place>(get_compile_time_arg_val(4));
    constexpr uint32_t channels = get_compile_time_arg_val(5);
    const uint32_t semaphore = get_arg_val<uint32_t>(0);
    const uint32_t num_peers = get_arg_val<uint32_t>(1);
    uint32_t local = get_arg_val<uint32_t>(2);
    uint32_t remote = get_arg_val<uint32_t>(3);
    const uint32_t local_step = get_arg_val<uint32_t>(4);
    const uint32_t remote_step = get_arg_val<uint32_t>(5);

    await_turn<turn>(semaphore);
    {
        TIMED_ZONE();
        for (uint32_t peer = 0; peer < num_peers; ++peer) {
            const uint32_t x = get_arg_val<uint32_t>(6 + 2 * peer);
            const uint32_t y = get_arg_val<uint32_t>(7 + 2 * peer);
            const uint64_t block = address_of<place>(x, y, remote);
            for (uint32_t i = 0; i < count; ++i) {
                if constexpr (reads) {
                    noc_async_read(block + i * bytes, local + i * bytes, bytes);
                } else if constexpr (channels == 1) {
                    noc_async_write(local + i * bytes, block + i * bytes, bytes);
                } else {
                    noc_async_write(local + i * bytes, block + i * bytes, bytes, noc_index, i % channels);
                }
            }
            local += local_step;
            remote += remote_step;
        }
        if constexpr (reads) {
            noc_async_read_barrier();
        } else {
            noc_async_write_barrier();
        }
    }
    end_turn<turn>(semaphore);
    record(bytes * num_peers);
}
