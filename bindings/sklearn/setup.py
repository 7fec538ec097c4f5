"""Compile the criterion against the declarations of the scikit-learn that is installed."""

import numpy as np
from Cython.Build import cythonize
from setuptools import Extension, setup

source = "splitcrit_sklearn/tree_criterion.pyx"
extension = Extension("splitcrit_sklearn.tree_criterion", [source], include_dirs=[np.get_include()])
setup(ext_modules=cythonize([extension]))
