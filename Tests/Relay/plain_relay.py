"""A relay that only fans text out in groups, small and slow: what `muster bench fanout --beside` is tested with.

    plain_relay.py --port PORT [--repeat]

A client says {"type":"join","group":N} and is told {"type":"joined"}; from then on each text message of its goes to the
others of its group as it is, with --repeat twice.
"""

import argparse
import asyncio
import base64
import hashlib
import json
import re

GROUPS = {}


async def read_message(reader):
    """Reads one masked frame of less than 64 KiB; None when it is not text."""
    first, second = await reader.readexactly(2)
    length = second & 0x7F
    if length == 126:
        length = int.from_bytes(await reader.readexactly(2), "big")
    mask = await reader.readexactly(4)
    body = await reader.readexactly(length)
    return bytes(byte ^ mask[index % 4] for index, byte in enumerate(body)) if first == 0x81 else None


def frame(body):
    """Makes one text frame of less than 64 KiB."""
    length = bytes([len(body)]) if len(body) < 126 else b"\x7e" + len(body).to_bytes(2, "big")
    return b"\x81" + length + body


async def serve(reader, writer, copies):
    """One client, from its handshake to its end."""
    members = None
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        key = re.search(rb"(?i)sec-websocket-key: *(\S+)", head)[1]
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
        )
        join = json.loads(await read_message(reader))
        members = GROUPS.setdefault(join["group"], set())
        members.add(writer)
        writer.write(frame(b'{"type":"joined"}'))
        while (message := await read_message(reader)) is not None:
            for member in members - {writer}:
                member.write(frame(message) * copies)
    except (asyncio.IncompleteReadError, ConnectionError, TypeError):
        pass  # gone, or nobody who speaks WebSocket
    finally:
        if members:
            members.discard(writer)
        writer.close()


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--repeat", action="store_true")
    options = parser.parse_args()
    copies = 2 if options.repeat else 1
    server = await asyncio.start_server(lambda r, w: serve(r, w, copies), "127.0.0.1", options.port)
    await server.serve_forever()


asyncio.run(main())
