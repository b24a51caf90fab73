"""Replaces the extension module by fake_core.py, in an interpreter and the workers that it starts."""

import sys

import fake_core

sys.modules["nocbench._core"] = fake_core
