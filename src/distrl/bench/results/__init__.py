"""The figures that the project reports: planned, made and written down.

    plan.py      which rows there are                     groups and seeds -> planned rows
    make.py      how a row is made                        planned row -> result, in a JSON file
    record.py    what a row's file holds                  result <-> JSON
    page.py      how they are told                        results -> Markdown

Every number on the page comes from a file, and every file from `distrl results run`.
"""
