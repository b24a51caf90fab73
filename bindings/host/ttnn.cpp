#include "bindings/host/ttnn.h"

#include <fmt/format.h>
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/from_python.h"
#include "bindings/host/session.h"
#include "bindings/point_result.h"
#include "device_model/sim/error.h"
#include "kernels/host/session.h"
#include "nocbench/host/bfloat16.h"
#include "nocbench/host/buffers.h"
#include "nocbench/host/cores.h"
#include "nocbench/host/mesh.h"
#include "nocbench/host/program.h"
#include "nocbench/host/program_descriptors.h"
#include "nocbench/host/slow_dispatch.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

using namespace tt::tt_metal;  // NOLINT(google-build-using-namespace): its classes are bound

/// Place of calls from Python, whose traceback names it.
constexpr tt::host::Caller kPython{};

constexpr const char* kNumbers = "a list of numbers from 0 to 4294967295";

/// Returns an attribute of a descriptor. Throws InputError if it is not what is expected.
template <typename T>
T field(const py::handle& descriptor, const char* name, const char* expected) {
    const py::object value = descriptor.attr(name);
    try {
        return value.cast<T>();
    } catch (const py::cast_error&) {
        throw InputError(fmt::format("{}.{}: expected {}, found {}",
                                     descriptor.get_type().attr("__name__").cast<std::string>(), name, expected,
                                     py::repr(value).cast<std::string>()));
    }
}

template <typename T>
std::vector<T> all_of(const py::handle& descriptor, const char* name, const std::function<T(const py::handle&)>& one) {
    std::vector<T> all;
    for (const py::handle item : field<py::sequence>(descriptor, name, "a list")) {
        all.push_back(one(item));
    }
    return all;
}

CoreRangeSet cores_of(const py::handle& descriptor) {
    return field<CoreRangeSet>(descriptor, "core_ranges", "a CoreRangeSet");
}

CBFormatDescriptor format_of(const py::handle& described) {
    CBFormatDescriptor format;
    format.buffer_index = field<std::uint8_t>(described, "buffer_index", "a number from 0 to 255");
    format.data_format = field<tt::DataFormat>(described, "data_format", "a data type");
    format.page_size = field<std::uint32_t>(described, "page_size", "a number of bytes");
    return format;
}

CBDescriptor buffer_of(const py::handle& described) {
    CBDescriptor buffer;
    buffer.total_size = field<std::uint32_t>(described, "total_size", "a number of bytes");
    buffer.core_ranges = cores_of(described);
    buffer.format_descriptors = all_of<CBFormatDescriptor>(described, "format_descriptors", format_of);
    buffer.remote_format_descriptors = all_of<CBFormatDescriptor>(described, "remote_format_descriptors", format_of);
    const auto place = field<std::shared_ptr<Buffer>>(described, "buffer", "a buffer or None");
    buffer.buffer = place.get();
    return buffer;
}

SemaphoreDescriptor semaphore_of(const py::handle& described) {
    SemaphoreDescriptor semaphore;
    semaphore.id = field<std::uint32_t>(described, "id", "a number");
    semaphore.core_type = field<CoreType>(described, "core_type", "a CoreType");
    semaphore.core_ranges = cores_of(described);
    semaphore.initial_value = field<std::uint32_t>(described, "initial_value", "a number");
    return semaphore;
}

KernelDescriptor::ConfigDescriptor config_of(const py::handle& kernel) {
    const py::object its = kernel.attr("config");
    const auto kind = its.get_type().attr("__name__").cast<std::string>();
    if (kind == "ReaderConfigDescriptor") {
        return ReaderConfigDescriptor{};
    }
    if (kind == "WriterConfigDescriptor") {
        return WriterConfigDescriptor{};
    }
    if (kind == "DataMovementConfigDescriptor") {
        DataMovementConfigDescriptor config;
        config.processor = field<DataMovementProcessor>(its, "processor", "a DataMovementProcessor");
        config.noc = field<NOC>(its, "noc", "a NOC");
        config.noc_mode = field<NOC_MODE>(its, "noc_mode", "a NOC_MODE");
        return config;
    }
    if (kind == "ComputeConfigDescriptor") {
        ComputeConfigDescriptor config;
        config.math_fidelity = field<MathFidelity>(its, "math_fidelity", "a MathFidelity");
        config.fp32_dest_acc_en = field<bool>(its, "fp32_dest_acc_en", "True or False");
        config.dst_full_sync_en = field<bool>(its, "dst_full_sync_en", "True or False");
        config.unpack_to_dest_mode =
            field<std::vector<UnpackToDestMode>>(its, "unpack_to_dest_mode", "a list of UnpackToDestMode");
        config.bfp8_pack_precise = field<bool>(its, "bfp8_pack_precise", "True or False");
        config.math_approx_mode = field<bool>(its, "math_approx_mode", "True or False");
        return config;
    }
    throw InputError(
        fmt::format("KernelDescriptor.config: expected a ReaderConfigDescriptor, WriterConfigDescriptor, "
                    "DataMovementConfigDescriptor or ComputeConfigDescriptor, found {}",
                    py::repr(its).cast<std::string>()));
}

KernelDescriptor kernel_of(const py::handle& described) {
    KernelDescriptor kernel;
    kernel.kernel_source = field<std::string>(described, "kernel_source", "a path or the text of a kernel");
    kernel.source_type = field<KernelDescriptor::SourceType>(described, "source_type", "a SourceType");
    kernel.core_ranges = cores_of(described);
    kernel.compile_time_args = field<KernelDescriptor::CompileTimeArgs>(described, "compile_time_args", kNumbers);
    kernel.named_compile_time_args = field<KernelDescriptor::NamedCompileTimeArgs>(
        described, "named_compile_time_args", "a list of pairs of a name and a number");
    kernel.defines = field<KernelDescriptor::Defines>(described, "defines", "a list of pairs of texts");
    kernel.runtime_args = field<KernelDescriptor::RuntimeArgs>(described.attr("runtime_args"), "pairs",
                                                               "a list of numbers from 0 to 4294967295 for each core");
    kernel.common_runtime_args = field<KernelDescriptor::CommonRuntimeArgs>(described, "common_runtime_args", kNumbers);
    kernel.opt_level =
        field<std::optional<KernelBuildOptLevel>>(described, "opt_level", "a KernelBuildOptLevel or None");
    kernel.config = config_of(described);
    return kernel;
}

ProgramDescriptor program_of(const py::handle& described) {
    ProgramDescriptor program;
    program.kernels = all_of<KernelDescriptor>(described, "kernels", kernel_of);
    program.semaphores = all_of<SemaphoreDescriptor>(described, "semaphores", semaphore_of);
    program.cbs = all_of<CBDescriptor>(described, "cbs", buffer_of);
    return program;
}

/// Chip and session of a program in Python, until it is closed.
class HostDevice {
public:
    HostDevice(int id, const std::string& arch, const std::string& board, const Settings& settings,
               const py::dict& options)
        : python_(options),
          session_(session_of(python_, arch, board, settings, options)),
          scope_(std::in_place, session_),
          mesh_(distributed::MeshDevice::create_unit_mesh(id, 0, 0, 1, {}, {}, 0, kPython)) {}

    void close() {
        if (scope_.has_value()) {
            mesh_->close();
            scope_.reset();
        }
    }

    /// Returns the chip. Throws HostError if it is closed.
    [[nodiscard]] distributed::MeshDevice& mesh() const {
        static_cast<void>(mesh_->chip(kPython));
        return *mesh_;
    }

    void run(const py::object& described) {
        const ProgramDescriptor descriptor = program_of(described);
        distributed::MeshDevice& chip = mesh();
        try {
            const py::gil_scoped_release release;
            tt::tt_metal::Program program(descriptor, kPython);
            tt::tt_metal::detail::LaunchProgram(&chip, program, true, false, kPython);
        } catch (const std::runtime_error&) {
            if (std::optional error = std::exchange(python_.error, std::nullopt);
                error.has_value() && PyErr_GivenExceptionMatches(error->type().ptr(), PyExc_KeyboardInterrupt) != 0) {
                throw std::move(*error);
            }
            throw;
        }
    }

    [[nodiscard]] std::shared_ptr<Buffer> allocate(DeviceAddr size, DeviceAddr page_size, BufferType type,
                                                   TensorMemoryLayout layout, const std::optional<ShardSpec>& shards,
                                                   const std::array<std::uint32_t, 2>& page_shape,
                                                   const std::array<std::uint32_t, 2>& pages) const {
        BufferShardingArgs sharding;
        if (shards.has_value()) {
            sharding = {ShardSpecBuffer(*shards, page_shape, pages), layout};
        }
        return Buffer::create(&mesh(), size, page_size, type, sharding, {}, {}, kPython);
    }

private:
    PythonPart python_;
    host::Session session_;
    std::optional<host::SessionScope> scope_;
    std::shared_ptr<distributed::MeshDevice> mesh_;  // stays for buffers that outlive it, although closed
};

/// Returns floats as values of 16 bits.
py::bytes bfloat16_of(const std::string& floats) {
    std::vector<float> values(floats.size() / sizeof(float));
    std::memcpy(values.data(), floats.data(), values.size() * sizeof(float));
    std::vector<std::uint16_t> rounded;
    rounded.reserve(values.size());
    for (const float value : values) {
        rounded.push_back(bfloat16(value).to_packed());
    }
    return {reinterpret_cast<const char*>(rounded.data()), rounded.size() * sizeof(std::uint16_t)};
}

std::string shown(const CoreCoord& core) { return fmt::format("CoreCoord(x={}, y={})", core.x, core.y); }

void define_cores(py::module_& module) {
    py::class_<CoreCoord>(module, "CoreCoord")
        .def(py::init<std::size_t, std::size_t>(), py::arg("x"), py::arg("y"))
        .def(py::init(
            [](const std::pair<std::size_t, std::size_t>& core) { return CoreCoord(core.first, core.second); }))
        .def_readonly("x", &CoreCoord::x)
        .def_readonly("y", &CoreCoord::y)
        .def(py::self == py::self)
        .def(py::self < py::self)
        .def("__hash__", [](const CoreCoord& core) { return std::hash<CoreCoord>()(core); })
        .def("__repr__", shown);
    py::implicitly_convertible<py::tuple, CoreCoord>();
    py::class_<CoreRange>(module, "CoreRange")
        .def(py::init([](const CoreCoord& start, const CoreCoord& end) { return CoreRange(start, end, kPython); }),
             py::arg("start"), py::arg("end"))
        .def(py::init<const CoreCoord&>(), py::arg("core"))
        .def_readonly("start", &CoreRange::start_coord)
        .def_readonly("end", &CoreRange::end_coord)
        .def("grid_size", &CoreRange::grid_size)
        .def("size", &CoreRange::size)
        .def("contains", py::overload_cast<const CoreCoord&>(&CoreRange::contains, py::const_), py::arg("core"))
        .def("contains", py::overload_cast<const CoreRange&>(&CoreRange::contains, py::const_), py::arg("range"))
        .def(py::self == py::self)
        .def("__hash__",
             [](const CoreRange& range) { return py::hash(py::make_tuple(range.start_coord, range.end_coord)); })
        .def("__repr__", [](const CoreRange& range) {
            return fmt::format("CoreRange({}, {})", shown(range.start_coord), shown(range.end_coord));
        });
    py::class_<CoreRangeSet>(module, "CoreRangeSet")
        .def(py::init<>())
        .def(py::init([](std::vector<CoreRange> ranges) { return CoreRangeSet(std::move(ranges), kPython); }),
             py::arg("ranges"))
        .def(py::init<const CoreRange&>(), py::arg("range"))
        .def(py::init([](const py::set& ranges) {
                 return CoreRangeSet(py::list(ranges).cast<std::vector<CoreRange>>(), kPython);
             }),
             py::arg("ranges"))
        .def("ranges", &CoreRangeSet::ranges)
        .def("num_cores", &CoreRangeSet::num_cores)
        .def("size", &CoreRangeSet::size)
        .def("empty", &CoreRangeSet::empty)
        .def("bounding_box", [](const CoreRangeSet& cores) { return cores.bounding_box(kPython); })
        .def("contains", py::overload_cast<const CoreCoord&>(&CoreRangeSet::contains, py::const_), py::arg("core"))
        .def("contains", py::overload_cast<const CoreRange&>(&CoreRangeSet::contains, py::const_), py::arg("range"))
        .def("contains", py::overload_cast<const CoreRangeSet&>(&CoreRangeSet::contains, py::const_), py::arg("cores"))
        .def("merge", &CoreRangeSet::merge<CoreRangeSet>, py::arg("other"))
        .def("subtract", &CoreRangeSet::subtract, py::arg("other"))
        .def("intersection", &CoreRangeSet::intersection, py::arg("other"))
        .def(py::self == py::self)
        .def("__hash__", [](const CoreRangeSet& cores) { return py::hash(py::str(cores.merge_ranges().str())); })
        .def("__repr__", [](const CoreRangeSet& cores) {
            return fmt::format("CoreRangeSet({})", py::repr(py::cast(cores.ranges())).cast<std::string>());
        });
    module.def("corerange_to_cores", &corerange_to_cores, py::arg("cores"), py::arg("max_cores") = py::none(),
               py::arg("row_wise") = false);
    module.def(
        "grid_to_cores",
        [](std::uint32_t num_cores, std::uint32_t columns, std::uint32_t rows, bool row_wise) {
            return grid_to_cores(num_cores, columns, rows, row_wise, kPython);
        },
        py::arg("num_cores"), py::arg("grid_size_x"), py::arg("grid_size_y"), py::arg("row_wise") = false);
    module.def(
        "num_cores_to_corerangeset",
        [](std::uint32_t target_num_cores, CoreCoord grid_size, bool row_wise) {
            return num_cores_to_corerangeset(target_num_cores, grid_size, row_wise, kPython);
        },
        py::arg("target_num_cores"), py::arg("grid_size"), py::arg("row_wise") = false);
    module.def("split_work_to_cores", py::overload_cast<CoreCoord, std::uint32_t, bool>(&split_work_to_cores),
               py::arg("grid_size"), py::arg("units_to_divide"), py::arg("row_wise") = false);
    module.def("split_work_to_cores", py::overload_cast<const CoreRangeSet&, std::uint32_t, bool>(&split_work_to_cores),
               py::arg("core_grid"), py::arg("units_to_divide"), py::arg("row_wise") = false);
}

void define_enumerations(py::module_& module) {
    py::enum_<tt::ARCH>(module, "Arch")
        .value("WORMHOLE_B0", tt::ARCH::WORMHOLE_B0)
        .value("BLACKHOLE", tt::ARCH::BLACKHOLE);
    py::enum_<BufferType>(module, "BufferType").value("DRAM", BufferType::DRAM).value("L1", BufferType::L1);
    py::enum_<TensorMemoryLayout>(module, "TensorMemoryLayout")
        .value("INTERLEAVED", TensorMemoryLayout::INTERLEAVED)
        .value("HEIGHT_SHARDED", TensorMemoryLayout::HEIGHT_SHARDED)
        .value("WIDTH_SHARDED", TensorMemoryLayout::WIDTH_SHARDED)
        .value("BLOCK_SHARDED", TensorMemoryLayout::BLOCK_SHARDED);
    py::enum_<ShardOrientation>(module, "ShardOrientation")
        .value("ROW_MAJOR", ShardOrientation::ROW_MAJOR)
        .value("COL_MAJOR", ShardOrientation::COL_MAJOR);
    py::enum_<DataMovementProcessor>(module, "DataMovementProcessor")
        .value("RISCV_0", DataMovementProcessor::RISCV_0)
        .value("RISCV_1", DataMovementProcessor::RISCV_1);
    py::enum_<NOC>(module, "NOC")
        .value("NOC_0", NOC::NOC_0)
        .value("NOC_1", NOC::NOC_1)
        .value("RISCV_0_default", NOC::RISCV_0_default)
        .value("RISCV_1_default", NOC::RISCV_1_default);
    py::enum_<NOC_MODE>(module, "NOC_MODE")
        .value("DM_DEDICATED_NOC", NOC_MODE::DM_DEDICATED_NOC)
        .value("DM_DYNAMIC_NOC", NOC_MODE::DM_DYNAMIC_NOC);
    py::enum_<MathFidelity>(module, "MathFidelity")
        .value("LoFi", MathFidelity::LoFi)
        .value("HiFi2", MathFidelity::HiFi2)
        .value("HiFi3", MathFidelity::HiFi3)
        .value("HiFi4", MathFidelity::HiFi4);
    py::enum_<UnpackToDestMode>(module, "UnpackToDestMode")
        .value("Default", UnpackToDestMode::Default)
        .value("UnpackToDestFp32", UnpackToDestMode::UnpackToDestFp32);
    py::enum_<CoreType>(module, "CoreType").value("WORKER", CoreType::WORKER).value("ETH", CoreType::ETH);
    py::enum_<KernelBuildOptLevel>(module, "KernelBuildOptLevel")
        .value("O0", KernelBuildOptLevel::O0)
        .value("O1", KernelBuildOptLevel::O1)
        .value("O2", KernelBuildOptLevel::O2)
        .value("O3", KernelBuildOptLevel::O3)
        .value("Os", KernelBuildOptLevel::Os)
        .value("Ofast", KernelBuildOptLevel::Ofast)
        .value("Oz", KernelBuildOptLevel::Oz);
    py::enum_<KernelDescriptor::SourceType>(module, "SourceType")
        .value("FILE_PATH", KernelDescriptor::SourceType::FILE_PATH)
        .value("SOURCE_CODE", KernelDescriptor::SourceType::SOURCE_CODE);
    // Data formats of tensors.
    py::enum_<tt::DataFormat>(module, "DataFormat")
        .value("Float32", tt::DataFormat::Float32)
        .value("Float16_b", tt::DataFormat::Float16_b)
        .value("Bfp8_b", tt::DataFormat::Bfp8_b)
        .value("Bfp4_b", tt::DataFormat::Bfp4_b)
        .value("Int32", tt::DataFormat::Int32)
        .value("UInt32", tt::DataFormat::UInt32)
        .value("UInt16", tt::DataFormat::UInt16)
        .value("UInt8", tt::DataFormat::UInt8);
    module.def("tile_size", &tt::tile_size, py::arg("data_format"));
}

void define_memory(py::module_& module) {
    py::class_<ShardSpec>(module, "ShardSpec")
        .def(py::init<const CoreRangeSet&, const std::array<std::uint32_t, 2>&, ShardOrientation>(), py::arg("grid"),
             py::arg("shard_shape"), py::arg("shard_orientation") = ShardOrientation::ROW_MAJOR)
        .def_readonly("grid", &ShardSpec::grid)
        .def_readonly("shape", &ShardSpec::shape)
        .def_readonly("orientation", &ShardSpec::orientation)
        .def("num_cores", &ShardSpec::num_cores)
        .def("__eq__",
             [](const ShardSpec& one, const ShardSpec& other) {
                 return one.grid == other.grid && one.shape == other.shape && one.orientation == other.orientation;
             })
        .def("__hash__", [](const ShardSpec& spec) { return py::hash(py::make_tuple(spec.grid, spec.shape)); })
        .def("__repr__", [](const ShardSpec& spec) {
            return fmt::format("ShardSpec({}, [{}, {}], {})", py::repr(py::cast(spec.grid)).cast<std::string>(),
                               spec.shape[0], spec.shape[1], py::repr(py::cast(spec.orientation)).cast<std::string>());
        });
    py::class_<Buffer, std::shared_ptr<Buffer>>(module, "HostBuffer")
        .def_property_readonly("address", &Buffer::address)
        .def_property_readonly("page_size", &Buffer::page_size)
        .def_property_readonly("aligned_page_size", &Buffer::aligned_page_size)
        .def_property_readonly("aligned_size_per_bank", &Buffer::aligned_size_per_bank)
        .def_property_readonly("num_pages", &Buffer::num_pages)
        .def_property_readonly("is_allocated", &Buffer::is_allocated)
        .def("deallocate", &Buffer::deallocate)
        .def("write",
             [](Buffer& buffer, const std::string& bytes) { buffer.write(std::as_bytes(std::span(bytes)), kPython); })
        .def("read",
             [](const Buffer& buffer) {
                 std::string bytes(buffer.size(), '\0');
                 buffer.read(std::as_writable_bytes(std::span(bytes)), kPython);
                 return py::bytes(bytes);
             })
        .def("accessor_args", [](const Buffer& buffer) { return TensorAccessorArgs(buffer).get_compile_time_args(); });
    py::class_<GlobalSemaphore>(module, "HostSemaphore")
        .def_property_readonly("address", &GlobalSemaphore::address)
        .def("reset", &GlobalSemaphore::reset_semaphore_value);
    module.def("bfloat16_of", &bfloat16_of, py::arg("floats"));
}

}  // namespace

void define_ttnn(py::module_& module) {
    py::register_exception<tt::HostError>(module, "HostError", PyExc_RuntimeError);
    define_cores(module);
    define_enumerations(module);
    define_memory(module);
    py::class_<HostDevice>(module, "HostDevice")
        .def(py::init<int, const std::string&, const std::string&, const Settings&, const py::dict&>(),
             py::arg("number"), py::arg("arch"), py::arg("board"), py::arg("settings"), py::arg("options"))
        .def("close", &HostDevice::close)
        .def("run", &HostDevice::run, py::arg("program"))
        .def("allocate", &HostDevice::allocate, py::arg("size"), py::arg("page_size"), py::arg("memory"),
             py::arg("layout"), py::arg("shards"), py::arg("page_shape"), py::arg("pages"), py::keep_alive<0, 1>())
        .def(
            "semaphore",
            [](const HostDevice& device, const CoreRangeSet& cores, std::uint32_t value) {
                return CreateGlobalSemaphore(&device.mesh(), cores, value, BufferType::L1, kPython);
            },
            py::arg("cores"), py::arg("value"), py::keep_alive<0, 1>())
        .def("arch", [](const HostDevice& device) { return device.mesh().arch(); })
        .def("compute_with_storage_grid_size",
             [](const HostDevice& device) { return device.mesh().compute_with_storage_grid_size(); })
        .def("dram_grid_size", [](const HostDevice& device) { return device.mesh().dram_grid_size(); })
        .def(
            "worker_core_from_logical_core",
            [](const HostDevice& device, const CoreCoord& core) {
                return device.mesh().worker_core_from_logical_core(core, kPython);
            },
            py::arg("core"))
        .def(
            "alignment",
            [](const HostDevice& device, BufferType type) { return device.mesh().allocator()->get_alignment(type); },
            py::arg("memory"));
}

}  // namespace nocbench::bindings
