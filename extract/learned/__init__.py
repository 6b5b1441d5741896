"""The trained part of the extraction: a small model, run with numpy, that weighs what rules say."""
