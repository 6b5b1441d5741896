"""Webhooks: what builds changed, posted to an address, signed as GitHub signs its webhooks.

See https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries.
"""

import hmac
import json
import os
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from typing import Any

from stemma.graph import Reader
from stemma.graph.added_edges import edges_added
from stemma.graph.history import Build
from stemma.server.presentation.builds import build_json

SECRET = "STEMMA_WEBHOOK_SECRET"
"""The environment variable with the secret of the signatures; without it, nothing is signed."""
_MOST = 500
"""Papers, entities and edges of a build that are listed: all that a graph remembers of one."""


class WebhookError(Exception):
    """What builds changed could not be delivered; the message says why."""


def payload(reader: Reader, builds: Iterable[Build]) -> dict[str, Any]:
    """Return what is posted: the builds as `stemma changes --format json` prints them."""
    listed = list(builds)
    edges = edges_added(reader, listed, _MOST)
    return {"builds": [build_json(each, edges, _MOST) for each in listed]}


def deliver(url: str, content: dict[str, Any]) -> None:
    """Post JSON to an address, at most five times until it is accepted. Raises WebhookError."""
    from stemma.extract.fetching.client import (  # noqa: PLC0415 - needs httpx
        Client,
        RefusedError,
        UnavailableError,
        host,
    )

    body = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
    headers = {
        "Content-Type": "application/json",
        "X-Stemma-Event": "build",
        # The same content has the same id: a receiver can recognise a repeated delivery.
        "X-Stemma-Delivery": sha256(body).hexdigest()[:32],
    }
    if secret := os.environ.get(SECRET):
        digest = hmac.new(secret.encode(), body, sha256).hexdigest()
        headers["X-Stemma-Signature-256"] = f"sha256={digest}"
    with closing(Client(0.0, None, {})) as client:
        try:
            client.ask(url, lambda answer: None, content=body, headers=headers)
        except (RefusedError, UnavailableError) as error:
            # An address may be a secret: it is enough to send something there.
            raise WebhookError(f"the webhook at {host(url)} was not delivered: {error}") from error
