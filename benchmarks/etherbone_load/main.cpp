// Load generator for an Etherbone server: processes read and write words by UDP as fast as they are answered, and check
// every answer. See docs/etherbone.md.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kRequestBytes = 28;
constexpr std::size_t kWindowMax = 256;
constexpr int kPatienceMilliseconds = 2000;

struct Options {
    std::uint16_t port = 0;
    int clients = 2;
    double seconds = 10;
    std::size_t window = 64;  // outstanding requests of each client
    long server = 0;          // process whose memory is measured
};

/// Counts of a client, in memory shared with its parent.
struct Seen {
    std::atomic<std::uint64_t> answered{0};
    std::atomic<std::uint64_t> lost{0};
    std::atomic<std::uint64_t> wrong{0};
};

void put(std::byte* at, std::uint32_t value) {
    const std::uint32_t big_endian = htonl(value);
    std::memcpy(at, &big_endian, sizeof big_endian);
}

std::uint32_t get(const std::byte* at) {
    std::uint32_t big_endian = 0;
    std::memcpy(&big_endian, at, sizeof big_endian);
    return ntohl(big_endian);
}

/// Returns a record that writes a word and reads it back. The answer proves both: address and value are unique to the
/// request.
std::array<std::byte, kRequestBytes> request(std::uint32_t address, std::uint32_t number) {
    std::array<std::byte, kRequestBytes> bytes{};
    put(bytes.data(), 0x4e6f'1044);
    put(&bytes[4], 0xa80f'0101);
    put(&bytes[8], address);
    put(&bytes[12], number);
    put(&bytes[16], 0x8000);
    put(&bytes[20], address);
    return bytes;
}

constexpr std::size_t kUsedBytes = 24;

bool is_answer(const std::byte* bytes, std::size_t length, std::uint32_t number) {
    return length == kUsedBytes && get(bytes) == 0x4e6f'1444 && get(bytes + 4) == 0 && get(bytes + 8) == 0 &&
           get(bytes + 12) == 0x0e0f'0100 && get(bytes + 16) == 0x8000 && get(bytes + 20) == number;
}

/// Keeps `window` requests outstanding. Answers arrive in the order of the client's requests.
void run_client(const Options& options, int client, Seen& seen) {
    const int descriptor = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in server{};
    server.sin_family = AF_INET;
    server.sin_port = htons(options.port);
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the interface of the operating system
    if (descriptor < 0 || ::connect(descriptor, reinterpret_cast<sockaddr*>(&server), sizeof server) != 0) {
        std::perror("socket");
        std::_Exit(1);
    }
    const std::uint32_t address = 0x1'0000 + 4 * static_cast<std::uint32_t>(client);
    std::vector<std::array<std::byte, kRequestBytes>> out(options.window);
    std::vector<std::array<std::byte, 64>> in(options.window);
    std::vector<iovec> parts(2 * options.window);
    std::vector<mmsghdr> messages(2 * options.window);
    for (std::size_t index = 0; index < options.window; ++index) {
        parts[index] = {.iov_base = out[index].data(), .iov_len = kUsedBytes};
        parts[options.window + index] = {.iov_base = in[index].data(), .iov_len = in[index].size()};
        for (const std::size_t message : {index, options.window + index}) {
            messages[message].msg_hdr.msg_iov = &parts[message];
            messages[message].msg_hdr.msg_iovlen = 1;
        }
    }
    std::uint32_t sent = 0;
    std::uint32_t answered = 0;
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds));
    while (true) {
        const bool goes_on = Clock::now() < end;
        if (!goes_on && sent == answered) {
            break;
        }
        const std::size_t room = goes_on ? options.window - (sent - answered) : 0;
        for (std::size_t index = 0; index < room; ++index) {
            out[index] = request(address, sent + static_cast<std::uint32_t>(index));
        }
        if (room > 0) {
            const int count = ::sendmmsg(descriptor, messages.data(), static_cast<unsigned>(room), 0);
            sent += count > 0 ? static_cast<std::uint32_t>(count) : 0;
        }
        pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
        if (::poll(&waiting, 1, kPatienceMilliseconds) <= 0) {
            seen.lost += sent - answered;
            answered = sent;
            continue;
        }
        const int count = ::recvmmsg(descriptor, &messages[options.window], static_cast<unsigned>(options.window),
                                     MSG_DONTWAIT, nullptr);
        for (int index = 0; index < count; ++index) {
            const auto at = static_cast<std::size_t>(index);
            if (!is_answer(in[at].data(), messages[options.window + at].msg_len, answered)) {
                ++seen.wrong;
            }
            ++answered;
            ++seen.answered;
        }
    }
    std::_Exit(0);
}

/// Returns the memory of a process in KiB; 0 if unknown.
long resident_kib(long process) {
    std::ifstream file(fmt::format("/proc/{}/statm", process));
    long total = 0;
    long resident = 0;
    file >> total >> resident;
    return resident * (::sysconf(_SC_PAGESIZE) / 1024);
}

int usage() {
    fmt::print(stderr,
               "Usage: nocbench_etherbone_load PORT [--clients N] [--seconds S] [--window REQUESTS] [--server PID]\n\n"
               "Writes a word and reads it back by UDP, from N processes (2), for S seconds (10), each with so many\n"
               "requests under way (64; 1: blocking), and checks every answer. --server: watch this process's memory.\n"
               "Exit status: 0 all answers are right; 1 some are not, or are lost; 2 bad usage.\n");
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    if (argc < 2 || argc % 2 != 0) {
        return usage();
    }
    options.port = static_cast<std::uint16_t>(std::strtoul(argv[1], nullptr, 10));
    for (int index = 2; index + 1 < argc; index += 2) {
        const std::string name = argv[index];
        const double value = std::strtod(argv[index + 1], nullptr);
        if (name == "--clients") {
            options.clients = static_cast<int>(value);
        } else if (name == "--seconds") {
            options.seconds = value;
        } else if (name == "--window") {
            options.window = static_cast<std::size_t>(value);
        } else if (name == "--server") {
            options.server = static_cast<long>(value);
        } else {
            return usage();
        }
    }
    if (options.port == 0 || options.clients < 1 || options.window < 1 || options.window > kWindowMax) {
        return usage();
    }
    const std::size_t bytes = sizeof(Seen) * static_cast<std::size_t>(options.clients);
    void* const shared = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        std::perror("mmap");
        return 1;
    }
    Seen* const seen = new (shared) Seen[static_cast<std::size_t>(options.clients)];
    const auto begin = Clock::now();
    for (int client = 0; client < options.clients; ++client) {
        if (::fork() == 0) {
            run_client(options, client, seen[client]);
        }
    }
    long first_kib = 0;
    long last_kib = 0;
    int running = options.clients;
    int status = 0;
    bool has_failed = false;
    while (running > 0) {
        if (::waitpid(-1, &status, WNOHANG) > 0) {
            --running;
            has_failed = has_failed || status != 0;
            continue;
        }
        ::usleep(100'000);
        if (options.server != 0) {
            last_kib = resident_kib(options.server);
            first_kib = first_kib == 0 ? last_kib : first_kib;
        }
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::uint64_t answered = 0;
    std::uint64_t lost = 0;
    std::uint64_t wrong = 0;
    for (int client = 0; client < options.clients; ++client) {
        answered += seen[client].answered;
        lost += seen[client].lost;
        wrong += seen[client].wrong;
    }
    fmt::print("{} clients, {:.1f} s: {} requests answered, {:.0f} per second, {} lost, {} wrong\n", options.clients,
               seconds, answered, static_cast<double>(answered) / seconds, lost, wrong);
    if (options.server != 0) {
        fmt::print("memory of the server: {} KiB at first, {} KiB at last\n", first_kib, last_kib);
    }
    return has_failed || lost > 0 || wrong > 0 ? 1 : 0;
}
