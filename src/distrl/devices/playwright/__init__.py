"""Pages that Playwright opened, for tasks that are written against Playwright.

PlaywrightDevice --ask(work)--> PlaywrightThread: the one thread that may touch its pages
                                     |  browser.py: Chromium, a context and the page in front
"""
