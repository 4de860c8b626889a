"""Tasks on web pages: MiniWoB++, and any web app that a YAML file describes."""
