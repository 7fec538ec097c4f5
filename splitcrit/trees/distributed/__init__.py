"""Trees and forests on Dask, for rows on several machines; ``splitcrit.trees`` offers them.

Main definitions: ``DaskTreeClassifier``, ``DaskTreeRegressor``, ``DaskForestClassifier``.
"""
