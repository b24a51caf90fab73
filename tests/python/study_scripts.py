"""Scripts of scripts/studies, imported as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

STUDIES = Path(__file__).resolve().parents[2] / "scripts" / "studies"


def study_script(name: str) -> ModuleType:
    """Returns a new module of the script `name`, which finds its neighbours as a program does."""
    specification = importlib.util.spec_from_file_location(name, STUDIES / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module  # needed by its data classes
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(STUDIES)
        specification.loader.exec_module(module)
    return module
