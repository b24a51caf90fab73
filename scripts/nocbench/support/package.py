"""The place of this package."""

from __future__ import annotations

import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
"""Folder of this package; in a wheel, it holds the data files, too."""

BEGIN_NS = time.time_ns()
"""Start of this process. Files changed later may not be what runs here."""
