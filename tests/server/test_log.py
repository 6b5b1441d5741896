"""What a running server writes, whoever says it."""

import json
import sys

from command import run_program

PROGRAM = """
import logging.config, warnings
from stemma.server.http.log import log_config, log_python
from stemma.server.settings import LogFormat

logging.config.dictConfig(log_config(LogFormat.JSON, requests=True))
log_python()

class Stubborn:
    def __del__(self):
        raise ValueError("cannot be let go of")

warnings.warn("this will change", FutureWarning)
Stubborn()
"""


def test_what_python_says_is_logged_too():
    done = run_program(sys.executable, "-c", PROGRAM)
    warned, ignored = [json.loads(line) for line in done.stderr.splitlines()]
    assert "this will change" in warned["message"]
    assert "Stubborn.__del__" in ignored["message"]
    assert "cannot be let go of" in ignored["exception"]
    assert warned["level"] == ignored["level"] == "warning"
