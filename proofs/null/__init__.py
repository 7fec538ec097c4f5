"""Null laws: what a split criterion is worth when the labels are in random order, or rows are drawn at random.

The Gini gain over all permutations of the labels and over multinomial rows, its moments, the gain standardised by them
(SGini, AGini), the best of many thresholds, and measures of agreement by chance.
"""
