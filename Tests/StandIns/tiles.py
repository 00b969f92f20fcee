"""A server of map tiles: /{z}/{x}/{y}.png is of 256×256, in one colour. Prints its address.

`GET /log` tells what was asked, `POST /control MODE` says how tiles are answered from then on: ok, absent, odd (odd columns are absent),
hang, drip, huge, html, large (of 512×512), half (of the file), cut (the same, and the connection too), error.
"""
import json
import re
import struct
import threading
import time
import zlib

from answering import Answering, serve

TILE = re.compile(r"/(\d+)/(\d+)/(\d+)\.png")
COLOUR = bytes((40, 120, 200))


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(side):
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = (b"\0" + COLOUR * side) * side
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class State:
    lock = threading.Lock()
    log = []
    mode = "ok"


class Tiles(Answering):
    def answer(self, body, status=200, kind="image/png"):
        self.send(status, body, kind)

    def do_POST(self):
        State.mode = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.answer(b"")

    def do_GET(self):
        if self.path == "/log":
            with State.lock:
                return self.answer(json.dumps(State.log).encode(), kind="application/json")
        with State.lock:
            State.log.append({"path": self.path, "headers": {k.lower(): v for k, v in self.headers.items()}})
        tile = TILE.fullmatch(self.path)
        if not tile:
            return self.answer(b"", 400)
        match State.mode:
            case "absent":
                self.answer(b"no such tile", 404, "text/plain")
            case "odd" if int(tile[2]) % 2:
                self.answer(b"no such tile", 404, "text/plain")
            case "hang":
                self.close_connection = True
                self.rfile.read(1)
            case "drip":
                self.close_connection = True
                self.send_response(200)
                self.end_headers()
                for byte in png(256):
                    self.wfile.write(bytes([byte]))
                    time.sleep(0.1)
            case "huge":
                self.answer(png(256) + bytes(600_000))
            case "html":
                self.answer(b"<html>Please log in</html>", kind="text/html")
            case "large":
                self.answer(png(512))
            case "half":
                self.answer(png(256)[:200])
            case "cut":
                self.close_connection = True
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + png(256)[:200])
            case "error":
                self.answer(b"", 500)
            case _:
                self.answer(png(256))


if __name__ == "__main__":
    serve(Tiles)
