"""What Spark starts processes of Python from on this machine: each has Stemma loaded already.

Loading it takes longer than most tasks do. And after each task Spark looks for garbage among all
that a process holds, which takes as long again: what was there before its first task is left out.
"""

import gc
from importlib import import_module

from pyspark.daemon import manager

if __name__ == "__main__":
    import_module("stemma.server.spark.extracting")
    gc.freeze()
    manager()
