"""One training set with wrong labels and one test set with true ones, kept apart by construction.

Main definitions: ``Trial``, ``channel_of``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.frozen import complaint
from splitcrit.noise import Channel, class_conditional, symmetric

Array = NDArray[Any]


def channel_of(noise: Any, rates: tuple[str, str] = ("tau_neg", "tau_pos")) -> Channel:
    """The noise of a name: wrong labels in percent, of all classes, or of two with a stroke between them.

    Examples
    --------
    >>> channel_of("10/30").transition(2)
    ((0.9, 0.1), (0.3, 0.7))
    """
    shares = [int(part) / 100 for part in str(noise).split("/")]
    return symmetric(shares[0]) if len(shares) == 1 else class_conditional(**dict(zip(rates, shares, strict=True)))


class Trial:
    """Training features with noisy labels; the test labels are true, and only ``accuracy`` looks at them.

    Parameters
    ----------
    X : array (n, d)
    codes : int array (n,)
        True classes, 0 to K - 1.
    rows : pair of int arrays
        Those that train and those that test; they may not meet.
    channel : Channel, optional
        What the training labels go through; none leaves them true.
    labels : int array (n,), optional
        Noisy labels made elsewhere, in place of a channel; those of test rows are not read.
    rng
        Anything ``numpy.random.default_rng`` takes.

    Examples
    --------
    >>> from splitcrit.noise import symmetric
    >>> trial = Trial(np.arange(4.0)[:, None], np.array([0, 0, 1, 1]), ([0, 2], [1, 3]), channel=symmetric(1.0))
    >>> trial.y
    array([1, 0])
    >>> trial.accuracy(lambda X: (X[:, 0] > 1.5).astype(int))
    1.0
    """

    def __init__(
        self, X: Array, codes: Array, rows: tuple[Any, Any], *, channel: Channel | None = None,
        labels: Array | None = None, rng: Any = None,
    ) -> None:  # fmt: skip
        train, test = map(np.asarray, rows)
        if (shared := np.intersect1d(train, test)).size:
            rule = "training and test rows are different rows"
            raise ValueError(complaint(rule, f"row {shared[0]} in both", "split without overlap"))
        true = np.asarray(codes)
        self.X, self.y = X[train], true[train].copy() if labels is None else np.asarray(labels)[train]
        if channel is not None:
            self.y = channel.flip(self.y, rng=rng, classes=np.arange(int(true.max()) + 1))
        self.flipped = float(np.mean(self.y != true[train]))
        self.test_X = X[test]
        self.__truth = true[test]

    def accuracy(self, predict: Any) -> float:
        """The share of test rows for which ``predict(X)`` gives the true class."""
        return float(np.mean(np.asarray(predict(self.test_X)) == self.__truth))

    def measure(self, score: Any, predict: Any) -> float:
        """``score(truth, predicted)`` on the test rows."""
        return float(score(self.__truth.copy(), np.asarray(predict(self.test_X))))
