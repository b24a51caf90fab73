"""The server of what-if questions and pasted kernels, and hostile requests."""

from __future__ import annotations

import contextlib
import http.client
import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from browser import Page

import nocbench
from nocbench.serving.answers import curve, kernel
from nocbench.serving.pages import pages_of
from nocbench.site.folder import SiteFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import CommandLine
    from selenium.webdriver import Chrome

TEST = "Loopback Packet Sizes"
PROGRAM = """
kernels:
  - file: kernel.cpp
    riscv: 0
    cores: [[0, 0]]
    runtime_args: [address source, address target]
regions:
  source: {bytes: 64, initial: {counting: 1}}
  target: {bytes: 64}
expect:
  - {region: target, core: [0, 0], equals: {counting: 1}}
"""
KERNEL = """#include "dataflow_api.h"
void kernel_main() {
    noc_async_write(get_arg_val<uint32_t>(0), get_noc_addr(get_arg_val<uint32_t>(1)), 64);
    noc_async_write_barrier();
}
"""
PASTED = {"arch": "blackhole", "program": PROGRAM, "kernel": KERNEL}


class Server:
    """A running server."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nocbench", "serve", "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        address = urlsplit(self.process.stdout.readline().strip())
        assert address.port is not None
        self.port = address.port
        self.token = address.query.removeprefix("token=")
        self.url = f"http://127.0.0.1:{self.port}/"

    def request(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, bytes, dict[str, str]]:
        """Sends a request as it is. Underscores in names of headers stand for hyphens."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        found = answer.status, answer.read(), dict(answer.headers)
        connection.close()
        return found

    def ask(self, kind: str, question: dict[str, Any], **headers: str) -> dict[str, Any]:
        status, content, _ = self.request(
            "POST", f"/api/{kind}", json.dumps(question).encode(), Content_Type="application/json", **headers
        )
        assert status == 200, content
        return dict(json.loads(content))

    def stop(self) -> tuple[int, str]:
        """Interrupts the server. Returns its exit status and what it said."""
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    running = Server("-j", "1")
    yield running
    assert running.stop() == (0, "")


def test_a_curve_is_that_of_a_run(server: Server) -> None:
    question = {"arch": "blackhole", "test": TEST, "settings": {"router.hop_cycles": 12}}
    rows = nocbench.run(TEST, arch="blackhole", settings={"router.hop_cycles": 12})
    base = nocbench.run(TEST, arch="blackhole")
    found = server.ask("curve", question | {"accuracy": "exact"})["answer"]
    assert found["points"]["cycles"] == pytest.approx(list(rows.latency_cycles), rel=1e-6)
    assert found["points"]["baseCycles"] == pytest.approx(list(base.latency_cycles), rel=1e-6)
    fast = server.ask("curve", question | {"accuracy": "fast"})["answer"]
    assert "baseCycles" not in fast["points"]
    assert fast["points"]["cycles"] == pytest.approx(found["points"]["cycles"], rel=0.05)


def test_points_that_take_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nocbench.serving.answers.FAST_SECONDS", 0.0)
    found = curve({"arch": "blackhole", "test": TEST, "accuracy": "fast"})
    assert len(found["points"]["cycles"]) == 4
    assert found["leftOut"] > 40


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ({"arch": "blackhole", "test": "No Such Test"}, "No Such Test"),
        ({"arch": "../../etc/passwd", "test": TEST}, "passwd"),
        ({"arch": "blackhole", "test": TEST, "settings": {"router.hop_cycles": 0}}, "hop_cycles"),
        ({"arch": "blackhole", "test": TEST, "settings": {"router.no_such": 1}}, "no_such"),
        ({"arch": "blackhole", "test": TEST, "settings": [1]}, "settings: expected names with values"),
        ({"arch": 1, "test": TEST}, "arch: expected a text, found 1"),
        ({"arch": "blackhole", "test": "*"}, "expected one test"),
    ],
)
def test_bad_questions(question: dict[str, Any], fault: str) -> None:
    with pytest.raises(nocbench.InputError, match=fault.replace("*", r"\*")):
        curve(question)


def test_a_kernel_is_run_line_by_line(server: Server) -> None:
    found = server.ask("kernel", PASTED)["answer"]
    assert found["data_ok"]
    assert {line["file"] for line in found["kernels"][0]["lines"]} <= {"kernel.cpp", ""}
    assert any("noc_async_write_barrier" in line["text"] for line in found["kernels"][0]["lines"])
    wrong = server.ask("kernel", PASTED | {"kernel": KERNEL.replace("64);", "32);")})["answer"]
    assert "target" in wrong["data_fault"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"kernel": "void kernel_main() { oh }"}, r"kernel\.cpp:1:.*'oh'"),
        ({"program": PROGRAM.replace("kernel.cpp", "../../../etc/passwd")}, "expected a file beside this one, found"),
        ({"program": PROGRAM.replace("kernel.cpp", "/etc/passwd")}, "expected a file beside this one, found"),
        ({"program": PROGRAM.replace("{counting: 1}", "{from_file: /etc/passwd}")}, "expected a file beside this one"),
        ({"program": PROGRAM + "include_directories: [/root]\n"}, "expected a file beside this one"),
        ({"program": "tt_metal: /\n" + PROGRAM}, "expected a file beside this one"),
        ({"kernel": KERNEL.replace("noc_async_write(", "for (;;) {} noc_async_write(")}, "a loop that never ends"),
        ({"arch": "epiphany_iii"}, "wormhole_b0 or blackhole"),
    ],
)
def test_pasted_mistakes(change: dict[str, str], fault: str) -> None:
    with pytest.raises(nocbench.InputError, match=rf"(?s){fault}") as raised:
        kernel(PASTED | change)
    assert "/tmp" not in str(raised.value)
    assert str(Path(__file__).parents[3]) not in str(raised.value)
    assert "root:" not in str(raised.value)


def test_hostile_requests_are_refused_and_told_nothing(server: Server) -> None:
    own = f"127.0.0.1:{server.port}"
    body = b"{}"
    as_json = {"Content_Type": "application/json"}
    refused = [
        (403, server.request("GET", "/", Host="attacker.example")),
        (403, server.request("GET", "/", Host=f"attacker.example:{server.port}")),
        (403, server.request("POST", "/api/tests", body, Origin="https://attacker.example", **as_json)),
        (403, server.request("POST", "/api/tests", body, Origin="null", **as_json)),
        (403, server.request("POST", "/api/tests", body, Sec_Fetch_Site="cross-site", **as_json)),
        (415, server.request("POST", "/api/tests", body, Content_Type="text/plain")),
        (415, server.request("POST", "/api/tests", body)),
        (400, server.request("POST", "/api/tests", b"[" * 100_000, **as_json)),
        (400, server.request("POST", "/api/tests", b"[1]", **as_json)),
        (404, server.request("POST", "/api/no_such", body, **as_json)),
        (404, server.request("POST", "/live.html", body, **as_json)),
        (405, server.request("PUT", "/live.html", body, **as_json)),
    ]
    paths = ("/../../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/assets/../../server.py", "/%00", "/.")
    refused += [(404, server.request("GET", path)) for path in paths]
    for status, (found, content, headers) in refused:
        assert found == status, content
        assert len(content) < 60
        assert b"/" not in content
        assert "Server" not in headers
    assert server.request("GET", "/live.html", Host=own)[0] == 200
    with contextlib.suppress(OSError, http.client.HTTPException):  # closed before or after it answers
        assert server.request("POST", "/api/kernel", b" " * 1_000_000, **as_json)[0] in (400, 413)
    assert server.ask("tests", {})["answer"]


def test_many_connections_leave_it_up(server: Server) -> None:
    with contextlib.ExitStack() as stack:
        for number in range(600):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))
            if number < 100:  # requests that never end
                with contextlib.suppress(OSError):
                    one.sendall(b"GET / HTTP/1.1\r\nHost: ")
    end = time.monotonic() + 30
    while True:  # it closes what its clients have closed
        try:
            assert server.ask("tests", {})["answer"]
        except (OSError, http.client.HTTPException):
            assert time.monotonic() < end
            time.sleep(0.1)
        else:
            break


def test_other_machines_need_a_token() -> None:
    server = Server("--host", "0.0.0.0", "-j", "1")
    try:
        assert len(server.token) >= 32
        assert server.request("GET", "/live.html")[0] == 401
        assert server.request("GET", "/live.html?token=guess")[0] == 401
        status, _, headers = server.request("GET", f"/live.html?token={server.token}")
        assert (status, headers["Location"]) == (302, "/live.html")
        assert "HttpOnly" in headers["Set-Cookie"]
        assert "SameSite=Strict" in headers["Set-Cookie"]
        cookie = headers["Set-Cookie"].partition(";")[0]
        assert server.request("GET", "/live.html", Cookie=cookie)[0] == 200
        assert server.request("GET", "/kernel.html", Cookie=cookie)[0] == 404
        assert "blackhole" in server.ask("tests", {}, Cookie=cookie)["answer"]
        status, content, _ = server.request(
            "POST", "/api/kernel", json.dumps(PASTED).encode(), Content_Type="application/json", Cookie=cookie
        )
        assert (status, content) == (403, b"kernels are not run for other machines\n")
    finally:
        assert server.stop() == (0, "")


def test_a_site_is_beside_it(tmp_path: Path) -> None:
    folder = SiteFolder(tmp_path / "site")
    folder.write("index.html", "the list")
    folder.finish()
    (tmp_path / "site" / "secret.txt").write_text("not listed")
    content = pages_of(tmp_path / "site", runs_kernels=True)
    assert content("index.html") == b"the list"
    assert b'href="index.html"' in (content("live.html") or b"")
    assert content("secret.txt") is content("../site/index.html") is None


def test_bad_arguments(run_program: CommandLine, tmp_path: Path, server: Server) -> None:
    for arguments, message in (
        (["--host", "example.org"], "--host: expected an address such as 127.0.0.1, found example.org"),
        (["--port", str(server.port)], f"127.0.0.1:{server.port}: cannot be listened on"),
        ([str(tmp_path)], "expected a folder that 'nocbench site' made"),
        (["--port", "70000"], "70000"),
    ):
        found = run_program("serve", *arguments)
        assert (found.status, message in found.err) == (2, True), found.err


def test_a_slider_moves_the_curve(browser: Chrome, server: Server, tmp_path: Path) -> None:
    page = Page(browser, tmp_path)
    page.url = server.url + "live.html"
    page.open_and_wait("#arch=blackhole&test=One+to+One+Packet+Sizes&router.hop_cycles=20")
    page.wait_for("return document.querySelector('#live-status').textContent.startsWith('Exact: ')")
    before = page.texts("#table td.number")
    assert "base" in page.texts("#charts .legend")[0]
    page.run(
        "const slider = document.querySelector('#live-fields input'); slider.value = 30;"
        "slider.dispatchEvent(new Event('input'))"
    )
    page.wait_for("return location.hash.includes('router.hop_cycles=30')")
    page.wait_for("return document.querySelector('#live-status').textContent.startsWith('Exact: ')")
    assert page.texts("#table td.number") != before
    page.type("#live-field", "no.such\n")
    assert page.texts("#live-status") == ["blackhole has no number no.such."]
    page.assert_quiet(server.url)


def test_the_address_holds_the_kernel(browser: Chrome, server: Server, tmp_path: Path) -> None:
    page = Page(browser, tmp_path)
    page.url = server.url + "kernel.html"
    page.open_and_wait()
    page.run("document.querySelector('#kernel-source').value += '// mine'")
    page.click("#kernel-form button")
    page.wait_for("return document.querySelectorAll('#kernel-result tbody tr').length > 0")
    assert page.texts("#kernel-status")[0].endswith("the data are right.")
    address = page.run("return location.hash")
    page.open_and_wait(address)
    assert page.run("return document.querySelector('#kernel-source').value").endswith("// mine")
    assert page.texts("#kernel-result tbody tr") == [], "it does not run before its reader wants it"
    page.open_and_wait("#case=nonsense")
    assert page.texts("#kernel-status") == ["The address holds no program."]
    page.run("document.querySelector('#kernel-source').value = 'oh'")
    page.click("#kernel-form button")
    page.wait_for("return document.querySelectorAll('#kernel-result [role=alert]').length > 0")
    assert "kernel.cpp:1" in page.texts("#kernel-result")[0]
    page.assert_quiet(server.url)
