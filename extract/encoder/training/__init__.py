"""Training: from annotated papers and unlabelled abstracts to the model that is shipped.

It needs the libraries of the extra `train`, which reading papers does not, and to begin with a
pretrained encoder also those of the dependency group `model`.
"""
