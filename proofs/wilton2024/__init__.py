"""Statements of wilton2024: impurities as minimised risks of conservative and distribution losses.

``symmetric`` holds symmetric losses under noise; ``impurities`` and ``gce`` Theorem 1; ``conservative`` conservative
losses; ``majority`` the sample size that keeps a majority; ``stopping`` when a tree stops; ``distribution`` the
negative exponential loss, ``multiclass`` its impurity for K classes and ``zone`` where that is misclassification;
``appendix`` the estimated transition matrix and the worked example; ``tolerance`` which criteria keep their order
under which noise.
"""
