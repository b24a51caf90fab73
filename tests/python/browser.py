"""A browser without a window, for tests of pages. It opens files and nothing else."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

_NEEDED = ("chromium", "chromedriver")


@contextmanager
def open_browser(*, width: int = 1400, height: int = 1000) -> Iterator[Chrome]:
    """Starts Debian's Chromium and stops it at the end.

    A missing browser fails the test: a test that is skipped where it matters tests nothing.
    """
    paths = [shutil.which(name) for name in _NEEDED]
    if None in paths:
        pytest.fail(f"{' or '.join(_NEEDED)} is missing; 'scripts/setup.sh --with-test-tools' installs both")
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    options.binary_location = str(paths[0])
    for argument in (
        "--headless=new",
        "--no-sandbox",  # root has none, and the pages are our own
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-first-run",
        # Whatever a page asks for, it cannot be found.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
        f"--window-size={width},{height}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = Chrome(options=options, service=ChromeService(str(paths[1])))
    try:
        browser.set_page_load_timeout(120)
        browser.set_script_timeout(120)
        yield browser
    finally:
        browser.quit()


def console_errors(browser: Chrome) -> list[str]:
    """What the page complained of since this was last asked."""
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]  # type: ignore[no-untyped-call]


def requested_urls(browser: Chrome) -> list[str]:
    """What the page asked for since this was last asked, itself among it."""
    import json

    urls: list[str] = []
    for entry in browser.get_log("performance"):  # type: ignore[no-untyped-call]
        message: dict[str, Any] = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            urls.append(message["params"]["request"]["url"])
    return urls
