"""A child that draws share pictures, as `muster-imaging` is started: each is a word, and one that says "deadly" anywhere ends it."""
import os
import socket
import struct

server = socket.socket(fileno=0)


def read(count):
    data = b""
    while len(data) < count:
        piece = server.recv(count - len(data))
        if not piece:
            os._exit(0)
        data += piece
    return data


while True:
    message = read(struct.unpack(">I", read(4))[0])
    if b"deadly" in message:
        os.abort()
    # The last bytes of a message without tiles are their number, and that of the parts of the street map.
    drawn = b"plain" if message[-2:] == b"\0\0" else b"on tiles"
    reply = bytes([0, 1]) + struct.pack(">III", 1200, 630, len(drawn)) + drawn
    server.sendall(struct.pack(">I", len(reply)) + reply)
