"""The proofs wing: the statements of the five papers, settled on the library's own functions.

One module per paper holds its statements, as a list ``THEOREMS``; ``ledger`` collects, settles and prints them.
Importing this package imports nothing heavy.
"""
