"""What is behind `devices/adbd.py`: an embedded phone that answers as Android does."""
