"""Experiments on the virtual engine: the paper's comparison, the ablation, and how it scales.

runs.py       many runs, two at a time, in processes of their own; those that are there stay
figures.py    pure: finals, intervals, times to reach, from the curves of runs
table.py      methods and modes                     distrl bench table
ablation.py   A-RIDE with a term off or changed     distrl bench ablation
scale.py      1 to 10,000 devices                   distrl bench scale
curves.py     success by time and by interactions, as a picture
page.py       how they are told                     distrl results write
              table_page.py, speed_page.py, telling.py: its longer sections, and what they share
"""
