"""Tasks of BrowserGym: set up, validated and torn down by themselves, on a page of Playwright."""
