"""Benchmarks of Android devices: what adb costs, which faults are told apart, what dumps hold."""
