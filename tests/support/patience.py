"""How long tests wait for what has to come.

Long enough for a machine that stands still for seconds, as shared ones do: what is quick is a
question for benchmarks. These bounds are there so that a test of something that hangs ends.
"""

PATIENCE = 60.0
"""Seconds for what takes less than one on a quiet machine."""
