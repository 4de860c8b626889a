"""The pointer policy: small, multimodal, trained on a laptop."""
