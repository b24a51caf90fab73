"""What all pictures share: a fixed style, and files that are the same bytes for the same data.

No time stamps or program versions are in the files, no font but the one that comes with matplotlib, no setting of the
user's.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from nocbench.atomic_files import atomic_path
from nocbench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from matplotlib.figure import Figure

PICTURE_SUFFIXES = (".png", ".svg")


@contextmanager
def fixed_style() -> Iterator[None]:
    """Draws in our style, whatever the user's settings of matplotlib are."""
    import matplotlib
    import seaborn

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        seaborn.set_theme(context="paper", style="whitegrid")
        matplotlib.rcParams.update(
            {
                "font.family": "DejaVu Sans",
                "svg.hashsalt": "nocbench",
                "svg.fonttype": "path",
                "axes.edgecolor": "0.6",
                "grid.color": "0.9",
                "lines.linewidth": 1.6,
            }
        )
        yield


def require_picture_name(path: Path) -> None:
    """Raises InputError unless `path` names a picture in a directory that exists."""
    if path.suffix.lower() not in PICTURE_SUFFIXES:
        raise InputError(f"{path}: the name of a picture ends in {' or '.join(PICTURE_SUFFIXES)}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no directory {path.parent}")


def write_picture(figure: Figure, path: Path, *, dots_per_inch: int, colors: int | None = None) -> None:
    """Writes a figure, as PNG or SVG by the suffix of `path`. Call it within :func:`fixed_style`.

    A PNG has a palette of at most `colors`, if given: lines on white need no 24 bits per pixel, and repositories keep
    every version.
    """
    with atomic_path(path) as temporary:
        if path.suffix.lower() == ".svg":
            figure.savefig(temporary, format="svg", metadata={"Date": None, "Creator": None})
        else:
            _write_png(figure, temporary, dots_per_inch, colors)


def _write_png(figure: Figure, path: Path, dots_per_inch: int, colors: int | None) -> None:
    import numpy
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(dots_per_inch)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    image = Image.fromarray(numpy.asarray(canvas.buffer_rgba()))  # type: ignore[no-untyped-call]
    image = image.convert("RGB")
    if colors is not None:
        image = image.quantize(colors, dither=Image.Dither.NONE)
    image.save(path, format="png", optimize=True)
