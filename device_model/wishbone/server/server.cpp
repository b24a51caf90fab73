#include "device_model/wishbone/server/server.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <utility>

#include "device_model/wishbone/server/asio.h"
#include "device_model/wishbone/server/pty_door.h"
#include "device_model/wishbone/server/service.h"
#include "device_model/wishbone/server/tcp_door.h"
#include "device_model/wishbone/server/udp_door.h"

namespace nocbench::etherbone_server {

namespace {

// Interval for updating files.
constexpr std::chrono::seconds kFilePeriod{1};

/// Describes an access that ended in a bus error, and the reason.
std::string described(const wishbone::BusAccess& access, bool is_owned) {
    const char* const why = !wishbone::lanes_of(access.select, access.port_bytes) ? "the select lines are not valid"
                            : is_owned                                            ? "the device there refuses it"
                                                                                  : "no device owns this address";
    return fmt::format("bus error at a {} 0x{:08x}, select 0x{:x}: {}", access.is_write ? "write to" : "read of",
                       access.address, access.select, why);
}

}  // namespace

class EtherboneServer::Implementation {
public:
    Implementation(const WishboneBoard& board, std::vector<DeviceDescription> devices, ServerOptions options)
        : service_(board, made(std::move(devices), board), options.time_source),
          signals_(service_.io),
          file_timer_(service_.io) {
        service_.is_paced = options.is_paced;
        service_.say = std::move(options.say);
        service_.warnings.say = service_.say;
        service_.fpga.slave().refused = [this](const wishbone::BusAccess& access, bool is_owned) {
            service_.warnings.warn(described(access, is_owned));
        };
        if (options.udp_port) {
            udp_ = std::make_unique<UdpDoor>(service_, options.address, *options.udp_port);
            doors_.push_back(udp_->description());
        }
        if (options.tcp_port) {
            tcp_ = std::make_unique<TcpDoor>(service_, options.address, *options.tcp_port);
            doors_.push_back(tcp_->description());
        }
        if (options.has_pty) {
            pty_ = std::make_unique<PtyDoor>(service_, options.pty_link);
            doors_.push_back(pty_->description());
        }
        for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) {
            signals_.add(signal);
        }
        wait_for_signal();
        if (!files_.empty()) {
            wait_for_files();
        }
    }

    [[nodiscard]] const std::vector<std::string>& doors() const { return doors_; }

    bool serve() {
        service_.io.run();
        const bool are_files_kept = keep_files();
        service_.warnings.say_suppressed();
        service_.say(statistics());
        return are_files_kept;
    }

private:
    std::vector<std::unique_ptr<wishbone::BusDevice>> made(std::vector<DeviceDescription> devices,
                                                           const WishboneBoard& board) {
        std::vector<std::unique_ptr<wishbone::BusDevice>> result;
        result.reserve(devices.size());
        for (DeviceDescription& device : devices) {
            result.push_back(make_device(std::move(device), board, files_));
        }
        return result;
    }

    void wait_for_signal() {
        signals_.async_wait([this](const boost::system::error_code& error, int signal) {
            if (error) {
                return;
            }
            if (signal == SIGUSR1) {
                service_.say(statistics());
                wait_for_signal();
            } else {
                service_.io.stop();
            }
        });
    }

    void wait_for_files() {
        file_timer_.expires_after(kFilePeriod);
        file_timer_.async_wait([this](const boost::system::error_code& error) {
            if (!error) {
                keep_files();
                wait_for_files();
            }
        });
    }

    /// Writes changed files. Returns false if any write failed.
    bool keep_files() {
        bool are_kept = true;
        for (FileDevice* const file : files_) {
            std::string complaint = file->keep();
            are_kept = are_kept && complaint.empty();
            if (!complaint.empty() && complaint != file_complaint_) {
                service_.say("warning: " + complaint);
                file_complaint_ = std::move(complaint);
            }
        }
        return are_kept;
    }

    [[nodiscard]] std::string statistics() {
        const wishbone::SlaveStatistics& slave = service_.fpga.statistics();
        const Counts& counts = service_.counts;
        return fmt::format(
            "served: datagrams {}, clients of streams {}, of these dropped {}, answers lost {}, probes {}, messages "
            "{}, "
            "ignored {}, reads {}, writes {}, bus errors {}; the FPGA's clock is at {} ns",
            counts.datagrams, counts.clients, counts.clients_dropped, counts.answers_lost, slave.probes, slave.messages,
            slave.ignored, slave.reads, slave.writes, slave.bus_errors, service_.fpga.now_ns());
    }

    std::vector<FileDevice*> files_;  // on the bus
    Service service_;
    asio::signal_set signals_;
    asio::steady_timer file_timer_;
    std::string file_complaint_;
    std::unique_ptr<UdpDoor> udp_;
    std::unique_ptr<TcpDoor> tcp_;
    std::unique_ptr<PtyDoor> pty_;
    std::vector<std::string> doors_;
};

EtherboneServer::EtherboneServer(const WishboneBoard& board, std::vector<DeviceDescription> devices,
                                 ServerOptions options)
    : implementation_(std::make_unique<Implementation>(board, std::move(devices), std::move(options))) {}

EtherboneServer::~EtherboneServer() = default;

const std::vector<std::string>& EtherboneServer::doors() const { return implementation_->doors(); }

bool EtherboneServer::serve() { return implementation_->serve(); }

}  // namespace nocbench::etherbone_server
