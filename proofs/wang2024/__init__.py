"""Statements of wang2024: the Gini gain under random permutation of the labels, and SGini, the gain standardised by it.

``impurities`` and ``refinement`` hold concave functions; ``permutation`` the hypergeometric law; ``shapes`` and
``moments`` mean, variance and third moment for all margins; ``degenerate`` when the variance is 0; ``printed`` the
printed route to the variance; ``multinomial`` the other null law and the scores built on it; ``standardised``,
``relatives`` and ``orders`` SGini itself; ``scoring`` the measures of the experiments. ``laws`` holds what they share.
"""
