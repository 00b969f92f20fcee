"""A provider of identities that answers as it is told. Prints its address.

`POST /set {"path", "code", "status", "body", "type", "headers", "mode"}` says how a path is answered from then on; the mode is
`hang` or `huge`, or absent. With a `code`, only forms with this code are answered so. `GET /log` tells what was asked: path, body,
and the headers in lower case.
"""
import json
import threading
import urllib.parse

from answering import Answering, serve


class State:
    lock = threading.Lock()
    log = []
    answers = {}


class Provider(Answering):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if self.path == "/set":
            order = json.loads(body)
            with State.lock:
                State.answers[order["path"], order.get("code")] = order
            return self.send(200, b"", "text/plain")
        self.answer(body)

    def do_GET(self):
        if self.path == "/log":
            with State.lock:
                return self.send(200, json.dumps(State.log).encode(), "application/json")
        self.answer("")

    def answer(self, body):
        path = urllib.parse.urlsplit(self.path).path
        with State.lock:
            headers = {name.lower(): value for name, value in self.headers.items()}
            State.log.append({"path": self.path, "body": body, "headers": headers})
            code = urllib.parse.parse_qs(body).get("code", [None])[0]
            order = State.answers.get((path, code)) or State.answers.get((path, None))
        if order is None:
            return self.send(404, b"{}", "application/json")
        match order.get("mode"):
            case "hang":
                self.close_connection = True
                self.rfile.read(1)
            case "huge":
                self.close_connection = True
                self.send_response(200)
                self.end_headers()
                for _ in range(10):
                    self.wfile.write(b" " * 1_000_000)
            case _:
                told = {name.replace("-", "_"): value for name, value in order.get("headers", {}).items()}
                self.send(order.get("status", 200), order["body"].encode(), order.get("type", "application/json"), **told)


if __name__ == "__main__":
    serve(Provider)
