"""Judges beside a run: the judging hook, verdicts, audits, and adversarial episodes."""
