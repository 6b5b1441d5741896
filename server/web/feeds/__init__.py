"""Feeds for feed readers, in Atom: the newest papers, each with its sentences."""
