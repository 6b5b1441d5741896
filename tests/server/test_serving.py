"""``stemma serve --open``."""

import os
import time
from pathlib import Path

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
