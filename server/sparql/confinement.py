"""Confinement of processes that answer untrusted clients, by the operating system."""

import ctypes
import errno
import platform
import resource
import signal
import sys

MEGABYTE = 1024 * 1024
_SET_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_LOAD, _EQUALS, _RETURN = 0x20, 0x15, 0x06
_CALL_OFFSET, _ARCHITECTURE_OFFSET = 0, 4
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_SOCKET_CALLS = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""By machine: its name in the kernel's audit (linux/audit.h), and the number of socket(2)."""


def limit_memory(megabytes: int) -> None:
    """Limit this process to `megabytes` of memory of its own, without core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes * MEGABYTE,) * 2)


def forbid_sockets() -> bool:
    """Forbid this process to open sockets; return whether the system can do that.

    A seccomp filter (Linux 3.5 and later, on x86-64 and ARM64) fails the system call, whoever makes
    it, and cannot be taken back. It needs no privilege.
    """
    machine = _SOCKET_CALLS.get(platform.machine())
    if sys.platform != "linux" or machine is None:
        return False
    architecture, call = machine
    steps = [
        _Step(_LOAD, 0, 0, _ARCHITECTURE_OFFSET),
        _Step(_EQUALS, 0, 2, architecture),  # calls of another machine's kind fail as well
        _Step(_LOAD, 0, 0, _CALL_OFFSET),
        _Step(_EQUALS, 0, 1, call),
        _Step(_RETURN, 0, 0, _FAIL | errno.EACCES),
        _Step(_RETURN, 0, 0, _ALLOW),
    ]
    program = _Program(len(steps), (_Step * len(steps))(*steps))
    system = ctypes.CDLL(None, use_errno=True)
    failed = system.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or system.prctl(
        _SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0
    )
    return not failed


def die_after(seconds: float) -> None:
    """End this process in `seconds`, whatever it is doing then; 0 cancels the timer."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)


class _Step(ctypes.Structure):
    """An instruction of a packet filter (linux/filter.h)."""

    _fields_ = [
        ("code", ctypes.c_ushort),
        ("if_true", ctypes.c_ubyte),
        ("if_false", ctypes.c_ubyte),
        ("value", ctypes.c_uint32),
    ]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.POINTER(_Step))]
