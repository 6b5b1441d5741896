"""Training: from annotated papers and unlabelled abstracts to the model that is shipped.

It needs the libraries of the dependency group `model`, which reading papers does not.
"""
