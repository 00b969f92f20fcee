"""A server that does to its clients what they must survive. Prints its address, and answers by the path:

/ok /echo /status/N /slow /most /hang /drip /huge /bomb /heads /redirect?to=… /cut /notjson
"""
import json
import threading
import time
import urllib.parse
import zlib

from answering import Answering, serve

MEGABYTE = b"\0" * 1_000_000
GIGABYTE = 1_000


def bomb():
    """A gigabyte in gzip, a piece at a time: each block stands for the same megabyte."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = packer.compress(MEGABYTE) + packer.flush(zlib.Z_FULL_FLUSH)
    yield b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
    for _ in range(GIGABYTE):
        yield first


class Hostile(Answering):
    lock = threading.Lock()
    running = most = 0

    def answer(self, status=200, body=b"{}", kind="application/json", **headers):
        self.send(status, body, kind, **headers)

    def stream(self, pieces, pause=0.0, **headers):
        """Writes until the client has gone."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Connection", "close")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        for piece in pieces:
            self.wfile.write(piece)
            self.wfile.flush()
            time.sleep(pause)

    def do_POST(self):
        self.do_GET()

    def do_GET(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length).decode()
        url = urllib.parse.urlsplit(self.path)
        name, _, rest = url.path[1:].partition("/")
        match name:
            case "ok":
                self.answer()
            case "echo":
                said = {"method": self.command, "target": self.path, "headers": dict(self.headers), "body": body}
                self.answer(body=json.dumps(said).encode())
            case "status":
                self.answer(int(rest), b"{}", Retry_After="7")
            case "slow":
                with Hostile.lock:
                    Hostile.running += 1
                    Hostile.most = max(Hostile.most, Hostile.running)
                time.sleep(0.1)
                with Hostile.lock:
                    Hostile.running -= 1
                self.answer()
            case "most":
                self.answer(body=str(Hostile.most).encode())
            case "hang":
                self.close_connection = True
                self.rfile.read(1)
            case "drip":
                self.stream((b" " for _ in range(10_000)), pause=0.02)
            case "huge":
                self.stream(MEGABYTE for _ in range(GIGABYTE))
            case "bomb":
                self.stream(bomb(), Content_Encoding="gzip")
            case "heads":
                self.close_connection = True
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                for number in range(1_000_000):
                    self.wfile.write(b"X-Header-%d: %s\r\n" % (number, b"x" * 1000))
            case "redirect":
                self.answer(302, b"", Location=urllib.parse.parse_qs(url.query)["to"][0])
            case "cut":
                self.close_connection = True
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
            case "notjson":
                self.answer(body=b"<html>Please log in</html>", kind="text/html")
            case _:
                self.answer(404)


if __name__ == "__main__":
    serve(Hostile)
