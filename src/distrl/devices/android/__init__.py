"""Android phones and emulators over adb: the device, its safety rules, what dumpsys prints."""
