"""The part of ttnn's Python that programs use around `ttnn.generic_op`, on a modeled chip.

>>> import nocbench.ttnn as ttnn
>>> device = ttnn.open_device(device_id=0, arch="blackhole")

Names and arguments are those of ttnn. :func:`last_run` has no counterpart there: it tells the cycles of an operation,
and why it was not faster.
"""

from nocbench._core import (
    NOC,
    NOC_MODE,
    Arch,
    BufferType,
    CoreCoord,
    CoreRange,
    CoreRangeSet,
    CoreType,
    DataMovementProcessor,
    HostError,
    KernelBuildOptLevel,
    MathFidelity,
    ShardOrientation,
    ShardSpec,
    TensorMemoryLayout,
    UnpackToDestMode,
    corerange_to_cores,
    grid_to_cores,
    num_cores_to_corerangeset,
    split_work_to_cores,
)
from nocbench.ttnn.data_types import DataType
from nocbench.ttnn.descriptors import (
    CBDescriptor,
    CBFormatDescriptor,
    ComputeConfigDescriptor,
    DataMovementConfigDescriptor,
    KernelDescriptor,
    ProgramDescriptor,
    ReaderConfigDescriptor,
    RuntimeArgs,
    SemaphoreDescriptor,
    WriterConfigDescriptor,
    cb_descriptor_from_sharded_tensor,
    merge_program_descriptors,
)
from nocbench.ttnn.devices import (
    CoreGrid,
    Device,
    close_device,
    create_global_semaphore,
    get_arch_name,
    get_global_semaphore_address,
    last_run,
    manage_device,
    open_device,
    reset_global_semaphore_value,
    synchronize_device,
)
from nocbench.ttnn.errors import TtnnError
from nocbench.ttnn.operations import generic_op
from nocbench.ttnn.results import OpRun
from nocbench.ttnn.specs import (
    DRAM_MEMORY_CONFIG,
    L1_BLOCK_SHARDED_MEMORY_CONFIG,
    L1_HEIGHT_SHARDED_MEMORY_CONFIG,
    L1_MEMORY_CONFIG,
    L1_WIDTH_SHARDED_MEMORY_CONFIG,
    TILE_SIZE,
    Layout,
    MemoryConfig,
    Shape,
    TensorSpec,
)
from nocbench.ttnn.tensors import (
    Tensor,
    TensorAccessorArgs,
    allocate_tensor_on_device,
    as_tensor,
    deallocate,
    empty,
    from_device,
    from_numpy,
    from_torch,
    full,
    ones,
    rand,
    to_device,
    to_layout,
    to_numpy,
    to_torch,
    zeros,
)

ROW_MAJOR_LAYOUT = Layout.ROW_MAJOR
TILE_LAYOUT = Layout.TILE

bfloat16 = DataType.BFLOAT16
float32 = DataType.FLOAT32
uint32 = DataType.UINT32
int32 = DataType.INT32
uint16 = DataType.UINT16
uint8 = DataType.UINT8
bfloat8_b = DataType.BFLOAT8_B
bfloat4_b = DataType.BFLOAT4_B

MeshDevice = Device
"""A mesh of one chip is the chip."""

__all__ = [
    "DRAM_MEMORY_CONFIG",
    "L1_BLOCK_SHARDED_MEMORY_CONFIG",
    "L1_HEIGHT_SHARDED_MEMORY_CONFIG",
    "L1_MEMORY_CONFIG",
    "L1_WIDTH_SHARDED_MEMORY_CONFIG",
    "NOC",
    "NOC_MODE",
    "ROW_MAJOR_LAYOUT",
    "TILE_LAYOUT",
    "TILE_SIZE",
    "Arch",
    "BufferType",
    "CBDescriptor",
    "CBFormatDescriptor",
    "ComputeConfigDescriptor",
    "CoreCoord",
    "CoreGrid",
    "CoreRange",
    "CoreRangeSet",
    "CoreType",
    "DataMovementConfigDescriptor",
    "DataMovementProcessor",
    "DataType",
    "Device",
    "HostError",
    "KernelBuildOptLevel",
    "KernelDescriptor",
    "Layout",
    "MathFidelity",
    "MemoryConfig",
    "MeshDevice",
    "OpRun",
    "ProgramDescriptor",
    "ReaderConfigDescriptor",
    "RuntimeArgs",
    "SemaphoreDescriptor",
    "Shape",
    "ShardOrientation",
    "ShardSpec",
    "Tensor",
    "TensorAccessorArgs",
    "TensorMemoryLayout",
    "TensorSpec",
    "TtnnError",
    "UnpackToDestMode",
    "WriterConfigDescriptor",
    "__all__",
    "allocate_tensor_on_device",
    "as_tensor",
    "bfloat4_b",
    "bfloat8_b",
    "bfloat16",
    "cb_descriptor_from_sharded_tensor",
    "close_device",
    "corerange_to_cores",
    "create_global_semaphore",
    "deallocate",
    "empty",
    "float32",
    "from_device",
    "from_numpy",
    "from_torch",
    "full",
    "generic_op",
    "get_arch_name",
    "get_global_semaphore_address",
    "grid_to_cores",
    "int32",
    "last_run",
    "manage_device",
    "merge_program_descriptors",
    "num_cores_to_corerangeset",
    "ones",
    "open_device",
    "rand",
    "reset_global_semaphore_value",
    "split_work_to_cores",
    "synchronize_device",
    "to_device",
    "to_layout",
    "to_numpy",
    "to_torch",
    "uint8",
    "uint16",
    "uint32",
    "zeros",
]
