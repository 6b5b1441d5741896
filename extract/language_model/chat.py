"""A client of servers that speak OpenAI's chat completions: vLLM, llama.cpp, Ollama and others.

The protocol: https://platform.openai.com/docs/api-reference/chat
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from stemma.extract.fetching.client import Client, RefusedError
from stemma.extract.language_model.answers import Answer
from stemma.extract.language_model.prompt import SCHEMA

_ATTEMPTS = 3
_MOST_TOKENS = 4096
_OPTIONS: Mapping[str, object] = {
    "temperature": 0,
    "seed": 0,
    "max_tokens": _MOST_TOKENS,
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "entities", "schema": SCHEMA, "strict": True},
    },
}
"""The same answer each time, and in the form that is asked for: not every server knows these."""


class Chat:
    """Asks one model. May be used by several threads."""

    def __init__(self, url: str, model: str, key: str | None, seconds: float) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = Client(0.0, None, headers, seconds=seconds, attempts=_ATTEMPTS)
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._model = model
        self._options = _OPTIONS

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask(self, messages: Sequence[Mapping[str, str]]) -> Answer:
        """Return the model's answer.

        Raises RefusedError for this question, UnavailableError if the server does not answer.
        """
        request = {"model": self._model, "messages": messages}
        options = self._options
        try:
            return self._client.ask(self._url, _answer, json={**request, **options})
        except RefusedError:
            if not options:
                raise
        answer = self._client.ask(self._url, _answer, json=request)
        self._options = {}  # It was the options that this server refused.
        return answer


def _answer(body: bytes) -> Answer:
    """Read an answer. Raises ValueError if it is invalid."""
    try:
        data = json.loads(body)
        content = data["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise ValueError("the answer is not a chat completion") from error
    if not isinstance(content, str):
        raise ValueError("the answer has no text")
    usage = data.get("usage")
    return Answer(content, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _count(usage: Any, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and 0 <= value < 1 << 40 else 0
