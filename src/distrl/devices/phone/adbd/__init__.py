"""What is behind `devices/phone/adbd/daemon.py`: an embedded phone that answers as Android does."""
