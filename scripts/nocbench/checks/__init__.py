"""Checks of programs beside their timing, and what they find."""
