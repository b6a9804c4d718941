"""Clients that never finish: slow.py PORT.  Exits with 0 when the collector closes all of them."""
import select
import socket
import sys
import time

port = int(sys.argv[1])
HEAD = b"PUT /logs/" + b"0" * 64 + b" HTTP/1.1\r\nHost: x\r\n"
KINDS = [
    (b"", False),  # says nothing
    (HEAD, False),  # half a head
    (HEAD + b"Content-Length: 1000\r\n\r\nabc", False),  # half a body
    (HEAD, True),  # a byte of the head now and then
    (HEAD + b"Content-Length: 100000\r\n\r\n", True),  # the same with the body
]
open_ones = []
for text, drips in KINDS * 4:
    s = socket.create_connection(("127.0.0.1", port))
    s.sendall(text)
    open_ones.append((s, drips))
end = time.time() + 120
while open_ones and time.time() < end:
    time.sleep(0.2)
    left = []
    for s, drips in open_ones:
        try:
            if drips:
                s.sendall(b"a")
            ready, _, _ = select.select([s], [], [], 0)
            if ready and not s.recv(4096):
                s.close()
                continue
        except OSError:
            s.close()
            continue
        left.append((s, drips))
    open_ones = left
sys.exit(1 if open_ones else 0)
