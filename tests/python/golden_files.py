"""Files that hold what a function is expected to return, to the byte.

After a change that is meant, NOCBENCH_UPDATE_GOLDEN=1 in the environment writes them again; review them as code.
"""

from __future__ import annotations

import os
from pathlib import Path

_DIRECTORY = Path(__file__).parent / "golden"


def assert_golden(name: str, text: str) -> None:
    """Fails unless `text` is what the file `name` holds."""
    path = _DIRECTORY / name
    if os.environ.get("NOCBENCH_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
