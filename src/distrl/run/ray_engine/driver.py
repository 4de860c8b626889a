"""Being a driver of a Ray cluster: joining it, leaving it, and calls to it that may hang."""

from __future__ import annotations

import atexit
import logging
import signal
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import ray

from distrl.config import RunConfig
from distrl.run.ray_cluster.access import Access
from distrl.run.ray_cluster.inventory import access_of
from distrl.run.ray_cluster.node import check_access

RAY_SECONDS = 10.0
"""Longest wait for Ray to kill an actor or to shut down. Both take milliseconds in a cluster that
answers, and never return in one whose head is gone."""
_log = logging.getLogger(__name__)


def join_cluster(config: RunConfig) -> Access:
    """Make this process a driver of the run's cluster; returns the access that was used.

    Raises ConfigError when no cluster answers there or the token is wrong.
    """
    access = access_of(config)
    # First: `ray.init` would only time out on what this says within seconds.
    check_access(access)
    with _signal_handlers_kept():
        ray.init(
            address=access.address,
            # A namespace per run: names of actors of two runs on one cluster never meet.
            namespace=f"distrl-{uuid.uuid4().hex[:8]}",
            log_to_driver=False,
            logging_level=logging.WARNING,
        )
    return access


def leave_cluster() -> None:
    """Stop being a driver; returns in time even if the cluster does not answer any more."""
    if not finishes_within(RAY_SECONDS, ray.shutdown):
        _log.warning("the cluster does not answer; it is left without a word")
        # Ray registered its shutdown to run at exit, where it would hang once more.
        atexit.unregister(ray.shutdown)


def finishes_within(seconds: float, call: Callable[[], object]) -> bool:
    """Make a call that may hang; returns whether it finished in time.

    A call that did not is left alone in a daemon thread, which does not keep the process alive.
    """
    thread = threading.Thread(target=call, name="ray", daemon=True)
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()


@contextmanager
def _signal_handlers_kept() -> Iterator[None]:
    """Keep this process's own handlers of SIGTERM and SIGINT while Ray starts.

    Ray installs handlers in C, below Python's, that abort a driver without closing anything. Python
    does not notice, so its handlers are installed once more.
    """
    # Python allows only the main thread to install handlers.
    in_main_thread = threading.current_thread() is threading.main_thread()
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        if in_main_thread and handler is not None:
            signal.signal(number, handler)
