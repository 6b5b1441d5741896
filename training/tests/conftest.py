"""Tests run in parallel themselves: PyTorch takes one processor for each."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
