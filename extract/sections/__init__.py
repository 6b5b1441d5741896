"""Sections: what a full text says beside its abstract, read in windows by the same pipeline."""
