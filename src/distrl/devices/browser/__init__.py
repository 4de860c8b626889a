"""Chromium pages as devices.

    BrowserDevice --calls with a deadline--> Chromium --one thread, one event loop--> pages
    (any thread)                             (one process of the browser for all pages)

`site` says what a page may load, and `interception` lets it load that alone. `page.js` runs inside
every page: it lists the elements, and lets the page's time pass only when something is done.
`launch` starts a browser on a pair of pipes, `protocol` speaks to it, `tabs` opens pages. `driver`
operates one page: `gestures` are its input events, `loading` is what it waits for, `drawing` has it
drawn. `chromium` starts the browser again when it has died, `device` is the Device.
"""
