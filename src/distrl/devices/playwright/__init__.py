"""Pages that Playwright opened, for tasks that are written against Playwright.

PlaywrightDevice --ask(work)--> WorkerThread: the one that may touch its pages
                                 |  browser.py: Chromium, a context and the page in front
"""
