"""Pages of the server: its own, and those of a site beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.reports.web_parts import html_environment, script, style
from nocbench.site.folder import files_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_TEMPLATES = "site"
_OWN = {"live.html": "What if", "kernel.html": "Kernel"}


def pages_of(site: Path | None, *, runs_kernels: bool) -> Callable[[str], bytes | None]:
    """Returns a function that returns the content of a page or file, or None if there is none.

    Args:
        site: folder that `nocbench site` made, or None.
        runs_kernels: True if there is a page for pasted kernels.

    Raises:
        InputError: the folder has no site.
    """
    own = {name: title for name, title in _OWN.items() if runs_kernels or name != "kernel.html"}
    links = [*([("Tests", "index.html"), ("Compare", "compare.html")] if site else [])]
    links += [(title, name) for name, title in own.items()]
    pages = {
        name: html_environment(_TEMPLATES)
        .get_template(f"{name}.j2")
        .render(
            title=title,
            page=name.removesuffix(".html"),
            root="",
            site_name="nocbench",
            links=links,
            here=name,
            revision="",
            test="",
            is_live=True,
            has_search=site is not None,
        )
        .encode()
        for name, title in own.items()
    }
    pages |= {"assets/site.css": style(_TEMPLATES).encode(), "assets/site.js": script(_TEMPLATES).encode()}
    files = files_of(site) if site is not None else {}
    if site is None:
        pages["index.html"] = pages["live.html"]

    def content(name: str) -> bytes | None:
        if name in pages:
            return pages[name]
        path = files.get(name)
        return path.read_bytes() if path is not None and path.is_file() else None

    return content
