"""Serves the embedded phone as an Android device: adb daemon, shell, programs and storage."""
