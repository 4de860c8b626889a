"""MobileGym played by us and by its own runner: the same actions, speeds and verdicts side by side.

recordings.py    what is done in an episode, chosen on our page
own_runner.py    the same in its own environment, judged by its own runner
measure.py       both, and what is compared
"""
