"""``stemma serve --open``."""

import os
import time
from pathlib import Path

import httpx

from patience import PATIENCE
from service import serving


def test_the_front_page_is_opened_in_a_browser_if_asked_for(
    example_store: str, tmp_path: Path
) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    environment = os.environ | {"BROWSER": str(browser)}
    with serving(example_store, "--open", env=environment) as service:
        deadline = time.monotonic() + PATIENCE
        while not opened.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert opened.read_text() == f"{service.url}/"
        assert f"{service.url}/" in service.written.read_text()


def test_without_a_screen_nothing_is_opened_and_all_is_well(
    example_store: str, tmp_path: Path
) -> None:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    with serving(example_store, "--open", env=environment) as service:
        assert httpx.get(f"{service.url}/health").status_code == 200
        assert "error" not in service.written.read_text().lower()
