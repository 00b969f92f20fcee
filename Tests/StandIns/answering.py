"""What the servers have in common that stand in for those elsewhere: they answer, outlive their clients, and print their address."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Answering(BaseHTTPRequestHandler):
    """A connection that stays open, and says nothing of what it does."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except OSError:
            self.close_connection = True

    def send(self, status, body, kind, **headers):
        """Answers in one piece; `_` in the name of a header stands for `-`."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *where):
        # A client that disconnects is no error.
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(*where)


def serve(handler):
    """Listens on a free port for ever."""
    server = Server(("127.0.0.1", 0), handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.exit(server.serve_forever())
