# cython: language_level=3, boundscheck=False, wraparound=False
"""A criterion of scikit-learn's compiled trees whose node impurity and split score are two C functions, by address."""
from libc.stdint cimport intptr_t
from sklearn.tree._criterion cimport ClassificationCriterion
from sklearn.utils._typedefs cimport float64_t, intp_t

import sklearn

BUILT_WITH = sklearn.__version__
MOST = 256  # classes

ctypedef double (*OfNode)(const double*) noexcept nogil
ctypedef double (*OfSplit)(const double*, const double*) noexcept nogil


cdef class FormulaCriterion(ClassificationCriterion):
    """The number of classes is that of the labels of a fit; ``compiled(criterion, classes)`` gives the functions."""

    cdef OfNode of_node
    cdef OfSplit of_split
    cdef const float64_t* labels  # of the fit that the functions are for
    cdef readonly object criterion
    cdef object compiled, functions

    def prepare(self, criterion, compiled):
        self.criterion, self.compiled = criterion, compiled
        return self

    def __reduce__(self):
        from splitcrit_sklearn import formula_criterion

        return formula_criterion, (self.criterion,)

    def __repr__(self):
        return f"sklearn_criterion({self.criterion!r})"

    cdef int init(
        self, const float64_t[:, ::1] y, const float64_t[:] sample_weight, float64_t weighted_n_samples,
        const intp_t[:] sample_indices, intp_t start, intp_t end,
    ) except -1 nogil:
        cdef intp_t i, classes = 0
        if &y[0, 0] != self.labels:  # the first node of a fit
            for i in range(y.shape[0]):
                classes = max(classes, <intp_t> y[i, 0] + 1)
            with gil:
                self._take(classes, y.shape[1])
            self.labels = &y[0, 0]
        return ClassificationCriterion.init(self, y, sample_weight, weighted_n_samples, sample_indices, start, end)

    cdef int _take(self, intp_t classes, intp_t outputs) except -1:
        """Take the functions for a number of classes.

        The sums have room for ``MOST`` from the start: memory views made here may have another layout than those of
        scikit-learn, which may be compiled by another Cython.
        """
        cdef intptr_t of_node, of_split
        if outputs != 1:
            raise ValueError(f"a criterion of splitcrit is of one output; got {outputs}; fit one model for each")
        if classes > MOST:
            raise ValueError(f"a criterion has at most {MOST} classes; got {classes}; take splitcrit.TreeClassifier")
        self.functions = self.compiled(self.criterion, max(classes, 2))  # the second of one class stays 0
        of_node, of_split = self.functions[0].address, self.functions[1].address
        self.of_node, self.of_split = <OfNode> of_node, <OfSplit> of_split
        self.n_classes[0] = self.max_n_classes = classes
        return 0

    cdef float64_t node_impurity(self) noexcept nogil:
        return self.of_node(&self.sum_total[0, 0])

    cdef void children_impurity(self, float64_t* impurity_left, float64_t* impurity_right) noexcept nogil:
        impurity_left[0] = self.of_node(&self.sum_left[0, 0])
        impurity_right[0] = self.of_node(&self.sum_right[0, 0])

    cdef float64_t proxy_impurity_improvement(self) noexcept nogil:
        return self.of_split(&self.sum_left[0, 0], &self.sum_right[0, 0])
