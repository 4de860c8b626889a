"""The stand-in for a checkout of MobileGym, importable and served."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from distrl.tasks.mobilegym.suite import URL_VARIABLE
from distrl.tasks.suites import load_suite

CHECKOUT = Path(__file__).with_name("checkout")
SUITE = f"mobilegym:{CHECKOUT}"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def forget_checkout() -> None:
    """As if nobody had imported a checkout."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "bench_env"]:
        del sys.modules[name]
    sys.path[:] = [path for path in sys.path if not (Path(path) / "bench_env").is_dir()]
    load_suite.cache_clear()


@pytest.fixture
def checkout() -> Iterator[Path]:
    """Its folder; forgotten afterwards."""
    forget_checkout()
    yield CHECKOUT
    forget_checkout()


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """The address of its page."""
    handler = partial(_Quiet, directory=str(CHECKOUT))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with pytest.MonkeyPatch.context() as patch:
        address = f"http://127.0.0.1:{server.server_port}"
        patch.setenv(URL_VARIABLE, address)
        yield address
    server.shutdown()
    server.server_close()
