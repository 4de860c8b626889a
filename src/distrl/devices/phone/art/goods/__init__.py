"""The drawings behind the product pictures, in units of 100 across."""
