"""What a browser complains of, and whom it asks."""

from playwright.sync_api import Page

ABORTED = "net::ERR_ABORTED"
"""What is no longer needed when one goes on: suggestions, and the icon of the last page."""


def watched(page: Page, *own: str) -> list[str]:
    """Return a list that grows by complaints, and by addresses that do not begin with `own`."""
    noticed: list[str] = []
    page.on("pageerror", lambda error: noticed.append(str(error)))
    page.on("console", lambda said: noticed.append(said.text))
    page.on("requestfailed", lambda r: None if r.failure == ABORTED else noticed.append(r.url))
    page.on(
        "request",
        lambda r: None if r.url.startswith((*own, "data:", "blob:")) else noticed.append(r.url),
    )
    return noticed
