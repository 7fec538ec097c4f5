"""What the statements share stands in `splitcrit.proofs.noise.flips`; this name goes when nothing imports it."""

from splitcrit.proofs.noise.flips import *  # noqa: F403
