"""The files for proxies in `public/ops` work as they stand: only addresses, certificates and logs are replaced."""

import base64
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest
from conftest import ROOT, TOOLS

OPS = ROOT / "public/ops"
#: The most seconds for the start of a proxy.
START = 20


def replaced(text, pairs):
    """A text with replacements, each of which must have something to replace."""
    for old, new in pairs:
        assert old in text, f"the file has no '{old}' any more"
        text = text.replace(old, new)
    return text


def caddy(folder, port, upstream):
    text = replaced((OPS / "Caddyfile").read_text(encoding="utf-8"), [
        ("muster.example {", f"http://muster.example:{port} {{\n\tbind 127.0.0.1"), ("127.0.0.1:8080 {", f"{upstream} {{"),
    ])
    file = folder / "Caddyfile"
    file.write_text(f"{{\n\tadmin off\n\tgrace_period 1s\n\tstorage file_system {folder}/storage\n}}\n{text}", encoding="utf-8")
    return [TOOLS / "bin/caddy", "run", "--config", file, "--adapter", "caddyfile"]


def nginx(folder, port, upstream):
    text = replaced((OPS / "nginx.conf").read_text(encoding="utf-8"), [
        ("listen 443 ssl;", f"listen 127.0.0.1:{port};"), ("http://127.0.0.1:8080;", f"http://{upstream};"),
        ("    ssl_certificate /etc/ssl/muster.example.pem;\n", ""),
        ("    ssl_certificate_key /etc/ssl/private/muster.example.key;\n", ""),
        ("/var/log/nginx/muster.log", f"{folder}/access.log"),
    ])
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    file = folder / "nginx.conf"
    user = "user root;\n" if os.getuid() == 0 else ""
    file.write_text(f"{user}daemon off;\npid {folder}/pid;\nevents {{}}\nhttp {{\n{paths}{text}}}\n", encoding="utf-8")
    return [TOOLS / "sbin/nginx", "-c", file, "-e", folder / "error.log"]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(params=[caddy, nginx], ids=["caddy", "nginx"])
def proxy(request, tmp_path, server):
    """The port of a proxy in front of the server, and its folder."""
    port = free_port()
    command = request.param(tmp_path, port, server.url.removeprefix("http://"))
    log = tmp_path / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)})
    try:
        deadline = time.monotonic() + START
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert process.poll() is None and time.monotonic() < deadline, log.read_text(encoding="utf-8")
                time.sleep(0.05)
        yield port, tmp_path
    finally:
        process.terminate()
        process.wait(START)


def ask(port, path, body=None, token=None):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Host": "muster.example", "Origin": "https://muster.example"})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if token is not None:
        request.add_header("Authorization", f"Bearer {token}")
    return urllib.request.urlopen(request, timeout=START)


class Socket:
    """A WebSocket through a proxy, as a page of the public address opens it."""

    def __init__(self, port):
        self.stream = socket.create_connection(("127.0.0.1", port), START)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall((
            "GET /v1/ws HTTP/1.1\r\nHost: muster.example\r\nOrigin: https://muster.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: muster.v1\r\n\r\n").encode())
        self.file = self.stream.makefile("rb")
        self.status = self.file.readline().decode()
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def send(self, message):
        body, mask = json.dumps(message).encode(), os.urandom(4)
        head = bytes([0x81, 0x80 | len(body)]) if len(body) < 126 else bytes([0x81, 0xFE]) + len(body).to_bytes(2, "big")
        self.stream.sendall(head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(body)))

    def next(self, kind):
        """The next frame of a type."""
        while True:
            _, second = self.file.read(2)
            length = int.from_bytes(self.file.read(2), "big") if second == 126 else second
            frame = json.loads(self.file.read(length))
            if frame["type"] == kind:
                return frame


def test_people_come_through_a_proxy(proxy, server):
    port, folder = proxy
    assert ask(port, "/healthz").read() == b"ok\n"
    name = f"ada{port}"
    token = json.load(ask(port, "/v1/accounts", {"username": name, "password": "a long enough word", "name": "Ada"}))["token"]
    phone = Socket(port)
    assert " 101 " in phone.status
    phone.send({"type": "hello", "id": 1, "token": token, "device": {"key": "phone", "kind": "phone"}})
    phone.next("welcome")
    phone.send({"type": "location", "seq": 1, "at": int(time.time() * 1000), "lat": 48.2082, "lon": 16.3738, "accuracy": 8})
    assert phone.next("ack")["seq"] == 1
    # A stream of events is sent on at once, not when a buffer is full.
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/glances", headers={
        "Host": "muster.example", "Accept": "text/event-stream", "Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=START) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.readline() != b""
    try:
        ask(port, "/s/aaaaaaaaaaaaaaaaaaaaaa")
    except urllib.error.HTTPError as error:
        assert error.code == 404
    phone.stream.close()
    log = server.log.read_text(encoding="utf-8")
    assert "origin" not in log and "X-Forwarded-For" not in log, log
    access = folder / "access.log"
    if access.exists():
        assert "/healthz" in access.read_text() and "/s/" not in access.read_text()


def test_a_client_behind_a_proxy_cannot_claim_another_address(proxy, server):
    port, _ = proxy
    statuses = []
    # Each address may fail a few logins of an account: a forged header must not be a new address each time.
    for attempt in range(8):
        request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/sessions", method="POST", data=json.dumps(
            {"username": f"nobody{port}", "password": "a wrong but long word"}).encode(), headers={
            "Host": "muster.example", "Content-Type": "application/json", "X-Forwarded-For": f"203.0.113.{attempt}"})
        try:
            urllib.request.urlopen(request, timeout=START)
        except urllib.error.HTTPError as error:
            statuses.append(error.code)
    assert statuses[0] == 401 and statuses[-1] == 429, statuses
