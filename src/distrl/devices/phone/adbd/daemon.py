"""The embedded phone served as an Android device: `adb connect` finds it, and cannot tell.

This is the adb protocol from the device's side, over TCP. Every packet is 24 bytes and a payload:

    command, first, second, length, sum of the payload's bytes, command ^ 0xffffffff

    host -> CNXN version, largest payload, "host::features=..."
    AUTH token <- device                               only where keys are asked for
    host -> AUTH signature                             once for each key it has
    host -> AUTH public key                            it has no other: the phone stays unauthorised
    CNXN version, largest payload, "device::..." <- device
    host -> OPEN its id, 0, "shell,v2,raw:wm size"     one stream for each service
    OKAY our id, its id <- device
    WRTE, and OKAY from the other side before the next WRTE of the stream; CLSE ends it

One thread reads a connection, one more serves each open stream. A stream has one packet under way
in each direction, which is all the flow control there is: whoever is slow holds nobody else up.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import secrets
import socket
import struct
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from distrl.devices.phone.adbd import properties, sync
from distrl.devices.phone.adbd.keys import TOKEN_BYTES, PublicKey
from distrl.devices.phone.adbd.shell import Result, Session
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.errors import ConfigError, DeviceError

_HEADER = struct.Struct("<6I")
_CNXN, _AUTH, _OPEN, _OKAY, _CLSE, _WRTE = (
    int.from_bytes(name, "little")
    for name in (b"CNXN", b"AUTH", b"OPEN", b"OKAY", b"CLSE", b"WRTE")
)
_TOKEN, _SIGNATURE, _PUBLIC_KEY = 1, 2, 3
_VERSION = 0x01000001
"""The first version whose packets need no checksum; older hosts still get one."""
# The largest payload that adb itself uses: a longer length means that this is not adb.
_MAX_PAYLOAD = 2**20
# These bound the memory and threads that one client can take; a client of ours uses one
# connection with a few streams.
_MAX_STDIN_BYTES = 64 * 2**20
_MAX_STREAMS = 64
_MAX_CONNECTIONS = 16
# Far above any deadline of a client: only streams whose client is gone ever wait this long.
_STREAM_SECONDS = 300.0
"""How long a stream waits for the other side before it gives up."""
# Threads end as soon as their sockets are shut down; they are daemons, so none blocks the exit.
_JOIN_SECONDS = 5.0
# `accept` fails while the process is out of file descriptors; retrying at once would spin.
_ACCEPT_RETRY_SECONDS = 0.1
_STDIN, _STDOUT, _STDERR, _EXIT, _CLOSE_STDIN = range(5)

_log = logging.getLogger(__name__)


class _Ended(Exception):  # noqa: N818 - the other side may close a stream at any time
    """The stream or the connection is over."""


@dataclass(frozen=True, slots=True)
class Packet:
    """One message of the protocol."""

    command: int
    first: int
    second: int
    payload: bytes = b""

    def packed(self, *, checked: bool) -> bytes:
        """The bytes on the wire, with the sum that older hosts want."""
        check = sum(self.payload) & 0xFFFFFFFF if checked else 0
        sizes = (len(self.payload), check, self.command ^ 0xFFFFFFFF)
        return _HEADER.pack(self.command, self.first, self.second, *sizes) + self.payload


class AdbDaemon:
    """Listens for adb, and serves one phone to whoever may connect."""

    def __init__(
        self,
        system: AndroidSystem,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        keys: Sequence[PublicKey] | None = None,
        boot_seconds: float = 0.5,
    ) -> None:
        """Listen at once; port 0 takes a free one. With `keys`, only their owners may connect."""
        self.system, self.keys = system, keys
        self._boot_seconds, self._booted = boot_seconds, 0.0
        try:
            self._socket = socket.create_server((host, port))
        except (OSError, OverflowError) as error:
            raise ConfigError(f"cannot listen on {host}:{port}: {error}") from error
        self.host, self.port = host, int(self._socket.getsockname()[1])
        self._lock = threading.Lock()
        self._connections: set[_Connection] = set()
        self._closed = False
        system.on_reboot = self.reboot
        self._thread = threading.Thread(target=self._accept, name=f"adbd-{self.port}", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """What to hand to `adb connect`; also the serial that adb knows the phone by."""
        return f"{self.host}:{self.port}"

    def reboot(self) -> None:
        """Drop all connections, and take none until the phone has started again."""
        self._booted = time.monotonic() + self._boot_seconds
        self.drop()

    def drop(self) -> None:
        """End all connections, as a pulled cable does."""
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            connection.close()

    def close(self) -> None:
        """Stop listening, end all connections and wait for their threads."""
        self._closed = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        with self._lock:
            connections = list(self._connections)
        self.drop()
        self._thread.join(_JOIN_SECONDS)
        for connection in connections:
            connection.join(_JOIN_SECONDS)

    def _accept(self) -> None:
        while not self._closed:
            try:
                taken, _ = self._socket.accept()
            except OSError as error:
                if self._closed:
                    return
                _log.warning("%s cannot take a connection: %s", self.address, error)
                time.sleep(_ACCEPT_RETRY_SECONDS)  # until others have closed some files
                continue
            with self._lock:
                busy = len(self._connections) >= _MAX_CONNECTIONS
            if busy or time.monotonic() < self._booted:
                taken.close()
                continue
            connection = _Connection(taken, self)
            with self._lock:
                self._connections.add(connection)
            connection.start()

    def forget(self, connection: _Connection) -> None:
        """A connection is over."""
        with self._lock:
            self._connections.discard(connection)


class _Connection:
    """One adb server that has connected."""

    def __init__(self, taken: socket.socket, daemon: AdbDaemon) -> None:
        # Packets are small and answered one by one, which Nagle's algorithm would delay.
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket, self._daemon = taken, daemon
        self.system = daemon.system
        # Streams write from their own threads: a packet must not be cut into by another.
        self._writing = threading.Lock()
        self._streams: dict[int, Stream] = {}
        self._next = 0
        self._token = b""
        self._greeted = False
        self._checked = True
        self.largest = 4096  # what every version of adb accepts, until the host has said more
        self._thread = threading.Thread(target=self._run, name="adbd-connection", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def join(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        for thread in (self._thread, *(stream.thread for stream in self._all_streams())):
            thread.join(max(0.0, deadline - time.monotonic()))

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def send(self, packet: Packet) -> None:
        try:
            with self._writing:
                self._socket.sendall(packet.packed(checked=self._checked))
        except OSError as error:
            raise _Ended(str(error)) from error

    def _run(self) -> None:
        try:
            while True:
                self._handle(self._read())
        except _Ended as ended:
            _log.debug("connection to %s ended: %s", self._daemon.address, ended)
        finally:
            for stream in self._all_streams():
                stream.end()
            self._socket.close()
            self._daemon.forget(self)

    def _all_streams(self) -> list[Stream]:
        return list(self._streams.values())

    def _read(self) -> Packet:
        command, first, second, length, _, magic = _HEADER.unpack(self._exactly(_HEADER.size))
        if magic != command ^ 0xFFFFFFFF or length > _MAX_PAYLOAD:
            raise _Ended(f"not a packet of adb: {command:#x}, {length} bytes")
        return Packet(command, first, second, self._exactly(length))

    def _exactly(self, count: int) -> bytes:
        found = bytearray()
        while len(found) < count:
            try:
                piece = self._socket.recv(count - len(found))
            except OSError as error:
                raise _Ended(str(error)) from error
            if not piece:
                raise _Ended("the other side closed it")
            found += piece
        return bytes(found)

    def _handle(self, packet: Packet) -> None:
        if self.system.injected_faults.hung:
            return  # read and dropped: the connection stays open, as that of a phone that hangs
        if packet.command == _CNXN:
            self._greet(packet)
        elif packet.command == _AUTH:
            self._authenticate(packet)
        elif not self._greeted:
            raise _Ended("it was not authorised yet")
        elif packet.command == _OPEN:
            self._open(packet)
        else:
            self._forward(packet)

    def _greet(self, packet: Packet) -> None:
        self.largest = max(1024, min(_MAX_PAYLOAD, packet.second))
        self._checked = packet.first < _VERSION
        if self.system.injected_faults.offline:
            return
        if self._daemon.keys is None and not self.system.injected_faults.unauthorised:
            self._welcome()
        else:
            self._challenge()

    def _challenge(self) -> None:
        self._token = secrets.token_bytes(TOKEN_BYTES)
        self.send(Packet(_AUTH, _TOKEN, 0, self._token))

    def _authenticate(self, packet: Packet) -> None:
        if packet.first == _PUBLIC_KEY:
            # Here a real phone asks its owner. Nobody is there to ask, so it stays as it is.
            _log.warning("%s refused a key that is not allowed", self._daemon.address)
            return
        keys = () if self.system.injected_faults.unauthorised else self._daemon.keys or ()
        # A token is used once: a signature that was overheard is useless afterwards.
        token, self._token = self._token, b""
        if packet.first == _SIGNATURE and any(k.signed(token, packet.payload) for k in keys):
            self._welcome()
        else:
            self._challenge()

    def _welcome(self) -> None:
        self._greeted = True
        known = properties.properties(self.system.state, self.system.shown_serial)
        banner = "".join(
            f"{name}={known[name]};"
            for name in ("ro.product.name", "ro.product.model", "ro.product.device")
        )
        text = f"device::{banner}features=shell_v2,cmd"
        self.send(Packet(_CNXN, _VERSION, _MAX_PAYLOAD, text.encode()))

    def _open(self, packet: Packet) -> None:
        name = packet.payload.rstrip(b"\0").decode("utf-8", "surrogateescape")
        serve = find_service(name)
        if serve is None or len(self._streams) >= _MAX_STREAMS:
            self.send(Packet(_CLSE, 0, packet.first))
            return
        self._next += 1
        stream = Stream(self, self._next, packet.first, serve)
        self._streams[stream.id] = stream
        self.send(Packet(_OKAY, stream.id, packet.first))
        stream.thread.start()

    def _forward(self, packet: Packet) -> None:
        stream = self._streams.get(packet.second)
        if stream is None:
            if packet.command == _WRTE:
                self.send(Packet(_CLSE, 0, packet.first))
        elif packet.command == _CLSE:
            stream.end()
        else:
            stream.on_packet(packet)

    def finished(self, stream: Stream) -> None:
        """A stream is over; the other side is told."""
        self._streams.pop(stream.id, None)
        with contextlib.suppress(_Ended):
            self.send(Packet(_CLSE, stream.id, stream.peer))


class Stream:
    """One service that runs for the other side. Its own thread reads and writes it."""

    def __init__(self, connection: _Connection, own: int, peer: int, serve: Service) -> None:
        """Number the stream; `serve` runs when the thread is started."""
        self.id, self.peer = own, peer
        self.system = connection.system
        self._connection, self._serve = connection, serve
        # Unbounded, yet holds one packet at most: adb sends the next after our OKAY only.
        self._arrived: queue.Queue[bytes | None] = queue.Queue()
        self._ready = threading.Semaphore(0)
        self._over = False
        self._kept = b""
        self.thread = threading.Thread(target=self._run, name="adbd-stream", daemon=True)

    def on_packet(self, packet: Packet) -> None:
        """Take what the other side sent."""
        if packet.command == _WRTE:
            self._arrived.put(packet.payload)
        elif packet.command == _OKAY:
            self._ready.release()

    def end(self) -> None:
        """The other side has closed it."""
        # In this order: whoever is woken below has to see that the stream is over.
        self._over = True
        self._arrived.put(None)
        self._ready.release()

    def read(self) -> bytes:
        """What comes next; empty when the other side has closed it."""
        try:
            piece = self._arrived.get(timeout=_STREAM_SECONDS)
        except queue.Empty:
            raise _Ended("nothing more arrived") from None
        if piece is None:
            return b""
        self._connection.send(Packet(_OKAY, self.id, self.peer))
        return piece

    def exactly(self, count: int) -> bytes:
        """So many bytes; raises when the stream ends before."""
        while len(self._kept) < count:
            piece = self.read()
            if not piece:
                raise _Ended("the stream ended in the middle")
            self._kept += piece
        found, self._kept = self._kept[:count], self._kept[count:]
        return found

    def write(self, content: bytes) -> None:
        """Send, a packet at a time, each when the one before has been taken."""
        for start in range(0, len(content), self._connection.largest):
            piece = content[start : start + self._connection.largest]
            self._connection.send(Packet(_WRTE, self.id, self.peer, piece))
            if not self._ready.acquire(timeout=_STREAM_SECONDS) or self._over:
                raise _Ended("the other side takes nothing more")

    def _run(self) -> None:
        try:
            self._serve(self)
        except _Ended as ended:
            _log.debug("stream %d ended: %s", self.id, ended)
        finally:
            self._connection.finished(self)


Service = Callable[[Stream], None]


def find_service(name: str) -> Service | None:
    """What runs for a name that a host opens; None when the phone has no such service."""
    kind, _, rest = name.partition(":")
    kind, *options = kind.split(",")
    if kind == "shell":
        if "v2" in options:
            return lambda stream: _shell_v2(stream, rest)
        return lambda stream: _shell_v1(stream, rest)
    if kind == "exec":
        return lambda stream: _run_line(stream, rest, Session(_Stdin(stream).rest))
    if kind == "sync":
        return lambda stream: sync.serve(stream, stream.system.storage)
    if kind == "reboot":
        return lambda stream: stream.system.reboot()
    return None


class _Stdin:
    """What the other side sends to the programs of a stream, read when one of them wants it."""

    def __init__(self, stream: Stream, *, packed: bool = False) -> None:
        """Read a stream as it comes, or packed as shell v2 does, which can say where it ends."""
        self._stream, self._packed = stream, packed
        self._over = False

    def rest(self) -> bytes:
        """All that is still to come."""
        found = bytearray()
        while piece := self._piece():
            found += piece
            if len(found) > _MAX_STDIN_BYTES:
                raise DeviceError(f"a program can be sent {_MAX_STDIN_BYTES} bytes, and no more")
        return bytes(found)

    def line(self) -> str | None:
        """What was typed until Enter; None at the end of it all."""
        typed = b""
        while not typed.endswith((b"\n", b"\r")) and (piece := self._piece()):
            if piece in (b"\x03", b"\x04"):
                return None
            typed += piece
        return typed.decode("utf-8", "surrogateescape").replace("\r", "\n") if typed else None

    def _piece(self) -> bytes:
        """What comes next; empty at the end, and ever after."""
        piece = b""
        if not self._over:
            # Whoever goes away in the middle has said all that they will say.
            with contextlib.suppress(_Ended):
                piece = self._unpacked() if self._packed else self._stream.read()
        self._over = not piece
        return piece

    def _unpacked(self) -> bytes:
        while True:
            number, length = struct.unpack("<BI", self._stream.exactly(5))
            if length > _MAX_PAYLOAD:
                raise _Ended(f"not a packet of the shell: {length} bytes")
            content = self._stream.exactly(length)
            if number == _CLOSE_STDIN or (number == _STDIN and content):
                return content if number == _STDIN else b""


def _run_line(stream: Stream, line: str, session: Session) -> None:
    """Both streams as one, as they are without shell v2."""
    result = stream.system.run(line, session)
    stream.write(result.stdout + result.stderr)


def _shell_v1(stream: Stream, line: str) -> None:
    """A line without an exit code; without a line, one line after the other."""
    stdin = _Stdin(stream)
    session = Session(stdin.rest)
    if line:
        _run_line(stream, line, session)
        return
    while not session.over and (given := stdin.line()) is not None:
        _run_line(stream, given, session)


def _shell_v2(stream: Stream, line: str) -> None:
    """Each stream on its own, and the exit code at the end."""
    stdin = _Stdin(stream, packed=True)
    session = Session(stdin.rest)
    if line:
        _write_result(stream, stream.system.run(line, session))
    else:
        while not session.over and (given := stdin.line()) is not None:
            _write_result(stream, stream.system.run(given, session))
    stream.write(struct.pack("<BIB", _EXIT, 1, session.code))


def _write_result(stream: Stream, result: Result) -> None:
    for number, content in ((_STDOUT, result.stdout), (_STDERR, result.stderr)):
        if content:
            stream.write(struct.pack("<BI", number, len(content)) + content)
