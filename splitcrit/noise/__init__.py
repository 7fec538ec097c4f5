"""Label noise: channels that act on class distributions, on counts and on labels.

Main definitions: ``Channel``; the makers ``symmetric``, ``class_conditional``, ``pair_flip``, ``transition_matrix``
and ``compose``; the value ``identity``. Noise that looks at the features: ``margin_rates``, ``flipped``,
``nearness_matrix``.
"""

from splitcrit.noise.channel import Channel, compose
from splitcrit.noise.generators import flipped, margin_rates, nearness_matrix
from splitcrit.noise.makers import class_conditional, identity, pair_flip, symmetric, transition_matrix

__all__ = [
    "Channel", "class_conditional", "compose", "flipped", "identity", "pair_flip", "symmetric", "transition_matrix",
]  # fmt: skip
