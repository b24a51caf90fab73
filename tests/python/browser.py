"""Headless browser for tests of pages. It opens only files."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.utils import is_url_connectable

if TYPE_CHECKING:
    from collections.abc import Iterator

_NEEDED = ("chromium", "chromedriver")
_ADDRESS = "127.0.0.1"
_NUM_LINES_OF_LOG = 10  # chromedriver's last lines state why it ended


class BrowserUnavailableError(Exception):
    """No browser starts on this machine; the message says why."""


class _Driver(ChromeService):
    """Driver reached by address, as a minimal machine has no /etc/hosts and cannot resolve "localhost"."""

    @property
    def service_url(self) -> str:
        return f"http://{_ADDRESS}:{self.port}"

    def is_connectable(self) -> bool:
        return is_url_connectable(self.port, _ADDRESS)


@contextmanager
def open_browser(*, width: int = 1400, height: int = 1000) -> Iterator[Chrome]:
    """Starts Debian's Chromium and stops it at the end.

    Raises:
    BrowserUnavailableError: It is not installed, or does not start.
    """
    paths = [shutil.which(name) for name in _NEEDED]
    missing = [name for name, path in zip(_NEEDED, paths, strict=True) if path is None]
    if missing:
        raise BrowserUnavailableError(
            f"{' and '.join(missing)} not found in PATH; 'scripts/setup.sh --with-test-tools' installs both"
        )
    options = ChromeOptions()
    options.binary_location = str(paths[0])
    for argument in (
        "--headless=new",
        "--no-sandbox",  # the sandbox does not work for root, and the pages are trusted
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-first-run",
        # Communicates by a pipe: chromedriver would look for a port at "localhost".
        "--remote-debugging-pipe",
        # Host names cannot be resolved.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
        f"--window-size={width},{height}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            browser = Chrome(options=options, service=_Driver(str(paths[1]), log_output=log))
        except WebDriverException as error:
            log.seek(0)
            said = "".join(log.readlines()[-_NUM_LINES_OF_LOG:])
            raise BrowserUnavailableError(f"{paths[0]} does not start: {error.msg}\n{said}".rstrip()) from error
    try:
        browser.set_page_load_timeout(120)
        browser.set_script_timeout(120)
        yield browser
    finally:
        browser.quit()


def console_errors(browser: Chrome) -> list[str]:
    """Returns the page's errors since the last call."""
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]  # type: ignore[no-untyped-call]


def requested_urls(browser: Chrome) -> list[str]:
    """Returns the URLs requested since the last call, including the page's."""
    import json

    urls: list[str] = []
    for entry in browser.get_log("performance"):  # type: ignore[no-untyped-call]
        message: dict[str, Any] = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            urls.append(message["params"]["request"]["url"])
    return urls
