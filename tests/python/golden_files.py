"""Files with the expected results of functions, byte by byte.

After an intended change, NOCBENCH_UPDATE_GOLDEN=1 in the environment rewrites them; review them like code.
"""

from __future__ import annotations

import os
from pathlib import Path

_DIRECTORY = Path(__file__).parent / "golden"


def assert_golden(name: str, text: str) -> None:
    """Fails unless `text` equals the content of the file `name`."""
    path = _DIRECTORY / name
    if os.environ.get("NOCBENCH_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
