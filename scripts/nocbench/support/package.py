"""Where this package is."""

from __future__ import annotations

import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of this package: in a wheel, what it reads besides modules is there, too."""

BEGIN_NS = time.time_ns()
"""When this process began with it. What has changed since may not be what runs here."""
