"""The types of fixtures that read a text as a file: its papers and problems, or the only one."""

from collections.abc import Callable

from stemma.schema import Paper, Problem

Told = tuple[list[Paper], list[Problem]]
Read = Callable[..., Told]
OnePaper = Callable[..., Paper]
OneProblem = Callable[..., Problem]
