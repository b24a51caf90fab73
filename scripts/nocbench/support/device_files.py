"""Files of this package for device kernels: headers, linker scripts, and the suite's kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.support.package import PACKAGE
from nocbench.support.sources import is_suite_kernel

if TYPE_CHECKING:
    from pathlib import Path


def target_directory(name: str) -> Path:
    """Returns the folder for a kind of target, such as "device"; in a wheel, it is beside the modules."""
    packaged = PACKAGE / name
    return packaged if packaged.is_dir() else PACKAGE.parents[1] / "kernels" / name


def device_directory() -> Path:
    """Returns the folder of headers and linker scripts for device kernels."""
    return target_directory("device")


def suite_root() -> Path:
    """Returns the folder to which the paths of the suite's own kernels are relative."""
    packaged = PACKAGE / "suite"
    return packaged if packaged.is_dir() else device_directory().parents[1]


def device_files() -> dict[str, Path]:
    """Returns all files for device kernels, sorted by names that are equal in a checkout and in a wheel."""
    device, root = device_directory(), suite_root()
    kernels = [
        path
        for folder in ("*/kernels/device", "*/*/kernels/device", "kernels/frame/device")
        for path in root.glob(f"{folder}/**/*")
    ]
    named = {f"device/{path.relative_to(device)}": path for path in device.rglob("*")}
    named |= {name: path for path in kernels if is_suite_kernel(name := path.relative_to(root).as_posix())}
    return {name: named[name] for name in sorted(named) if named[name].is_file()}
