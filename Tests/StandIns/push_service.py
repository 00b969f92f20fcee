"""The push service of a browser, with the browser's keys: what it receives, it opens with the libraries that others use.

GET /subscribe/NAME             a subscription, as a browser gives it to its page
POST /push/NAME                 the endpoint: checks the signature and the headers, and opens the message
POST /hook/NAME                 a webhook or a gateway: keeps headers and body
GET /received/NAME              what came there, in order
GET /answers/NAME/S,S,…         the next answers there: statuses, or `hang`; afterwards 201
GET /half/NAME                  every second answer there is 503 from now on
"""
import base64
import json
import os
import threading
import time

import http_ece
from answering import Answering, serve
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Place:
    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        self.received = []
        self.answers = []
        self.is_flaky = False
        self.count = 0

    @property
    def public(self):
        return self.key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


class PushService(Answering):
    lock = threading.Lock()
    places = {}

    def place(self, name):
        with self.lock:
            return self.places.setdefault(name, Place())

    def json(self, value, status=200):
        self.send(status, json.dumps(value).encode(), "application/json")

    def signer(self):
        """The claims of a request's signature, after its check (RFC 8292)."""
        scheme, _, rest = self.headers["Authorization"].partition(" ")
        assert scheme == "vapid"
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        head, claims, signature = parts["t"].split(".")
        raw = decoded(signature)
        assert len(raw) == 64 and json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
        pair = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
        key.verify(pair, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        said = json.loads(decoded(claims))
        assert said["aud"] == f"http://{self.headers['Host']}" and time.time() < said["exp"] <= time.time() + 86_400
        return said | {"key": parts["k"]}

    def do_GET(self):
        kind, name, *rest = self.path[1:].split("/")
        place = self.place(name)
        match kind:
            case "subscribe":
                endpoint = f"http://{self.headers['Host']}/push/{name}"
                self.json({"endpoint": endpoint, "expirationTime": None, "keys": {"p256dh": encoded(place.public), "auth": encoded(place.secret)}})
            case "received":
                self.json(place.received)
            case "answers":
                place.answers = rest[0].split(",")
                self.json({})
            case "half":
                place.is_flaky = True
                self.json({})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kind, name = self.path[1:].split("/")[:2]
        place = self.place(name)
        headers = {key.lower(): value for key, value in self.headers.items()}
        if kind == "hook":
            place.received.append({"headers": headers, "body": body.decode()})
        else:
            try:
                claims = self.signer()
                assert headers["content-encoding"] == "aes128gcm" and 0 < len(headers["topic"]) <= 32
                text = http_ece.decrypt(body, private_key=place.key, auth_secret=place.secret, version="aes128gcm")
            except (AssertionError, InvalidSignature, KeyError, ValueError, http_ece.ECEException) as problem:
                place.received.append({"problem": repr(problem)})
                return self.json({}, 400)
            place.received.append({"headers": headers, "claims": claims, "message": json.loads(text), "length": len(body)})
        with self.lock:
            place.count += 1
            answer = place.answers.pop(0) if place.answers else "503" if place.is_flaky and place.count % 2 else "201"
        if answer == "hang":
            time.sleep(60)
            return None
        if answer == "reject":
            key = json.loads(body)["notification"]["devices"][0]["pushkey"]
            return self.json({"rejected": [key]})
        status, _, retry = answer.partition(":")
        self.send(int(status), b"{}", "application/json", **({"Retry_After": retry} if retry else {}))


serve(PushService)
