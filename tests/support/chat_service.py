"""A stand-in for a server with a language model, which speaks OpenAI's protocol and can fail."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from time import sleep
from typing import Any

from local_server import local_server

Answerer = Callable[[str, str], str]
"""Makes an answer of a title and an abstract."""


def entities(*listed: tuple[str, str, str, str]) -> str:
    """Write an answer: names (divided by /), kind, relation and quote of each entity."""
    return json.dumps(
        {
            "entities": [
                {"names": names.split("/"), "kind": kind, "relation": relation, "quote": quote}
                for names, kind, relation, quote in listed
            ]
        }
    )


@dataclass
class ChatService:
    """What was asked, what is answered, and what goes wrong."""

    answer: Answerer = lambda title, abstract: entities()
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    """Statuses of the next answers; 0 stands for none within a second."""
    refuses_options: bool = False
    body: bytes | None = None
    """What is sent instead of any answer."""

    @property
    def titles(self) -> list[str]:
        return [title_of(each) for each in self.asked]


def title_of(request: dict[str, Any]) -> str:
    title: str = json.loads(request["messages"][-1]["content"])["title"]
    return title


class _Handler(BaseHTTPRequestHandler):
    state: ChatService

    def do_POST(self) -> None:
        state = self.state
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        state.asked.append(request)
        state.keys.append(self.headers.get("Authorization"))
        assert self.path == "/v1/chat/completions"
        if state.statuses and (status := state.statuses.pop(0)) != 200:
            if status:
                self._send(b"{}", status)
            else:
                sleep(1)
                self.close_connection = True
        elif state.refuses_options and "temperature" in request:
            self._send(b'{"error": {"message": "unknown field temperature"}}', 400)
        elif state.body is not None:
            self._send(state.body)
        else:
            texts = json.loads(request["messages"][-1]["content"])
            content = state.answer(texts["title"], texts["abstract"])
            usage = {"prompt_tokens": 900, "completion_tokens": 60}
            choice = {"message": {"role": "assistant", "content": content}}
            self._send(json.dumps({"choices": [choice], "usage": usage}).encode())

    def _send(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def chat_service() -> Iterator[ChatService]:
    """Serve on a free port as long as this is open."""
    state = ChatService()
    with local_server(_Handler, state) as url:
        state.url = f"{url}/v1"
        yield state
