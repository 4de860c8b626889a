"""Trained policies as files for other machines: ONNX, and merged language models."""
