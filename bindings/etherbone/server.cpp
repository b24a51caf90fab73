#include "bindings/etherbone/server.h"

#include <poll.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/from_python.h"
#include "device_model/arch/architecture.h"
#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/fpga.h"
#include "device_model/wishbone/server/server.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

using etherbone_server::DeviceDescription;
using etherbone_server::EtherboneServer;
using etherbone_server::ServerOptions;
using etherbone_server::TimeSource;

WishboneBoard board_called(const std::string& name, const Settings& settings) {
    return wishbone_of(load_architecture(find_architecture("etherbone"), name, settings).board(name));
}

DeviceDescription::Kind kind_called(const std::string& name) {
    if (name == "memory") {
        return DeviceDescription::Kind::memory;
    }
    if (name == "file") {
        return DeviceDescription::Kind::file;
    }
    return name == "clock counter" ? DeviceDescription::Kind::clock_counter : DeviceDescription::Kind::reads_counter;
}

std::vector<DeviceDescription> devices_of(const py::list& list) {
    std::vector<DeviceDescription> devices;
    for (const py::handle item : list) {
        const auto device = py::reinterpret_borrow<py::dict>(item);
        devices.push_back({.kind = kind_called(device["kind"].cast<std::string>()),
                           .name = device["name"].cast<std::string>(),
                           .address = device["address"].cast<std::uint64_t>(),
                           .bytes = device["bytes"].cast<std::uint64_t>(),
                           .vendor = device["vendor"].cast<std::uint64_t>(),
                           .device = device["device"].cast<std::uint32_t>(),
                           .contents = bytes_of(device["contents"]),
                           .path = device["path"].cast<std::string>()});
    }
    return devices;
}

/// Writes a line to standard error, or drops it if that would block: clients must not wait for it.
void say(const std::string& line) {
    const std::string whole = line + "\n";
    pollfd descriptor{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
    if (::poll(&descriptor, 1, 0) != 1 || ::write(STDERR_FILENO, whole.data(), whole.size()) < 0) {
        return;
    }
}

std::unique_ptr<EtherboneServer> make_server(const std::string& board, const Settings& settings,
                                             const py::list& devices, const py::dict& options) {
    ServerOptions given{
        .address = options["address"].cast<std::string>(),
        .udp_port = options["udp_port"].cast<std::optional<std::uint16_t>>(),
        .tcp_port = options["tcp_port"].cast<std::optional<std::uint16_t>>(),
        .has_pty = options["has_pty"].cast<bool>(),
        .pty_link = options["pty_link"].cast<std::string>(),
        .time_source = options["is_modeled"].cast<bool>() ? TimeSource::modeled : TimeSource::host,
        .is_paced = options["is_paced"].cast<bool>(),
        .say = say,
    };
    return std::make_unique<EtherboneServer>(board_called(board, settings), devices_of(devices), std::move(given));
}

}  // namespace

py::list describe_bus_devices(const std::string& board, const Settings& settings) {
    wishbone::Fpga fpga(board_called(board, settings).wishbone.fpga);
    py::list result;
    for (const auto& device : fpga.bus().devices()) {
        py::dict entry;
        entry["name"] = device->identity().name;
        entry["first_address"] = device->identity().first_address;
        entry["last_address"] = device->identity().last_address;
        entry["is_listed"] = device->identity().is_listed;
        result.append(entry);
    }
    return result;
}

void define_etherbone_server(const py::module_& module) {
    py::class_<EtherboneServer>(module, "EtherboneServer", "A modeled FPGA behind real sockets and a pseudo terminal.")
        .def(py::init(&make_server), py::arg("board"), py::arg("settings"), py::arg("devices"), py::arg("options"))
        .def_property_readonly("doors", &EtherboneServer::doors, "Where clients find it.")
        .def("serve", &EtherboneServer::serve, py::call_guard<py::gil_scoped_release>(),
             "Serves until SIGTERM, SIGINT or SIGHUP comes. Returns whether the files of all devices are written.");
}

}  // namespace nocbench::bindings
