"""Adds episodes until it is killed, and prints the id of each once it is acknowledged.

python adding.py FILE PREFIX [ID ...]      adds the given ids first, then PREFIX-thread-number
"""

from __future__ import annotations

import os
import sys
import threading
from itertools import count

from tests.contracts.store import DEADLINE, make_episode

from distrl.replay.store.sqlite import SqliteStore


def tell(episode_id: str) -> None:
    os.write(1, f"{episode_id}\n".encode())  # short enough to arrive as a whole or not at all


def add_for_ever(store: SqliteStore, prefix: str) -> None:
    for number in count():
        first, second = f"{prefix}-{number}a", f"{prefix}-{number}b"
        later = store.add_later(make_episode(first, seed=number, steps=3))
        store.add(make_episode(second, seed=number + 1, steps=2))
        tell(second)
        later.result(DEADLINE)
        tell(first)


def main() -> None:
    path, prefix, *again = sys.argv[1:]
    store = SqliteStore(path)
    for episode_id in again:
        store.add(make_episode(episode_id, seed=99))
        tell(episode_id)
    threads = [
        threading.Thread(target=add_for_ever, args=(store, f"{prefix}-{thread}"))
        for thread in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
