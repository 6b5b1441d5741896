"""Pacing: long answers go out piece by piece, and others get their turn between the pieces."""

import asyncio
from collections.abc import AsyncIterator, Mapping

from starlette.responses import Response, StreamingResponse

_PIECE = 64 * 1024


def paced(body: bytes, media_type: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response that is never compressed for long at a stretch."""
    if len(body) <= _PIECE:
        return Response(body, media_type=media_type, headers=headers)
    return StreamingResponse(_pieces(body), media_type=media_type, headers=headers)


async def _pieces(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), _PIECE):
        yield body[start : start + _PIECE]
        await asyncio.sleep(0)
