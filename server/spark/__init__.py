"""Stemma on a cluster: the stages of a build as jobs of Apache Spark."""
