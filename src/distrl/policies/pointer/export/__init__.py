"""The pointer as ONNX files, for machines without torch: its network and its text encoder."""
