"""x."""

THEOREMS = []
ERRATA = []
