"""Measurements of the dashboard, on synthetic runs, and screenshots of its pages."""
