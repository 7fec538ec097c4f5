"""Statements of breiman1996: which subset of classes the best split of a node sends to one side.

``concave`` holds Theorem 1, its converse and uniqueness, ``derivatives`` its second derivatives; ``impurities`` which
impurities are concave and zero only at pure nodes; ``optima`` and ``proposition`` the best vertices of Gini, entropy
and twoing; ``others`` the criteria that are no decrease of an impurity; ``ordering`` when categories may be ordered
by their mean response; ``misprints`` what is false as printed.

Source: breiman1996 ("convex" there is concave here).
"""
