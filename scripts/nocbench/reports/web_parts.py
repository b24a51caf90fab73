"""Parts that the HTML report and the site share: style, scripts, and the environment of templates."""

from __future__ import annotations

import base64
import functools
import hashlib
from typing import TYPE_CHECKING

from nocbench.support.package import PACKAGE

if TYPE_CHECKING:
    from pathlib import Path

    import jinja2

_TEMPLATES = PACKAGE / "templates"
_SHARED = _TEMPLATES / "web"
_CHARTS = _SHARED / "uplot"


def style(page: str) -> str:
    """Returns the style of the pages of a folder of templates."""
    return _joined(
        [_CHARTS / "uPlot.min.css", *sorted(_SHARED.glob("*.css")), *sorted((_TEMPLATES / page).glob("*.css"))]
    )


def script(page: str) -> str:
    """Returns the script of the pages of a folder of templates."""
    return _joined(
        [_CHARTS / "uPlot.iife.min.js", *sorted(_SHARED.glob("*.js")), *sorted((_TEMPLATES / page).glob("*.js"))]
    )


@functools.cache
def html_environment(page: str) -> jinja2.Environment:
    """Returns the Jinja environment of a folder of templates, which escapes all printed values."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES / page),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=True,
    )


def source_hash(text: str) -> str:
    """Returns the hash of a style or script in the notation of content security policies."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _joined(files: list[Path]) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
