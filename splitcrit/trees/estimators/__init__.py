"""Trees and forests with the interface of scikit-learn, grown by any criterion; ``splitcrit.trees`` offers them.

``criterion_argument`` holds what a string means as ``criterion=``.
"""
