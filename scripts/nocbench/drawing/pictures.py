"""The fixed style of all pictures, and picture files, whose bytes depend on the data only.

Files contain no time stamps or program versions, and ignore the user's settings. The layout uses the font that comes
with matplotlib. SVG files contain text, not outlines: text halves the size, can be searched, and shows changes in a
diff. Viewers without the font use a font with the same widths.
"""

from __future__ import annotations

import io
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.support.atomic_files import atomic_path
from nocbench.support.errors import InputError
from nocbench.support.extras import require_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

    from nocbench.support.markdown import Markdown

Color = tuple[float, float, float, float]

_FONT = "DejaVu Sans"
_FONTS_OF_SAME_WIDTHS = "Verdana, sans-serif"

PICTURE_SUFFIXES = (".png", ".svg")
PAGE_PICTURE_SUFFIX = ".svg"
"""Format of the pictures on pages: sharp at any size, and with small diffs in a repository."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture of a page.

    Attributes:
        title: title above the panels.
        arch: architecture of the page.
        file_stem: name of the file, without suffix.
        draw: draws the picture; callable in another process, too.
    """

    title: str
    arch: str
    file_stem: str
    draw: Callable[[], Figure]


@contextmanager
def fixed_style() -> Iterator[None]:
    """Applies nocbench's style within the block, whatever the user's settings of matplotlib are."""
    import matplotlib
    import seaborn

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        seaborn.set_theme(context="paper", style="whitegrid")
        matplotlib.rcParams.update(
            {
                "font.family": _FONT,
                "svg.hashsalt": "nocbench",
                "svg.fonttype": "none",
                "axes.edgecolor": "0.6",
                "grid.color": "0.9",
                "lines.linewidth": 1.6,
            }
        )
        yield


@dataclass(frozen=True, eq=False)
class Page:
    """The page of an architecture, with further pages if it has many tests, and their pictures.

    Attributes:
        arch: architecture; also the name of the page's folder.
        pictures: pictures, in order of appearance.
        render: returns the Markdown of its files, by name; README.md is the first.
    """

    arch: str
    pictures: list[Picture]
    render: Callable[[], Mapping[str, Markdown]]


def color_of(colors: ScalarMappable, value: float) -> Color:
    """Returns the colour of a value."""
    import numpy

    red, green, blue, alpha = (float(part) for part in colors.to_rgba(numpy.array([value]))[0])
    return (red, green, blue, alpha)


def readable_on(color: Color) -> str:
    """Returns the text colour, black or white, with the higher contrast."""
    red, green, blue, _ = color
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.55 else "white"


def require_picture_name(path: Path) -> None:
    """Raises InputError unless `path` names a picture in an existing directory, and pictures can be drawn."""
    require_extra("plots", str(path))
    if path.suffix.lower() not in PICTURE_SUFFIXES:
        raise InputError(f"{path}: the name of a picture ends in {' or '.join(PICTURE_SUFFIXES)}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no directory {path.parent}")


def write_picture(figure: Figure, path: Path, *, dots_per_inch: int = 100) -> None:
    """Writes a figure, as PNG or SVG by the suffix of `path`.

    To be called within :func:`fixed_style`. `dots_per_inch` applies to PNG only.
    """
    write_drawn(as_svg(figure) if path.suffix.lower() == ".svg" else as_png(figure, dots_per_inch), path)


def write_drawn(content: bytes, path: Path) -> None:
    """Writes the content of a picture."""
    with atomic_path(path, synchronize=False) as temporary:  # without fsync: redrawable
        temporary.write_bytes(content)


def as_svg(figure: Figure) -> bytes:
    """Returns a figure as SVG. To be called within :func:`fixed_style`."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue().replace(f"font-family: '{_FONT}'", f"font-family: '{_FONT}', {_FONTS_OF_SAME_WIDTHS}")
    return svg.encode()


def as_png(figure: Figure, dots_per_inch: int) -> bytes:
    """Returns a figure as PNG. To be called within :func:`fixed_style`."""
    import numpy
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(dots_per_inch)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    image = Image.fromarray(numpy.asarray(canvas.buffer_rgba()))  # type: ignore[no-untyped-call]
    content = io.BytesIO()
    image.convert("RGB").save(content, format="png", optimize=True)
    return content.getvalue()
