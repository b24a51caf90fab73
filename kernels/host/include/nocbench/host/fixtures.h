// Fixtures of Google Test that open the chip. Names follow the tests of tt-metal.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nocbench/host/host_programs.h"

namespace tt::tt_metal {

/// Opens the chip before a test, and closes it afterwards.
class GenericMeshDeviceFixture : public ::testing::Test {
public:
    [[nodiscard]] std::shared_ptr<distributed::MeshDevice> get_mesh_device() const { return mesh_device_; }

protected:
    using MeshDevice = distributed::MeshDevice;

    void SetUp() override {
        mesh_device_ = MeshDevice::create_unit_mesh(0);
        devices_ = {mesh_device_};
        arch_ = mesh_device_->arch();
    }
    void TearDown() override {
        devices_.clear();
        mesh_device_.reset();
    }
    void RunProgram(const std::shared_ptr<MeshDevice>& device, distributed::MeshWorkload& workload) {
        distributed::EnqueueMeshWorkload(device->mesh_command_queue(), workload, true);
    }

    std::shared_ptr<MeshDevice> mesh_device_;
    std::vector<std::shared_ptr<MeshDevice>> devices_;
    ARCH arch_ = ARCH::Invalid;
    std::size_t num_devices_ = 1;
    std::uint32_t max_cbs_ = NUM_CIRCULAR_BUFFERS;
};

using MeshDispatchFixture = GenericMeshDeviceFixture;
using UnitMeshCQFixture = GenericMeshDeviceFixture;
using UnitMeshCQSingleCardFixture = GenericMeshDeviceFixture;

/// Starts the cores one by one. In tt-metal, its tests run with TT_METAL_SLOW_DISPATCH_MODE alone.
class MeshDeviceFixture : public GenericMeshDeviceFixture {
protected:
    void SetUp() override {
        GenericMeshDeviceFixture::SetUp();
        host::use_slow_dispatch(*mesh_device_);
    }
};

using MeshDeviceSingleCardFixture = MeshDeviceFixture;

/// Skips its tests on other chips.
class BlackholeSingleCardFixture : public MeshDeviceFixture {
protected:
    void SetUp() override {
        MeshDeviceFixture::SetUp();
        if (arch_ != ARCH::BLACKHOLE) {
            GTEST_SKIP() << "for Blackhole only";
        }
    }
};

}  // namespace tt::tt_metal
