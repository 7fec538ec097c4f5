"""Statements of yang2019: a loss behind every criterion, and the pairwise gain under label noise.

``framework`` holds eq. (1); ``losses`` and ``regression`` Table I; ``pairwise`` and ``greedy`` Section V up to the
definition of pairwise gain; ``noise`` and ``samples`` Theorem 1; ``relations`` what pairwise gain is among the known
criteria; ``experiments`` the arithmetic of Table III; ``misprints`` what is false as printed.
"""
