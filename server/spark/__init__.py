"""Extraction on a cluster, as a job of Apache Spark."""

import warnings

# PySpark warns of versions of pandas, of which nothing is used here.
warnings.filterwarnings("ignore", message="PySpark does not yet", category=FutureWarning)
