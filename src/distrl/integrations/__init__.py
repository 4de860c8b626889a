"""Our devices and tasks for other frameworks: OpenEnv, TRL, verifiers and MCP.

    messages.py       message -> action, observation -> message: once, for all of them
    play_session.py   one device that plays tasks of a suite, turn by turn

Each framework has a module or folder of its own, which imports the framework's package, an extra,
only when it is used.
"""
