"""The data sets of the reproductions under their old name, until version 0.5."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # one warning is enough
    from splitcrit.experiments import datasets as _moved
    from splitcrit.experiments.datasets import *  # noqa: F403

__path__ = _moved.__path__  # so that splitcrit.datasets.folder is there, too
warnings.warn(
    "splitcrit.datasets leaves the package with version 0.5; a checkout has it as reproductions.datasets",
    DeprecationWarning,
    stacklevel=2,
)
