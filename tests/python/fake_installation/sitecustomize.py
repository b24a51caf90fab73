"""Gives an interpreter, and the workers that it starts, the stand-in of fake_core.py for the extension module."""

import sys

import fake_core

sys.modules["nocbench._core"] = fake_core
