"""Folders of primitives."""

from __future__ import annotations

from nocbench.architectures.files import architecture_names
from nocbench.points.primitives import folder_of
from nocbench.points.swept_tests import list_tests
from nocbench.support.revision import checkout


def test_every_primitive_has_its_page_in_its_folder() -> None:
    root = checkout()
    assert root is not None
    primitives = {test.primitive for arch in architecture_names() for test in list_tests(arch)}
    assert len(primitives) > 20
    assert [name for name in sorted(primitives) if not (root / folder_of(name) / "README.md").is_file()] == []
