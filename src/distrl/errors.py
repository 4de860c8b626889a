"""The exception tree. One type per boundary, each tells what was tried and what came back.

DistrlError
    ConfigError (ValueError)    the user can fix it; the message says how
    ActionError (ValueError)    an action that no device could carry out
    DeviceError                 the device did not do what it was asked
        DeviceLost              it will not answer again until it is healed
    TaskError                   a task's own set-up or check failed
    JudgeError                  a judge could not answer (not: the task failed)
    ServiceError                a model behind the network gave no answer that can be used
        BudgetSpent             it was not asked: the cap on costs would be passed
    StoreError                  an episode store, or what it holds, cannot be written or read
    WeightsError                published weights, or a checkpoint, are damaged
    ResourceError               the system refuses a file: no room, no permission, no such place
    PipelineError               a loop ended that should not have
"""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class DistrlError(Exception):
    """Root of all errors that this package raises on purpose."""


class ConfigError(DistrlError, ValueError):
    """The user asked for something that does not exist or does not fit."""


class ActionError(DistrlError, ValueError):
    """An action outside its range, such as a tap beyond the screen."""


class DeviceError(DistrlError):
    """A device did not do what it was asked."""


class DeviceLost(DeviceError):  # noqa: N818 - the name says what happened
    """A device that will not answer until somebody heals it."""


class TaskError(DistrlError):
    """A task's own set-up or check failed; not the policy's fault."""


class JudgeError(DistrlError):
    """A judge could not answer."""


class ServiceError(DistrlError):
    """A model behind the network gave no answer that can be used."""


class BudgetSpent(ServiceError):  # noqa: N818 - the name says what happened
    """A service was not asked, because the answer could cost more than is left."""


class StoreError(DistrlError):
    """An episode could not be made durable, or what is stored cannot be read."""


class WeightsError(DistrlError):
    """Published weights, or a checkpoint, are not what was written."""


class ResourceError(DistrlError):
    """The system refused to read or write a file: no room, no permission, no such place."""


class PipelineError(DistrlError):
    """A supervised loop ended while the run was still going."""


@contextmanager
def boundary(error: type[DistrlError], doing: str) -> Iterator[None]:
    """Whatever fails inside is reported as `error`, unless a nearer boundary has named it."""
    try:
        yield
    except DistrlError:
        raise
    except Exception as cause:
        raise error(f"{doing}: {cause!r}") from cause


_REFUSALS = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM),
        *(errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG),
        *(errno.ELOOP, errno.EMFILE, errno.ENFILE, errno.EIO),
    }
)
"""What the system says of files and disks. Errors of sockets and processes are not among them: who
calls those knows what they mean, and what is left is a bug."""


def user_message(error: BaseException) -> str | None:
    """What to tell a user who can do something about an error; None for what may be a bug of ours.

    For errors of files it is the system's reason and the file.
    """
    if isinstance(error, ConfigError | StoreError | WeightsError | ResourceError):
        return str(error)
    if isinstance(error, OSError) and error.errno in _REFUSALS:
        where = "" if error.filename is None else f"{error.filename}: "
        return f"{where}{error.strerror or error}"
    return None


def unknown_name(what: str, received: object, allowed: Iterable[str]) -> ConfigError:
    """Make the error for a name that is not among `allowed`, with the nearest right one."""
    names = sorted(allowed)
    # Without the dashes of options, which would make every two of them alike.
    plain = {name.lower().lstrip("-"): name for name in reversed(names)}
    near = difflib.get_close_matches(str(received).lower().lstrip("-"), plain, n=1, cutoff=0.5)
    hint = f"; did you mean {plain[near[0]]!r}?" if near else ""
    listed = ", ".join(names) if names else "none"
    return ConfigError(f"unknown {what} {received!r}{hint} (allowed: {listed})")
