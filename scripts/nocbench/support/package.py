"""Where this package is."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of this package: in a wheel, what it reads besides modules is there, too."""
