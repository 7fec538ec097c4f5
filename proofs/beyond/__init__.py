"""Statements beyond the five papers, about the same objects: noise at finite n, uniqueness, bounds, hardness.

``expectation``, ``children``, ``rates`` expected gains of a noisy sample: two classes, more of them, rates by class;
``uniqueness`` which impurities keep their order; ``heavy`` entropy under heavy noise; ``bounds`` how often noise
reverses two splits; ``multiclass`` invariants of more than two classes; ``vertices`` the vertex theorem from losses,
and hardness; ``losses`` impurities of losses the papers only name; ``stopping`` which criteria score a split of
different children as nothing; ``families`` concavity with a parameter; ``orders`` which criteria have the ordering
shortcut for categories; ``pure_splits``, ``separation`` SGini's and AGini's best split of two classes; ``small_nodes``
what holds in all nodes up to a bound; ``selection`` the best of many thresholds.
"""
