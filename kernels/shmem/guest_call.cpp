#include "kernels/shmem/guest_call.h"

#include "kernels/shmem/library_data.h"

namespace nocbench::shmem {

namespace {

using library_data::kWordBytes;

}  // namespace

std::uint32_t GuestCall::integer_at(std::size_t place) const {
    const std::size_t num_registers = list_ == 0 ? given_.size() : 0;
    if (place < num_registers) {
        return given_[place];
    }
    const Address begin = list_ == 0 ? registers_.stack_pointer : list_;
    std::array<std::byte, kWordBytes> bytes{};
    guest_.peek(begin + static_cast<Address>(place - num_registers) * kWordBytes, bytes);
    return std::bit_cast<std::uint32_t>(bytes);
}

std::uint32_t GuestCall::word() { return integer_at(next_integer_++); }

std::uint64_t GuestCall::dword() {
    const std::uint64_t low = word();
    return low | std::uint64_t{word()} << 32U;
}

std::uint64_t GuestCall::variadic_dword() {
    // Register pairs start at an even number, and list entries are aligned as in memory.
    const std::size_t address_place = list_ == 0 ? next_integer_ : list_ / kWordBytes + next_integer_;
    next_integer_ += address_place % 2;
    return dword();
}

std::uint32_t GuestCall::single() {
    return next_float_ < registers_.floats.size() ? registers_.floats[next_float_++] : word();
}

}  // namespace nocbench::shmem
