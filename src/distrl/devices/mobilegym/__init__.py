"""MobileGym's simulated phone: a page with globals that act on it and say what state it is in.

__SIM_INPUT__    taps, swipes, keys
__OS__           back, home, apps
__SIM__          its state, and whether its data is there
"""
