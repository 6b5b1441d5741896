"""The trained part of extraction: a small language model, fine-tuned to read abstracts."""

import os

# Otherwise onnxruntime begins its telemetry as soon as it is imported, and leaves a file (.ses) in
# the folder for temporary files.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
