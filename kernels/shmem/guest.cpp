#include "kernels/shmem/guest.h"

namespace nocbench::shmem {

std::string Guest::text_at(Address address, std::size_t bytes_max) const {
    std::string text;
    for (std::byte next{}; text.size() < bytes_max; text += static_cast<char>(next)) {
        peek(address + static_cast<Address>(text.size()), std::span(&next, 1));
        if (next == std::byte{0}) {
            break;
        }
    }
    return text;
}

void Guest::exit(int status) { throw ProgramEnd(status); }

}  // namespace nocbench::shmem
