"""The options of a language model that reads papers as well."""

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemma.distribution import install
from stemma.server.cli.options import with_group
from stemma.server.cli.terminal import complain

if TYPE_CHECKING:
    from stemma.extract.language_model import Confidences, LanguageModel


def _confidences(text: str) -> "Confidences":
    from stemma.extract.language_model import Confidences  # noqa: PLC0415 - rarely needed

    try:
        return Confidences.read(Path(text))
    except OSError as error:
        raise typer.BadParameter(f"{text}: {error.strerror or error}") from error
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


OPTIONS = {
    "llm": Annotated[
        str | None,
        typer.Option(
            "--llm",
            metavar="URL",
            help="Also read all papers with a language model: the URL of an OpenAI-compatible API, "
            "such as http://localhost:11434/v1. It receives titles and abstracts; set its API key "
            "in STEMMA_LLM_KEY.",
        ),
    ],
    "model": Annotated[str | None, typer.Option("--model", help="The name of the model at --llm.")],
    "llm_requests": Annotated[
        int,
        typer.Option(
            "--llm-requests",
            min=1,
            max=256,
            help="Maximum number of concurrent requests to --llm.",
        ),
    ],
    "llm_timeout": Annotated[
        float,
        typer.Option("--llm-timeout", min=0.1, help="Timeout of a request to --llm, in seconds."),
    ],
    "llm_cache": Annotated[
        Path | None,
        typer.Option(
            "--llm-cache",
            dir_okay=False,
            help="A file that caches responses, so that no request is sent twice.",
            show_default="in the user's cache folder",
        ),
    ],
    "llm_confidence": Annotated[
        Any,
        typer.Option(
            "--llm-confidence",
            parser=_confidences,
            metavar="FILE",
            help="The confidence of the model's statements by relation: a file from `stemma "
            "evaluate --llm-calibrate`; by default 0.5.",
        ),
    ],
}
DEFAULTS = {"llm_requests": 4, "llm_timeout": 120.0}


def chosen_language_model(
    llm: str | None,
    model: str | None,
    llm_requests: int,
    llm_timeout: float,
    llm_cache: Path | None,
    llm_confidence: "Confidences | None",
) -> "LanguageModel | None":
    """Return the language model that the options name, if they do."""
    from stemma.extract import fetching, language_model  # noqa: PLC0415 - keeps --help quick

    if not llm and not model:
        return None
    if not llm or not model:
        raise typer.BadParameter("--llm URL and --model NAME go together")
    if not llm.startswith(("http://", "https://")):
        raise typer.BadParameter(f"{llm!r} is not an address that begins with http:// or https://")
    if not fetching.is_installed():
        complain(f"a language model needs httpx: {install('llm')}")
        raise typer.Exit(2)
    cache = llm_cache or language_model.default_cache()
    try:
        language_model.Answers(cache).close()
    except (sqlite3.Error, OSError) as error:
        raise typer.BadParameter(f"{cache}: {error}", param_hint="--llm-cache") from error
    confidences = llm_confidence or language_model.Confidences()
    return language_model.LanguageModel(llm, model, llm_requests, llm_timeout, cache, confidences)


with_language_model = with_group("language_model", OPTIONS, DEFAULTS, chosen_language_model)
"""Adds the options of a language model to a command, which gets a `language_model`."""
