"""Best splits: which subset of classes goes left, and whether categories may be ordered.

A vertex is a split that divides no class. The ordering shortcut says that of categories some best grouping in two is a
cut of an order of them. Classes, or categories, are what a split sends left; the two questions have one reason, that a
convex function is largest at an extreme point.
Source: breiman1996 ("convex" there is concave here); wang2024; beyond.
"""
