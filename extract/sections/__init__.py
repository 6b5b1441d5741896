"""Sections: what a full text says besides its abstract, read in windows by the same pipeline."""
