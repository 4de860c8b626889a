"""Score cards: what a policy reached, on what, and whether it holds when it is played again.

conditions.py   what is played: policy, suite, split, phones, seed     also read from a card
card.py         the card: its figures, and its JSON file
make.py         conditions --played--> card
page.py         card --> one HTML page
verify.py       card --its conditions are played again--> differences
"""
