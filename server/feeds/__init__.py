"""Feeds for feed readers, Atom and JSON Feed: the newest papers, each with its sentences."""
