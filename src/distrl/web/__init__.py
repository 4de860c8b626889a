"""The dashboard: what runs did and do, as a page that reads their folders."""
