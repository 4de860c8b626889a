"""`distrl play`: a suite's device in a browser page, for a person and for policies.

    browser --POST /api/do--> app --> Session: one thread owns the device and plays episodes on it
    browser <--server-sent events-- app <--Snapshot-- Session

`serve.play` is the whole of it as one call; `session` knows nothing of HTTP.
"""
