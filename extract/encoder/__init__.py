"""The trained part of extraction: a small language model, fine-tuned to read abstracts."""

import os

# Otherwise onnxruntime, as soon as it is imported, reports its use to its makers over the network,
# and leaves a file (.ses) in the folder for temporary files.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
