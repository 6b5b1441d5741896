"""Stemma on a cluster: the stages of a build as jobs of Apache Spark."""

import warnings

# PySpark warns of versions of pandas, of which nothing is used here.
warnings.filterwarnings("ignore", message="PySpark does not yet", category=FutureWarning)
