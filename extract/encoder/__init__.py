"""The trained part of extraction: a small language model, fine-tuned to read abstracts."""
