"""Stemma: the family tree of research."""
