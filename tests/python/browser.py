"""Headless browser for tests of pages. It opens only files."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from axe_core_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.utils import is_url_connectable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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


@contextmanager
def emulated_screen(browser: Chrome, scheme: str, width: int) -> Iterator[None]:
    """Shows pages in a color scheme, on a screen of a width, with scripts of the test's own."""
    emulate = browser.execute_cdp_cmd
    emulate("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    emulate(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    emulate("Page.setBypassCSP", {"enabled": True})
    try:
        yield
    finally:
        emulate("Page.setBypassCSP", {"enabled": False})
        emulate("Emulation.clearDeviceMetricsOverride", {})
        emulate("Emulation.setEmulatedMedia", {"features": []})


class Page:
    """Page opened in the browser, from a file."""

    def __init__(self, browser: Chrome, path: Path) -> None:
        self.browser = browser
        self.url = path.as_uri()

    def open(self, fragment: str = "") -> None:
        """Reloads the page."""
        self.browser.get("about:blank")
        console_errors(self.browser)
        requested_urls(self.browser)
        self.browser.get(self.url + fragment)
        assert self.run("return document.documentElement.dataset.ready") == "true"

    def open_and_wait(self, fragment: str = "") -> None:
        """Reloads a page that is ready some time after it is loaded."""
        self.browser.get("about:blank")
        console_errors(self.browser)
        requested_urls(self.browser)
        self.browser.get(self.url + fragment)
        self.wait_for("return document.documentElement.dataset.ready === 'true'")

    def wait_for(self, script: str, seconds: float = 60) -> None:
        """Waits until JavaScript returns true."""
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.browser, seconds, 0.05).until(lambda _: self.run(script))

    def run(self, script: str, *arguments: object) -> Any:  # noqa: ANN401 - JSON
        """Runs JavaScript in the page."""
        return self.browser.execute_script(script, *arguments)

    def texts(self, selector: str) -> list[str]:
        """Returns the texts of elements, by CSS selector."""
        return list(
            self.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector)
        )

    def column(self, name: str) -> list[str]:
        """Returns a column of the rows on this page of the table."""
        names = [text.rstrip(" ▲▼") for text in self.texts("#table thead button")]
        return self.texts(f"#table tr.point > td:nth-child({names.index(name) + 1})")

    def click(self, selector: str) -> None:
        self.browser.find_element("css selector", selector).click()

    def type(self, selector: str, keys: str) -> None:
        self.browser.find_element("css selector", selector).send_keys(keys)

    def assert_for_everybody(self, width: int) -> None:
        """Asserts that the page is not wider than the screen, and has no fault that axe-core finds."""
        assert self.run("return document.documentElement.scrollWidth") <= width, self.url
        self.run(AXE_SCRIPT)
        violations = self.run(
            "return axe.run().then(({violations}) => violations.map(({id, nodes}) => `${id}: ${nodes[0].html}`))"
        )
        assert violations == [], self.url

    def assert_quiet(self, others: str = "") -> None:
        """Asserts that there were no errors, and no requests but for the page and URLs that begin with `others`."""
        assert console_errors(self.browser) == []
        urls = [url for url in requested_urls(self.browser) if not url.startswith(("data:", "blob:"))]
        if others:
            urls = [url for url in urls if not url.startswith(others)]
        assert {url.split("#")[0] for url in urls} <= {self.url, "about:blank"}


def points_of_chart(page: Page, figure: str) -> list[str]:
    """Returns the points of a chart in words, as keys read them: line by line, and in a line from left to right."""
    return list(
        page.run(
            """
            const chart = document.querySelector(arguments[0]);
            const canvas = chart.querySelector(".canvas");
            const press = (key) => canvas.dispatchEvent(new KeyboardEvent("keydown", {key, cancelable: true}));
            const read = () => chart.querySelector("output").textContent;
            const found = [];
            press("ArrowRight");
            press("Home");
            for (let first = read(); !found.includes(first); press("ArrowDown"), press("Home"), first = read()) {
              for (let last = null; last !== read(); press("ArrowRight")) {
                last = read();
                found.push(last);
              }
            }
            return found;
            """,
            figure,
        )
    )
