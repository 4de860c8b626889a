"""Environments that others serve over OpenEnv's protocol, played as a device of ours.

tasks.suite=openenv:URL --> OpenEnvEnv --> Connection --WebSocket--> the server
                                |  form.py: which of our actions the server's schema takes
                                |  view.py: what it shows, as a screen with elements
"""
