"""Chromium pages as devices.

    BrowserDevice --calls with a deadline--> Chromium --one thread, one event loop--> pages
    (any thread)                             (one process of the browser for all pages)

`site` says what a page may load, `page.js` runs inside every page: it lists the elements, and lets
the page's time pass only when something is done. `driver` speaks to one page, `chromium` starts
the browser and starts it again, `device` is the Device.
"""
