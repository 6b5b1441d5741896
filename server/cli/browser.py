"""Opening a page in the user's browser, where there is one to look at."""

import os
import sys
import webbrowser
from contextlib import suppress
from threading import Thread

_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")


def open_in_browser(url: str) -> None:
    """Open `url` if this machine has a screen; nothing waits for it.

    Without a screen, Python would start a browser in the terminal.
    """
    if sys.platform in ("darwin", "win32") or any(map(os.environ.get, _SCREENS)):
        Thread(target=_open, args=(url,), daemon=True).start()


def _open(url: str) -> None:
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(url)
