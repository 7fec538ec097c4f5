"""What `samples` imports from here; splits of two classes stand in ``two_class``."""

from splitcrit.proofs.two_class import determinant as determinant
