"""Location of this package."""

from __future__ import annotations

import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
"""Folder of this package; in a wheel, it also contains the data files."""

BEGIN_NS = time.time_ns()
"""Start of this process. Files changed after it may differ from the running code."""
