/* splitcrit.h: exact statistics of split criteria of a contingency table, under permutations of the labels.
 *
 * Printed by splitcrit 0.4.0 (`splitcrit header`) from the formulas of the library; do not edit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * C99 or C++11; no allocation, no state, no other file. Link the library of mathematics (-lm). Compile without
 * -ffast-math. The functions to call, at the end of this file:
 *
 *     double splitcrit_mean(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k)
 *     double splitcrit_variance(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k)
 *     double splitcrit_third_moment(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k)
 *     double splitcrit_sgini(const int64_t *table, int64_t r, int64_t k, int64_t *work)
 *     int64_t splitcrit_scan(const int64_t *table, int64_t r, int64_t k, double *scores, int64_t *work)
 *     double splitcrit_gini_pvalue(const int64_t *table, int64_t log_p)
 *     int64_t splitcrit_best_cut(const int64_t *table, int64_t r, int64_t min_leaf, int64_t statistic, int64_t *work)
 *     double splitcrit_selected_pvalue(const int64_t *table, int64_t r, int64_t min_leaf, int64_t statistic, int64_t log_p, double *chances, int64_t *work)
 *     double splitcrit_cell_mean(const double *values, const int64_t *columns, int64_t k, int64_t m)
 *     double splitcrit_cell_variance(const double *values, const int64_t *columns, int64_t k, int64_t m)
 *     int64_t splitcrit_entropy_cells(const int64_t *columns, int64_t k, int64_t m, double *values)
 *     double splitcrit_closed_excess_gain(const int64_t *sizes, int64_t r, double g, double gg, double h, double hh, double gh, double lam)
 *
 * Counts are 64-bit integers that are not negative and sum to 2147483647 at most; rows are values of a feature, columns
 * are classes. Inside, numbers have some 31 digits, so that results are right to a relative error of 1e-12 and better:
 * the third moment relative to the larger of itself and the variance to the power 1.5, SGini relative to the larger of
 * itself and 1; selected_pvalue and the moments of cells as stated beside them. What is no table gives NaN, or -1.
 *
 * The functions are static inline. To link them from another language, define SPLITCRIT_API as nothing in one C file
 * that includes this one.
 */
#ifndef SPLITCRIT_H
#define SPLITCRIT_H
#include <float.h>
#include <math.h>
#include <stdint.h>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "splitcrit.h needs IEEE arithmetic as it is written: compile without -ffast-math"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 2
#error "splitcrit.h needs doubles that are rounded to doubles: compile with -msse2 -mfpmath=sse"
#endif

/* How the functions to call are declared: define it as nothing, in one file, to link them from other languages. */
#ifndef SPLITCRIT_API
#define SPLITCRIT_API static inline
#endif

/* A number of some 31 digits: a double and what is missing from it. */
typedef struct {
    double high, low;
} splitcrit_real;

/* What a function with several results returns. */
typedef struct {
    splitcrit_real part[8];
} splitcrit_several;

/* The sum of two doubles, exactly, where b is the smaller. */
static inline splitcrit_real splitcrit_small(double a, double b) {
    splitcrit_real pair;
    pair.high = a + b;
    pair.low = b - (pair.high - a);
    return pair;
}

/* An integer of at most 2^62, exactly. */
static inline splitcrit_real splitcrit_real_of(int64_t x) {
    splitcrit_real pair;
    pair.high = (double)x;
    pair.low = (double)(x - (int64_t)pair.high);
    return pair;
}

/* A double, exactly. */
static inline splitcrit_real splitcrit_wide(double x) {
    splitcrit_real pair;
    pair.high = x;
    pair.low = 0.0;
    return pair;
}

/* A number as a double. */
static inline double splitcrit_value(splitcrit_real x) {
    return x.high + x.low;
}

static inline splitcrit_real splitcrit_add(splitcrit_real a, splitcrit_real b) {
    double s = a.high + b.high;
    double t = s - a.high;
    return splitcrit_small(s, ((a.high - (s - t)) + (b.high - t)) + (a.low + b.low));
}

static inline splitcrit_real splitcrit_subtract(splitcrit_real a, splitcrit_real b) {
    b.high = -b.high;
    b.low = -b.low;
    return splitcrit_add(a, b);
}

static inline splitcrit_real splitcrit_multiply(splitcrit_real a, splitcrit_real b) {
    double p = a.high * b.high;
    return splitcrit_small(p, fma(a.high, b.high, -p) + (a.high * b.low + a.low * b.high));
}

static inline splitcrit_real splitcrit_divide(splitcrit_real a, splitcrit_real b) {
    double q = a.high / b.high;
    return splitcrit_small(q, (fma(-q, b.high, a.high) + (a.low - q * b.low)) / b.high);
}

static inline splitcrit_real splitcrit_formula_mean(splitcrit_real n, splitcrit_real r, splitcrit_real unlike) {
    splitcrit_real v0 = splitcrit_subtract(r, splitcrit_real_of(1));
    splitcrit_real v1 = splitcrit_multiply(v0, unlike);
    splitcrit_real v2 = splitcrit_subtract(n, splitcrit_real_of(1));
    splitcrit_real v3 = splitcrit_multiply(n, n);
    splitcrit_real v4 = splitcrit_multiply(v2, v3);
    splitcrit_real v5 = splitcrit_divide(v1, v4);
    return v5;
}

static inline splitcrit_real splitcrit_formula_uneven_class(splitcrit_real b, splitcrit_real apart) {
    splitcrit_real v0 = splitcrit_multiply(apart, apart);
    splitcrit_real v1 = splitcrit_multiply(b, v0);
    return v1;
}

static inline splitcrit_real splitcrit_formula_thick_class(splitcrit_real n, splitcrit_real b, splitcrit_real others) {
    splitcrit_real v0 = splitcrit_subtract(b, splitcrit_real_of(1));
    splitcrit_real v1 = splitcrit_multiply(b, v0);
    splitcrit_real v2 = splitcrit_subtract(n, b);
    splitcrit_real v3 = splitcrit_subtract(v2, splitcrit_real_of(1));
    splitcrit_real v4 = splitcrit_multiply(v2, v3);
    splitcrit_real v5 = splitcrit_add(v4, others);
    splitcrit_real v6 = splitcrit_multiply(v1, v5);
    return v6;
}

static inline splitcrit_real splitcrit_formula_uneven_weight(splitcrit_real n, splitcrit_real uneven) {
    splitcrit_real v0 = splitcrit_multiply(splitcrit_real_of(4), uneven);
    splitcrit_real v1 = splitcrit_subtract(n, splitcrit_real_of(1));
    splitcrit_real v2 = splitcrit_subtract(n, splitcrit_real_of(2));
    splitcrit_real v3 = splitcrit_multiply(v2, v2);
    splitcrit_real v4 = splitcrit_multiply(v1, v3);
    splitcrit_real v5 = splitcrit_divide(v0, v4);
    splitcrit_real v6 = splitcrit_multiply(n, n);
    splitcrit_real v7 = splitcrit_multiply(v6, n);
    splitcrit_real v8 = splitcrit_multiply(v7, n);
    splitcrit_real v9 = splitcrit_divide(v5, v8);
    return v9;
}

static inline splitcrit_real splitcrit_formula_thick_weight(splitcrit_real n, splitcrit_real thick) {
    splitcrit_real v0 = splitcrit_subtract(n, splitcrit_real_of(1));
    splitcrit_real v1 = splitcrit_multiply(n, v0);
    splitcrit_real v2 = splitcrit_subtract(n, splitcrit_real_of(2));
    splitcrit_real v3 = splitcrit_multiply(v1, v2);
    splitcrit_real v4 = splitcrit_subtract(n, splitcrit_real_of(3));
    splitcrit_real v5 = splitcrit_multiply(v3, v4);
    splitcrit_real v6 = splitcrit_divide(thick, v5);
    splitcrit_real v7 = splitcrit_multiply(splitcrit_real_of(2), v6);
    splitcrit_real v8 = splitcrit_multiply(v0, v2);
    splitcrit_real v9 = splitcrit_divide(v7, v8);
    splitcrit_real v10 = splitcrit_multiply(n, n);
    splitcrit_real v11 = splitcrit_divide(v9, v10);
    return v11;
}

static inline splitcrit_real splitcrit_formula_uneven_row(splitcrit_real n, splitcrit_real r, splitcrit_real a, splitcrit_real w) {
    splitcrit_real v0 = splitcrit_multiply(r, a);
    splitcrit_real v1 = splitcrit_subtract(n, v0);
    splitcrit_real v2 = splitcrit_multiply(v1, v1);
    splitcrit_real v3 = splitcrit_multiply(v2, w);
    return v3;
}

static inline splitcrit_real splitcrit_formula_thick_row(splitcrit_real n, splitcrit_real r, splitcrit_real a, splitcrit_real w) {
    splitcrit_real v0 = splitcrit_subtract(a, splitcrit_real_of(1));
    splitcrit_real v1 = splitcrit_subtract(n, a);
    splitcrit_real v2 = splitcrit_subtract(v1, splitcrit_real_of(1));
    splitcrit_real v3 = splitcrit_multiply(v1, v2);
    splitcrit_real v4 = splitcrit_multiply(v3, w);
    splitcrit_real v5 = splitcrit_subtract(n, r);
    splitcrit_real v6 = splitcrit_subtract(v5, v0);
    splitcrit_real v7 = splitcrit_add(v4, v6);
    splitcrit_real v8 = splitcrit_multiply(v0, v7);
    return v8;
}

static inline splitcrit_real splitcrit_formula_variance(splitcrit_real uneven_weight, splitcrit_real uneven, splitcrit_real thick_weight, splitcrit_real thick) {
    splitcrit_real v0 = splitcrit_multiply(uneven_weight, uneven);
    splitcrit_real v1 = splitcrit_multiply(thick_weight, thick);
    splitcrit_real v2 = splitcrit_add(v0, v1);
    return v2;
}

static inline splitcrit_real splitcrit_formula_class_block(splitcrit_real n, splitcrit_real b, splitcrit_real others) {
    splitcrit_real v0 = splitcrit_subtract(n, b);
    splitcrit_real v1 = splitcrit_subtract(n, splitcrit_real_of(1));
    splitcrit_real v2 = splitcrit_divide(v0, v1);
    splitcrit_real v3 = splitcrit_subtract(v0, splitcrit_real_of(1));
    splitcrit_real v4 = splitcrit_subtract(n, splitcrit_real_of(2));
    splitcrit_real v5 = splitcrit_divide(v3, v4);
    splitcrit_real v6 = splitcrit_multiply(v2, v5);
    splitcrit_real v7 = splitcrit_multiply(v1, v4);
    splitcrit_real v8 = splitcrit_divide(others, v7);
    splitcrit_real v9 = splitcrit_add(v6, v8);
    return v9;
}

static inline splitcrit_several splitcrit_formula_row_block(splitcrit_real n, splitcrit_real r, splitcrit_real a, splitcrit_real w) {
    splitcrit_real v0 = splitcrit_subtract(n, splitcrit_real_of(1));
    splitcrit_real v1 = splitcrit_subtract(n, a);
    splitcrit_real v2 = splitcrit_multiply(v0, v1);
    splitcrit_real v3 = splitcrit_multiply(v2, w);
    splitcrit_real v4 = splitcrit_subtract(r, splitcrit_real_of(1));
    splitcrit_real v5 = splitcrit_subtract(v3, v4);
    splitcrit_real v6 = splitcrit_subtract(n, splitcrit_real_of(2));
    splitcrit_real v7 = splitcrit_multiply(v0, v6);
    splitcrit_real v8 = splitcrit_divide(v5, v7);
    splitcrit_real v9 = splitcrit_multiply(r, a);
    splitcrit_real v10 = splitcrit_subtract(v9, n);
    splitcrit_real v11 = splitcrit_multiply(v10, w);
    splitcrit_real v12 = splitcrit_multiply(n, v6);
    splitcrit_real v13 = splitcrit_divide(v11, v12);
    splitcrit_several results;
    results.part[0] = v8;
    results.part[1] = v13;
    return results;
}

static inline splitcrit_real splitcrit_formula_class_across(splitcrit_real n, splitcrit_real b, splitcrit_real other, splitcrit_real rest) {
    splitcrit_real v0 = splitcrit_subtract(b, splitcrit_real_of(1));
    splitcrit_real v1 = splitcrit_multiply(splitcrit_real_of(2), v0);
    splitcrit_real v2 = splitcrit_subtract(other, splitcrit_real_of(1));
    splitcrit_real v3 = splitcrit_multiply(v1, v2);
    splitcrit_real v4 = splitcrit_subtract(rest, v3);
    splitcrit_real v5 = splitcrit_subtract(n, b);
    splitcrit_real v6 = splitcrit_subtract(v5, other);
    splitcrit_real v7 = splitcrit_add(b, other);
    splitcrit_real v8 = splitcrit_subtract(v7, splitcrit_real_of(2));
    splitcrit_real v9 = splitcrit_multiply(v6, v8);
    splitcrit_real v10 = splitcrit_subtract(v4, v9);
    splitcrit_real v11 = splitcrit_subtract(n, splitcrit_real_of(1));
    splitcrit_real v12 = splitcrit_subtract(n, splitcrit_real_of(2));
    splitcrit_real v13 = splitcrit_multiply(v11, v12);
    splitcrit_real v14 = splitcrit_divide(v10, v13);
    return v14;
}

static inline splitcrit_real splitcrit_formula_row_across(splitcrit_real n, splitcrit_real r, splitcrit_real w, splitcrit_real other) {
    splitcrit_real v0 = splitcrit_subtract(n, splitcrit_real_of(1));
    splitcrit_real v1 = splitcrit_add(w, other);
    splitcrit_real v2 = splitcrit_multiply(v0, v1);
    splitcrit_real v3 = splitcrit_subtract(n, splitcrit_real_of(2));
    splitcrit_real v4 = splitcrit_add(v3, r);
    splitcrit_real v5 = splitcrit_subtract(v2, v4);
    splitcrit_real v6 = splitcrit_multiply(v0, v3);
    splitcrit_real v7 = splitcrit_divide(v5, v6);
    return v7;
}

static inline splitcrit_several splitcrit_formula_invariant_terms(splitcrit_real a, splitcrit_real same, splitcrit_real squares, splitcrit_real cubes, splitcrit_real apart) {
    splitcrit_real v0 = splitcrit_subtract(a, splitcrit_real_of(1));
    splitcrit_real v1 = splitcrit_multiply(v0, same);
    splitcrit_real v2 = splitcrit_multiply(v1, same);
    splitcrit_real v3 = splitcrit_multiply(v2, same);
    splitcrit_real v4 = splitcrit_add(v3, cubes);
    splitcrit_real v5 = splitcrit_multiply(a, v4);
    splitcrit_real v6 = splitcrit_subtract(a, splitcrit_real_of(2));
    splitcrit_real v7 = splitcrit_multiply(v6, same);
    splitcrit_real v8 = splitcrit_multiply(v7, same);
    splitcrit_real v9 = splitcrit_multiply(splitcrit_real_of(3), squares);
    splitcrit_real v10 = splitcrit_add(v8, v9);
    splitcrit_real v11 = splitcrit_multiply(v1, v10);
    splitcrit_real v12 = splitcrit_multiply(a, v11);
    splitcrit_real v13 = splitcrit_multiply(a, apart);
    splitcrit_real v14 = splitcrit_add(v2, squares);
    splitcrit_real v15 = splitcrit_multiply(v13, v14);
    splitcrit_real v16 = splitcrit_multiply(a, v1);
    splitcrit_real v17 = splitcrit_multiply(v16, apart);
    splitcrit_real v18 = splitcrit_multiply(v17, apart);
    splitcrit_real v19 = splitcrit_multiply(apart, apart);
    splitcrit_real v20 = splitcrit_multiply(v19, apart);
    splitcrit_real v21 = splitcrit_multiply(a, v20);
    splitcrit_several results;
    results.part[0] = v5;
    results.part[1] = v12;
    results.part[2] = v15;
    results.part[3] = v18;
    results.part[4] = v21;
    return results;
}

static inline splitcrit_real splitcrit_formula_third_by_invariants(splitcrit_real n0, splitcrit_real n1, splitcrit_real n2, splitcrit_real n3, splitcrit_real n4, splitcrit_real n5, splitcrit_real c0, splitcrit_real c1, splitcrit_real t0, splitcrit_real t1, splitcrit_real d0, splitcrit_real d1, splitcrit_real p0, splitcrit_real p1, splitcrit_real f0, splitcrit_real f1) {
    splitcrit_real v0 = splitcrit_multiply(splitcrit_real_of(4), c0);
    splitcrit_real v1 = splitcrit_multiply(v0, c1);
    splitcrit_real v2 = splitcrit_multiply(n0, n1);
    splitcrit_real v3 = splitcrit_divide(v1, v2);
    splitcrit_real v4 = splitcrit_multiply(splitcrit_real_of(24), c0);
    splitcrit_real v5 = splitcrit_multiply(v4, c1);
    splitcrit_real v6 = splitcrit_multiply(splitcrit_real_of(8), t0);
    splitcrit_real v7 = splitcrit_multiply(v6, t1);
    splitcrit_real v8 = splitcrit_add(v5, v7);
    splitcrit_real v9 = splitcrit_multiply(v2, n2);
    splitcrit_real v10 = splitcrit_divide(v8, v9);
    splitcrit_real v11 = splitcrit_add(v3, v10);
    splitcrit_real v12 = splitcrit_multiply(splitcrit_real_of(56), c0);
    splitcrit_real v13 = splitcrit_multiply(v12, c1);
    splitcrit_real v14 = splitcrit_subtract(c0, t0);
    splitcrit_real v15 = splitcrit_multiply(splitcrit_real_of(24), v14);
    splitcrit_real v16 = splitcrit_subtract(c1, t1);
    splitcrit_real v17 = splitcrit_multiply(v15, v16);
    splitcrit_real v18 = splitcrit_add(v13, v17);
    splitcrit_real v19 = splitcrit_multiply(v9, n3);
    splitcrit_real v20 = splitcrit_divide(v18, v19);
    splitcrit_real v21 = splitcrit_add(v11, v20);
    splitcrit_real v22 = splitcrit_multiply(splitcrit_real_of(2), c0);
    splitcrit_real v23 = splitcrit_subtract(v22, t0);
    splitcrit_real v24 = splitcrit_multiply(splitcrit_real_of(2), c1);
    splitcrit_real v25 = splitcrit_subtract(v24, t1);
    splitcrit_real v26 = splitcrit_divide(v25, v19);
    splitcrit_real v27 = splitcrit_multiply(v23, v26);
    splitcrit_real v28 = splitcrit_multiply(splitcrit_real_of(48), v27);
    splitcrit_real v29 = splitcrit_divide(v28, n4);
    splitcrit_real v30 = splitcrit_add(v21, v29);
    splitcrit_real v31 = splitcrit_multiply(splitcrit_real_of(64), v27);
    splitcrit_real v32 = splitcrit_multiply(n4, n5);
    splitcrit_real v33 = splitcrit_divide(v31, v32);
    splitcrit_real v34 = splitcrit_add(v30, v33);
    splitcrit_real v35 = splitcrit_multiply(n2, n2);
    splitcrit_real v36 = splitcrit_multiply(n1, n3);
    splitcrit_real v37 = splitcrit_multiply(v36, n4);
    splitcrit_real v38 = splitcrit_divide(d1, v37);
    splitcrit_real v39 = splitcrit_multiply(d0, v38);
    splitcrit_real v40 = splitcrit_multiply(n0, n3);
    splitcrit_real v41 = splitcrit_divide(p1, v40);
    splitcrit_real v42 = splitcrit_multiply(p0, v41);
    splitcrit_real v43 = splitcrit_add(v39, v42);
    splitcrit_real v44 = splitcrit_multiply(splitcrit_real_of(24), v43);
    splitcrit_real v45 = splitcrit_multiply(splitcrit_real_of(8), f0);
    splitcrit_real v46 = splitcrit_multiply(f1, n0);
    splitcrit_real v47 = splitcrit_divide(v46, n1);
    splitcrit_real v48 = splitcrit_multiply(v45, v47);
    splitcrit_real v49 = splitcrit_add(v44, v48);
    splitcrit_real v50 = splitcrit_multiply(v35, v49);
    splitcrit_real v51 = splitcrit_add(v34, v50);
    splitcrit_real v52 = splitcrit_multiply(n0, n0);
    splitcrit_real v53 = splitcrit_multiply(v52, n0);
    splitcrit_real v54 = splitcrit_divide(v51, v53);
    return v54;
}

/* The sum of totals, -1 where one is negative, the sum exceeds 2^31 - 1, or there are none. */
static inline int64_t splitcrit_size(const int64_t *totals, int64_t length) {
    int64_t n;
    n = 0;
    if (length < 1) {
        return -1;
    }
    for (int64_t i = 0; i < length; i++) {
        if ((totals[i] < 0) || (totals[i] > (2147483647 - n))) {
            return -1;
        }
        n = (n + totals[i]);
    }
    return n;
}

/* The number of observations of two margins, -1 where they are no margins of one table. */
static inline int64_t splitcrit_agreed(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k) {
    int64_t n;
    n = splitcrit_size(rows, r);
    return ((n == splitcrit_size(columns, k)) ? n : -1);
}

/* Count the positive totals. */
static inline int64_t splitcrit_occurring(const int64_t *totals, int64_t length) {
    int64_t count;
    count = 0;
    for (int64_t i = 0; i < length; i++) {
        if (totals[i] > 0) {
            count = (count + 1);
        }
    }
    return count;
}

/* The sum of b (b - 1): the ordered pairs of observations that share a row or a class. */
static inline int64_t splitcrit_same_pairs(const int64_t *totals, int64_t length) {
    int64_t pairs;
    pairs = 0;
    for (int64_t j = 0; j < length; j++) {
        pairs = (pairs + (totals[j] * (totals[j] - 1)));
    }
    return pairs;
}

/* The mean of the Gini gain for r rows that are not empty and the same_pairs of the classes. */
static inline splitcrit_real splitcrit_mean_by_pairs(int64_t n, int64_t r, int64_t pairs) {
    return ((n >= 2) ? splitcrit_formula_mean(splitcrit_real_of(n), splitcrit_real_of(r), splitcrit_real_of((((n * n) - n) - pairs))) : splitcrit_real_of(0));
}

/* The mean of the Gini gain. */
static inline splitcrit_real splitcrit_mean_of(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k, int64_t n) {
    return splitcrit_mean_by_pairs(n, splitcrit_occurring(rows, r), splitcrit_same_pairs(columns, k));
}

/* The multipliers of the two factors of the rows in the variance. */
static inline splitcrit_several splitcrit_class_weights(const int64_t *columns, int64_t k, int64_t n) {
    splitcrit_several results;
    splitcrit_real uneven;
    splitcrit_real thick;
    int64_t pairs;
    int64_t b;
    splitcrit_real first;
    if (n < 3) {
        results.part[0] = splitcrit_real_of(0);
        results.part[1] = splitcrit_real_of(0);
        return results;
    }
    uneven = splitcrit_real_of(0);
    thick = splitcrit_real_of(0);
    pairs = splitcrit_same_pairs(columns, k);
    for (int64_t j = 0; j < k; j++) {
        b = columns[j];
        uneven = splitcrit_add(uneven, splitcrit_formula_uneven_class(splitcrit_real_of(b), splitcrit_divide(splitcrit_real_of((((n * b) - pairs) - n)), splitcrit_real_of(n))));
        thick = splitcrit_add(thick, splitcrit_formula_thick_class(splitcrit_real_of(n), splitcrit_real_of(b), splitcrit_real_of((pairs - (b * (b - 1))))));
    }
    first = splitcrit_formula_uneven_weight(splitcrit_real_of(n), uneven);
    results.part[0] = first;
    results.part[1] = ((n >= 4) ? splitcrit_formula_thick_weight(splitcrit_real_of(n), thick) : splitcrit_real_of(0));
    return results;
}

/* The terms of a row of a observations in the two factors of the rows. */
static inline splitcrit_several splitcrit_row_terms(int64_t a, int64_t n, int64_t r) {
    splitcrit_real w;
    splitcrit_several results;
    w = splitcrit_divide(splitcrit_real_of(1), splitcrit_real_of(a));
    results.part[0] = splitcrit_formula_uneven_row(splitcrit_real_of(n), splitcrit_real_of(r), splitcrit_real_of(a), w);
    results.part[1] = splitcrit_formula_thick_row(splitcrit_real_of(n), splitcrit_real_of(r), splitcrit_real_of(a), w);
    return results;
}

/* The variance of the Gini gain of a cut of m of n observations, given the weights of the classes. */
static inline splitcrit_real splitcrit_cut_variance(int64_t n, int64_t m, splitcrit_real first, splitcrit_real second) {
    splitcrit_real uneven;
    splitcrit_real thick;
    splitcrit_real more;
    splitcrit_real thicker;
    {
        splitcrit_several several = splitcrit_row_terms(m, n, 2);
        uneven = several.part[0];
        thick = several.part[1];
    }
    {
        splitcrit_several several = splitcrit_row_terms((n - m), n, 2);
        more = several.part[0];
        thicker = several.part[1];
    }
    return splitcrit_formula_variance(first, splitcrit_add(uneven, more), second, splitcrit_add(thick, thicker));
}

/* The variance of the Gini gain. */
static inline splitcrit_real splitcrit_variance_of(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k, int64_t n) {
    splitcrit_real first;
    splitcrit_real second;
    splitcrit_real uneven;
    splitcrit_real thick;
    int64_t present;
    splitcrit_real more;
    splitcrit_real thicker;
    {
        splitcrit_several several = splitcrit_class_weights(columns, k, n);
        first = several.part[0];
        second = several.part[1];
    }
    uneven = splitcrit_real_of(0);
    thick = splitcrit_real_of(0);
    present = splitcrit_occurring(rows, r);
    for (int64_t i = 0; i < r; i++) {
        if (rows[i] > 0) {
            {
                splitcrit_several several = splitcrit_row_terms(rows[i], n, present);
                more = several.part[0];
                thicker = several.part[1];
            }
            uneven = splitcrit_add(uneven, more);
            thick = splitcrit_add(thick, thicker);
        }
    }
    return splitcrit_formula_variance(first, uneven, second, thick);
}

/* The mean of the Gini gain over all permutations of the labels, for r row totals and k class totals.
 *
 * NaN where totals are negative, their sums differ or exceed 2^31 - 1, or r or k is below 1. A total of 0 changes
 * nothing. The gain is per observation: sum_ij x_ij^2 / (a_i n) - sum_j (b_j / n)^2.
 */
SPLITCRIT_API double splitcrit_mean(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k) {
    int64_t n;
    n = splitcrit_agreed(rows, r, columns, k);
    return ((n >= 0) ? splitcrit_value(splitcrit_mean_of(rows, r, columns, k, n)) : NAN);
}

/* The variance of the Gini gain over all permutations of the labels; NaN as for the mean.
 *
 * It is 0 exactly where the gain is the same for every permutation.
 */
SPLITCRIT_API double splitcrit_variance(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k) {
    int64_t n;
    n = splitcrit_agreed(rows, r, columns, k);
    return ((n >= 0) ? splitcrit_value(splitcrit_variance_of(rows, r, columns, k, n)) : NAN);
}

/* An entry within a row or a class of the matrix of row sums 0, and its part of the rest. */
static inline splitcrit_several splitcrit_block(int64_t total, int64_t n, int64_t present, int64_t pairs, int classes) {
    splitcrit_real rest;
    splitcrit_several results;
    if (classes) {
        rest = splitcrit_divide(splitcrit_divide(splitcrit_real_of((((n * total) - pairs) - n)), splitcrit_real_of(n)), splitcrit_real_of((n - 2)));
        results.part[0] = splitcrit_formula_class_block(splitcrit_real_of(n), splitcrit_real_of(total), splitcrit_real_of((pairs - (total * (total - 1)))));
        results.part[1] = rest;
        return results;
    }
    return splitcrit_formula_row_block(splitcrit_real_of(n), splitcrit_real_of(present), splitcrit_real_of(total), splitcrit_divide(splitcrit_real_of(1), splitcrit_real_of(total)));
}

/* An entry between two rows or two classes. */
static inline splitcrit_real splitcrit_across(int64_t total, int64_t other, int64_t n, int64_t present, int64_t pairs, int classes) {
    int64_t rest;
    if (classes) {
        rest = ((pairs - (total * (total - 1))) - (other * (other - 1)));
        return splitcrit_formula_class_across(splitcrit_real_of(n), splitcrit_real_of(total), splitcrit_real_of(other), splitcrit_real_of(rest));
    }
    return splitcrit_formula_row_across(splitcrit_real_of(n), splitcrit_real_of(present), splitcrit_divide(splitcrit_real_of(1), splitcrit_real_of(total)), splitcrit_divide(splitcrit_real_of(1), splitcrit_real_of(other)));
}

/* Sum N^3, tr N^3, sum N^2 f, f'Nf and sum f^3 of the matrix N of row sums 0 and the rest f. */
static inline splitcrit_several splitcrit_invariants(const int64_t *totals, int64_t length, int64_t n, int classes) {
    int64_t present;
    int64_t pairs;
    splitcrit_real c;
    splitcrit_real t;
    splitcrit_real d;
    splitcrit_real p;
    splitcrit_real f;
    splitcrit_real a;
    splitcrit_real same;
    splitcrit_real apart;
    splitcrit_real squares;
    splitcrit_real cubes;
    splitcrit_real products;
    splitcrit_real triangles;
    splitcrit_real x;
    splitcrit_real other;
    splitcrit_real weighed;
    splitcrit_real y;
    splitcrit_real z;
    splitcrit_real more_c;
    splitcrit_real more_t;
    splitcrit_real more_d;
    splitcrit_real more_p;
    splitcrit_real more_f;
    splitcrit_several results;
    present = splitcrit_occurring(totals, length);
    pairs = splitcrit_same_pairs(totals, length);
    c = splitcrit_real_of(0);
    t = splitcrit_real_of(0);
    d = splitcrit_real_of(0);
    p = splitcrit_real_of(0);
    f = splitcrit_real_of(0);
    for (int64_t i = 0; i < length; i++) {
        if (totals[i] > 0) {
            a = splitcrit_real_of(totals[i]);
            {
                splitcrit_several several = splitcrit_block(totals[i], n, present, pairs, classes);
                same = several.part[0];
                apart = several.part[1];
            }
            squares = splitcrit_real_of(0);
            cubes = splitcrit_real_of(0);
            products = splitcrit_real_of(0);
            triangles = splitcrit_real_of(0);
            for (int64_t j = 0; j < length; j++) {
                if ((j != i) && (totals[j] > 0)) {
                    x = splitcrit_across(totals[i], totals[j], n, present, pairs, classes);
                    {
                        splitcrit_several several = splitcrit_block(totals[j], n, present, pairs, classes);
                        other = several.part[1];
                    }
                    weighed = splitcrit_multiply(splitcrit_real_of(totals[j]), x);
                    squares = splitcrit_add(squares, splitcrit_multiply(weighed, x));
                    cubes = splitcrit_add(cubes, splitcrit_multiply(splitcrit_multiply(weighed, x), x));
                    products = splitcrit_add(products, splitcrit_multiply(weighed, other));
                    for (int64_t h = 0; h < ((j < i) ? j : 0); h++) {
                        if (totals[h] > 0) {
                            y = splitcrit_across(totals[j], totals[h], n, present, pairs, classes);
                            z = splitcrit_across(totals[i], totals[h], n, present, pairs, classes);
                            triangles = splitcrit_add(triangles, splitcrit_multiply(splitcrit_multiply(weighed, splitcrit_real_of(totals[h])), splitcrit_multiply(y, z)));
                        }
                    }
                }
            }
            {
                splitcrit_several several = splitcrit_formula_invariant_terms(a, same, squares, cubes, apart);
                more_c = several.part[0];
                more_t = several.part[1];
                more_d = several.part[2];
                more_p = several.part[3];
                more_f = several.part[4];
            }
            c = splitcrit_add(c, more_c);
            t = splitcrit_add(splitcrit_add(t, more_t), splitcrit_multiply(splitcrit_multiply(splitcrit_real_of(6), a), triangles));
            d = splitcrit_add(d, more_d);
            p = splitcrit_add(splitcrit_add(p, more_p), splitcrit_multiply(splitcrit_multiply(a, apart), products));
            f = splitcrit_add(f, more_f);
        }
    }
    results.part[0] = c;
    results.part[1] = t;
    results.part[2] = d;
    results.part[3] = p;
    results.part[4] = f;
    return results;
}

/* The third central moment of the Gini gain. */
static inline splitcrit_real splitcrit_third_of(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k, int64_t n) {
    splitcrit_real c;
    splitcrit_real t;
    splitcrit_real d;
    splitcrit_real p;
    splitcrit_real f;
    splitcrit_real cc;
    splitcrit_real tt;
    splitcrit_real dd;
    splitcrit_real pp;
    splitcrit_real ff;
    int64_t three;
    int64_t four;
    int64_t five;
    if (splitcrit_value(splitcrit_variance_of(rows, r, columns, k, n)) == 0.0) {
        return splitcrit_real_of(0);
    }
    {
        splitcrit_several several = splitcrit_invariants(rows, r, n, 0);
        c = several.part[0];
        t = several.part[1];
        d = several.part[2];
        p = several.part[3];
        f = several.part[4];
    }
    {
        splitcrit_several several = splitcrit_invariants(columns, k, n, 1);
        cc = several.part[0];
        tt = several.part[1];
        dd = several.part[2];
        pp = several.part[3];
        ff = several.part[4];
    }
    three = ((n > 3) ? (n - 3) : 1);
    four = ((n > 4) ? (n - 4) : 1);
    five = ((n > 5) ? (n - 5) : 1);
    return splitcrit_formula_third_by_invariants(splitcrit_real_of(n), splitcrit_real_of((n - 1)), splitcrit_real_of((n - 2)), splitcrit_real_of(three), splitcrit_real_of(four), splitcrit_real_of(five), c, cc, t, tt, d, dd, p, pp, f, ff);
}

/* The third central moment of the Gini gain over all permutations of the labels; NaN as for the mean.
 *
 * Its error is relative to the larger of itself and the variance to the power 1.5. Time is O(r^3 + k^3).
 */
SPLITCRIT_API double splitcrit_third_moment(const int64_t *rows, int64_t r, const int64_t *columns, int64_t k) {
    int64_t n;
    n = splitcrit_agreed(rows, r, columns, k);
    return ((n >= 0) ? splitcrit_value(splitcrit_third_of(rows, r, columns, k, n)) : NAN);
}

/* Set the margins of a table and return its number of observations, -1 where it is no table of counts. */
static inline int64_t splitcrit_margins(const int64_t *table, int64_t r, int64_t k, int64_t *rows, int64_t *columns) {
    for (int64_t j = 0; j < k; j++) {
        columns[j] = 0;
    }
    for (int64_t i = 0; i < r; i++) {
        rows[i] = splitcrit_size((table + (i * k)), k);
        if (rows[i] < 0) {
            return -1;
        }
        for (int64_t j = 0; j < k; j++) {
            columns[j] = (columns[j] + table[((i * k) + j)]);
        }
    }
    return splitcrit_agreed(rows, r, columns, k);
}

/* The sum of (n x - a b)^2 over the cells x of a row of a observations and the class totals b. */
static inline splitcrit_real splitcrit_apart(const int64_t *cells, const int64_t *columns, int64_t k, int64_t a, int64_t n) {
    splitcrit_real square;
    splitcrit_real x;
    square = splitcrit_real_of(0);
    for (int64_t j = 0; j < k; j++) {
        x = splitcrit_real_of(((n * cells[j]) - (a * columns[j])));
        square = splitcrit_add(square, splitcrit_multiply(x, x));
    }
    return square;
}

/* The standard deviations of a gain above its mean, 0 where the variance is 0 or the two agree. */
static inline double splitcrit_standard(splitcrit_real gain, splitcrit_real mean, splitcrit_real variance) {
    double above;
    double least;
    int apart;
    above = splitcrit_value(splitcrit_subtract(gain, mean));
    least = (1e-28 * splitcrit_value(gain));
    apart = (above > least) || (above < -least);
    return (((apart) && (splitcrit_value(variance) > 0.0)) ? (above / sqrt(splitcrit_value(variance))) : 0.0);
}

/* The Gini gain of a table in standard deviations above its mean over all permutations of the labels.
 *
 * The cell of row i and class j stands at table[i * k + j]; work is room for r + k integers. 0 where the variance is
 * 0, and where gain and mean agree in 28 digits. NaN where counts are negative, their sum exceeds 2^31 - 1, or r or k
 * is below 1.
 */
SPLITCRIT_API double splitcrit_sgini(const int64_t *table, int64_t r, int64_t k, int64_t *work) {
    int64_t *rows;
    int64_t *columns;
    int64_t n;
    splitcrit_real gain;
    rows = work;
    columns = (work + r);
    n = splitcrit_margins(table, r, k, rows, columns);
    if (n < 0) {
        return NAN;
    }
    gain = splitcrit_real_of(0);
    for (int64_t i = 0; i < r; i++) {
        if (rows[i] > 0) {
            gain = splitcrit_add(gain, splitcrit_divide(splitcrit_divide(splitcrit_divide(splitcrit_apart((table + (i * k)), columns, k, rows[i], n), splitcrit_real_of(rows[i])), splitcrit_real_of(n)), splitcrit_real_of((n * n))));
        }
    }
    return splitcrit_standard(gain, splitcrit_mean_of(rows, r, columns, k, n), splitcrit_variance_of(rows, r, columns, k, n));
}

/* Set scores[i], for i < r - 1, to SGini of the rows up to i against the rows after i.
 *
 * The rows are the values of a feature in their order, and the table is that of sgini; work is room for r + 2 k
 * integers. The score is 0 where one side is empty. Returns 0, or -1 where sgini returns NaN; then no score is set.
 */
SPLITCRIT_API int64_t splitcrit_scan(const int64_t *table, int64_t r, int64_t k, double *scores, int64_t *work) {
    int64_t *rows;
    int64_t *columns;
    int64_t *left;
    int64_t m;
    int64_t n;
    splitcrit_real first;
    splitcrit_real second;
    splitcrit_real chance;
    splitcrit_real gain;
    rows = work;
    columns = (work + r);
    left = (work + (r + k));
    m = 0;
    n = splitcrit_margins(table, r, k, rows, columns);
    if (n < 0) {
        return -1;
    }
    {
        splitcrit_several several = splitcrit_class_weights(columns, k, n);
        first = several.part[0];
        second = several.part[1];
    }
    chance = splitcrit_mean_by_pairs(n, 2, splitcrit_same_pairs(columns, k));
    for (int64_t j = 0; j < k; j++) {
        left[j] = 0;
    }
    for (int64_t i = 0; i < (r - 1); i++) {
        for (int64_t j = 0; j < k; j++) {
            left[j] = (left[j] + table[((i * k) + j)]);
        }
        m = (m + rows[i]);
        scores[i] = 0.0;
        if ((m > 0) && (m < n)) {
            gain = splitcrit_divide(splitcrit_divide(splitcrit_divide(splitcrit_apart(left, columns, k, m, n), splitcrit_real_of(m)), splitcrit_real_of((n - m))), splitcrit_real_of((n * n)));
            scores[i] = splitcrit_standard(gain, chance, splitcrit_cut_variance(n, m, first, second));
        }
    }
    return 0;
}

/* T UP^e with t between LOW and HIGH, where it was within a factor of UP of that. */
static inline splitcrit_several splitcrit_scaled(splitcrit_real t, splitcrit_real e) {
    splitcrit_several results;
    if (splitcrit_value(t) > 1.157920892373162e+77) {
        results.part[0] = splitcrit_multiply(t, splitcrit_wide(7.458340731200207e-155));
        results.part[1] = splitcrit_add(e, splitcrit_real_of(1));
        return results;
    }
    if ((splitcrit_value(t) < 8.636168555094445e-78) && (splitcrit_value(t) > 0.0)) {
        results.part[0] = splitcrit_multiply(t, splitcrit_wide(1.3407807929942597e+154));
        results.part[1] = splitcrit_subtract(e, splitcrit_real_of(1));
        return results;
    }
    results.part[0] = t;
    results.part[1] = e;
    return results;
}

/* T UP^e + more UP^f; the smaller is left out where it is less than 2^-512 of the larger. */
static inline splitcrit_several splitcrit_added(splitcrit_real t, splitcrit_real e, splitcrit_real more, splitcrit_real f) {
    double apart;
    splitcrit_several results;
    apart = splitcrit_value(splitcrit_subtract(e, f));
    if ((splitcrit_value(t) == 0.0) || (apart < -1.5)) {
        results.part[0] = more;
        results.part[1] = f;
        return results;
    }
    if (apart > 1.5) {
        results.part[0] = t;
        results.part[1] = e;
        return results;
    }
    if (apart < -0.5) {
        results.part[0] = splitcrit_add(more, splitcrit_multiply(t, splitcrit_wide(7.458340731200207e-155)));
        results.part[1] = f;
        return results;
    }
    if (apart > 0.5) {
        results.part[0] = splitcrit_add(t, splitcrit_multiply(more, splitcrit_wide(7.458340731200207e-155)));
        results.part[1] = e;
        return results;
    }
    return splitcrit_scaled(splitcrit_add(t, more), e);
}

/* T UP^e, at most 1, or its logarithm. */
static inline double splitcrit_probability(splitcrit_real t, splitcrit_real e, int64_t log_p) {
    double p;
    double power;
    p = splitcrit_value(t);
    power = splitcrit_value(e);
    if (log_p != 0) {
        p = (log(p) + (power * 354.891356446692));
        return ((p > 0.0) ? 0.0 : p);
    }
    while ((power < 0.0) && (p > 0.0)) {
        p = (p * 7.458340731200207e-155);
        power = (power + 1.0);
    }
    if (power > 0.0) {
        p = (p * 1.3407807929942597e+154);
    }
    return ((p > 1.0) ? 1.0 : p);
}

/* The chance of y + step good ones among draws of n over that of y, 0 without one; step is 1 or -1. */
static inline splitcrit_real splitcrit_neighbour(int64_t n, int64_t good, int64_t draws, int64_t y, int64_t step) {
    if (step > 0) {
        return splitcrit_divide(splitcrit_real_of(((good - y) * (draws - y))), splitcrit_real_of(((y + 1) * ((((n - good) - draws) + y) + 1))));
    }
    return splitcrit_divide(splitcrit_real_of((y * (((n - good) - draws) + y))), splitcrit_real_of((((good - y) + 1) * ((draws - y) + 1))));
}

/* The probability of a Gini gain at least that of a table of two rows and two classes, under permutations.
 *
 * The table is 4 counts, row by row. With log_p other than 0, the logarithm of it. It is 1 where the gain is the same
 * for every permutation. NaN where a count is negative or their sum exceeds 2^31 - 1. Right to a relative error of
 * 1e-15; a p-value below 5e-324 is 0, and one below 2e-308 has fewer digits, but not its logarithm. Time grows with
 * the distance of a count from its mean, some 15 nanoseconds for each observation, and with the standard deviation.
 */
SPLITCRIT_API double splitcrit_gini_pvalue(const int64_t *table, int64_t log_p) {
    int64_t n;
    int64_t a;
    int64_t b;
    int64_t x;
    int64_t distance;
    int64_t at;
    splitcrit_real tail;
    splitcrit_real w;
    splitcrit_real every;
    splitcrit_real height;
    splitcrit_real power;
    splitcrit_real e;
    double apart;
    n = splitcrit_size(table, 4);
    if (n < 0) {
        return NAN;
    }
    a = (table[0] + table[1]);
    b = (table[0] + table[2]);
    x = table[0];
    if ((a == 0) || (a == n) || (b == 0) || (b == n)) {
        return ((log_p != 0) ? 0.0 : 1.0);
    }
    if ((n * x) > (a * b)) {
        b = (n - b);
        x = (a - x);
    }
    distance = ((a * b) - (n * x));
    at = x;
    tail = splitcrit_real_of(1);
    w = splitcrit_neighbour(n, b, a, x, -1);
    while (splitcrit_value(w) > (1e-36 * splitcrit_value(tail))) {
        tail = splitcrit_add(tail, w);
        at = (at - 1);
        w = splitcrit_multiply(w, splitcrit_neighbour(n, b, a, at, -1));
    }
    every = tail;
    height = splitcrit_real_of(0);
    power = splitcrit_real_of(0);
    e = splitcrit_real_of(0);
    at = x;
    w = splitcrit_neighbour(n, b, a, x, 1);
    while (splitcrit_value(w) > 0.0) {
        at = (at + 1);
        {
            splitcrit_several several = splitcrit_scaled(w, e);
            w = several.part[0];
            e = several.part[1];
        }
        {
            splitcrit_several several = splitcrit_added(every, height, w, e);
            every = several.part[0];
            height = several.part[1];
        }
        if (((n * at) - (a * b)) >= distance) {
            {
                splitcrit_several several = splitcrit_added(tail, power, w, e);
                tail = several.part[0];
                power = several.part[1];
            }
        }
        apart = splitcrit_value(splitcrit_subtract(e, power));
        w = splitcrit_multiply(w, splitcrit_neighbour(n, b, a, at, 1));
        if (((n * at) > (a * b)) && ((apart < -1.5) || ((apart == 0.0) && (splitcrit_value(w) < (1e-36 * splitcrit_value(tail)))))) {
            w = splitcrit_real_of(0);
        }
    }
    return splitcrit_probability(splitcrit_divide(tail, every), splitcrit_subtract(power, height), log_p);
}

/* The root of a number that is not negative, by a step of Newton's from that of a float. */
static inline splitcrit_real splitcrit_square_root(splitcrit_real x) {
    splitcrit_real y;
    if (splitcrit_value(x) <= 0.0) {
        return splitcrit_real_of(0);
    }
    y = splitcrit_wide(sqrt(splitcrit_value(x)));
    return splitcrit_add(y, splitcrit_divide(splitcrit_subtract(x, splitcrit_multiply(y, y)), splitcrit_add(y, y)));
}

/* Level and scale of a cut of m of n observations: d^2 = level + scale score, with d = n x - m b.
 *
 * b of the n are of the first class, and x of the m. The weights of the classes are first and second, pairs is their
 * same_pairs. The score is SGini; or d^2 for the pairwise gain, and d^2 / (m (n - m)) for Gini's, which grow with
 * these. A scale of 0 says that all tables of the cut score 0.
 */
static inline splitcrit_several splitcrit_score_line(int64_t n, int64_t m, int64_t pairs, splitcrit_real first, splitcrit_real second, int64_t statistic) {
    splitcrit_several results;
    splitcrit_real unit;
    if (statistic == 2) {
        results.part[0] = splitcrit_real_of(0);
        results.part[1] = splitcrit_real_of(1);
        return results;
    }
    if (statistic == 1) {
        results.part[0] = splitcrit_real_of(0);
        results.part[1] = splitcrit_multiply(splitcrit_real_of(m), splitcrit_real_of((n - m)));
        return results;
    }
    unit = splitcrit_divide(splitcrit_multiply(splitcrit_multiply(splitcrit_real_of(m), splitcrit_real_of((n - m))), splitcrit_real_of((n * n))), splitcrit_real_of(2));
    results.part[0] = splitcrit_multiply(unit, splitcrit_mean_by_pairs(n, 2, pairs));
    results.part[1] = splitcrit_multiply(unit, splitcrit_square_root(splitcrit_cut_variance(n, m, first, second)));
    return results;
}

/* The largest score of a cut, and how many rows are to its left, 0 if there is no cut. */
static inline splitcrit_several splitcrit_best_score(const int64_t *table, int64_t r, int64_t min_leaf, int64_t statistic, int64_t n, int64_t ones, const int64_t *columns) {
    int64_t pairs;
    int64_t m;
    int64_t x;
    splitcrit_real cut;
    splitcrit_real best;
    splitcrit_real first;
    splitcrit_real second;
    splitcrit_real d;
    splitcrit_real level;
    splitcrit_real scale;
    splitcrit_real score;
    double above;
    double size_of;
    splitcrit_several results;
    pairs = splitcrit_same_pairs(columns, 2);
    m = 0;
    x = 0;
    cut = splitcrit_real_of(0);
    best = splitcrit_real_of(0);
    {
        splitcrit_several several = splitcrit_class_weights(columns, 2, n);
        first = several.part[0];
        second = several.part[1];
    }
    for (int64_t i = 0; i < (r - 1); i++) {
        m = (m + (table[(2 * i)] + table[((2 * i) + 1)]));
        x = (x + table[(2 * i)]);
        if ((m >= min_leaf) && ((n - m) >= min_leaf) && (m > 0) && (m < n)) {
            d = splitcrit_real_of(((n * x) - (m * ones)));
            {
                splitcrit_several several = splitcrit_score_line(n, m, pairs, first, second, statistic);
                level = several.part[0];
                scale = several.part[1];
            }
            score = ((splitcrit_value(scale) > 0.0) ? splitcrit_divide(splitcrit_subtract(splitcrit_multiply(d, d), level), scale) : splitcrit_real_of(0));
            above = splitcrit_value(splitcrit_subtract(score, best));
            size_of = splitcrit_value(best);
            if ((splitcrit_value(cut) == 0.0) || (above > (1e-24 * ((size_of > 0.0) ? size_of : -size_of)))) {
                best = score;
                cut = splitcrit_real_of((i + 1));
            }
        }
    }
    results.part[0] = best;
    results.part[1] = cut;
    return results;
}

/* Set the totals of two classes and return their sum; -1 where the arguments ask for nothing. */
static inline int64_t splitcrit_two_classes(const int64_t *table, int64_t r, int64_t min_leaf, int64_t statistic, int64_t *columns) {
    if ((r < 1) || (min_leaf < 0) || (statistic < 0) || (statistic > 2) || (splitcrit_size(table, (2 * r)) < 0)) {
        return -1;
    }
    columns[0] = 0;
    columns[1] = 0;
    for (int64_t i = 0; i < r; i++) {
        columns[0] = (columns[0] + table[(2 * i)]);
        columns[1] = (columns[1] + table[((2 * i) + 1)]);
    }
    return splitcrit_size(columns, 2);
}

/* The number of rows of a table of two classes left of its best cut, the first of those that tie.
 *
 * The rows are the values of a feature in their order; the table is r pairs of counts. A cut leaves at least min_leaf
 * observations on both sides. The statistic is 0 for SGini, 1 for the Gini gain, 2 for the pairwise gain. work is room
 * for 2 integers. 0 where there is no cut, or one class; -1 where counts are negative, their sum exceeds 2^31 - 1, r
 * is below 1, min_leaf is negative, or there is no such statistic. Scores that agree in 24 digits tie.
 */
SPLITCRIT_API int64_t splitcrit_best_cut(const int64_t *table, int64_t r, int64_t min_leaf, int64_t statistic, int64_t *work) {
    int64_t n;
    splitcrit_real cut;
    n = splitcrit_two_classes(table, r, min_leaf, statistic, work);
    if ((n < 0) || (work[0] == 0) || (work[1] == 0)) {
        return ((n >= 0) ? 0 : -1);
    }
    {
        splitcrit_several several = splitcrit_best_score(table, r, min_leaf, statistic, n, work[0], work);
        cut = several.part[1];
    }
    return (int64_t)(splitcrit_value(cut));
}

/* Whether the table of x ones among m scores less, or lies on the other side of the mean. */
static inline int splitcrit_below(int64_t n, int64_t ones, int64_t m, int64_t x, int64_t side, splitcrit_real bar) {
    int64_t d;
    d = (((n * x) - (m * ones)) * side);
    return (d < 0) || (splitcrit_value(splitcrit_subtract(splitcrit_multiply(splitcrit_real_of(d), splitcrit_real_of(d)), bar)) < 0.0);
}

/* The last x from left to right whose table scores less, the first if side is -1; none gives one outside. */
static inline int64_t splitcrit_end_inside(int64_t n, int64_t ones, int64_t m, int64_t left, int64_t right, splitcrit_real bar, int64_t side) {
    double reach;
    int64_t x;
    reach = ((splitcrit_value(bar) > 0.0) ? sqrt(splitcrit_value(bar)) : 0.0);
    x = (int64_t)((((double)((m * ones)) + ((double)(side) * reach)) / (double)(n)));
    x = ((x < left) ? left : ((x > right) ? right : x));
    while (((x + side) >= left) && ((x + side) <= right) && (splitcrit_below(n, ones, m, (x + side), side, bar))) {
        x = (x + side);
    }
    while ((x >= left) && (x <= right) && (!(splitcrit_below(n, ones, m, x, side, bar)))) {
        x = (x - side);
    }
    return x;
}

/* The chance h UP^e of x ones among m of n labels, moved to that of to_x ones among to_m, m or more. */
static inline splitcrit_several splitcrit_moved(splitcrit_real h, splitcrit_real e, int64_t n, int64_t ones, int64_t m, int64_t x, int64_t to_m, int64_t to_x) {
    int64_t at;
    int64_t taken;
    int64_t aside;
    splitcrit_several results;
    at = x;
    for (int64_t step = 0; step < (to_m - m); step++) {
        taken = (m + step);
        if (at >= to_x) {
            h = splitcrit_divide(splitcrit_multiply(h, splitcrit_real_of(((taken + 1) * (((n - taken) - ones) + at)))), splitcrit_real_of((((taken + 1) - at) * (n - taken))));
        }
        if (at < to_x) {
            h = splitcrit_divide(splitcrit_multiply(h, splitcrit_real_of(((taken + 1) * (ones - at)))), splitcrit_real_of(((at + 1) * (n - taken))));
            at = (at + 1);
        }
        {
            splitcrit_several several = splitcrit_scaled(h, e);
            h = several.part[0];
            e = several.part[1];
        }
    }
    while (at != to_x) {
        aside = ((at < to_x) ? 1 : -1);
        {
            splitcrit_several several = splitcrit_scaled(splitcrit_multiply(h, splitcrit_neighbour(n, ones, to_m, at, aside)), e);
            h = several.part[0];
            e = several.part[1];
        }
        at = (at + aside);
    }
    results.part[0] = h;
    results.part[1] = e;
    return results;
}

/* The probability, under permutations, that the best cut of a feature scores so high; of two classes.
 *
 * The arguments are those of best_cut, which finds the cut. With log_p other than 0, the logarithm. chances is room
 * for 3 doubles and one for each observation of the rarer class, work for 2 integers. It is 1 where there is no cut,
 * or one class. NaN where best_cut returns -1. Right to a relative error of 4e-16 n + 1e-15 with n observations; a
 * p-value below 5e-324 is 0, and one below 2e-308 has fewer digits, but not its logarithm. Time is O(n) times the
 * width of the region of lower scores, which is about the root of n unless the score is extreme.
 */
SPLITCRIT_API double splitcrit_selected_pvalue(const int64_t *table, int64_t r, int64_t min_leaf, int64_t statistic, int64_t log_p, double *chances, int64_t *work) {
    int64_t n;
    splitcrit_real best;
    splitcrit_real cut;
    int64_t ones;
    int64_t pairs;
    splitcrit_real first;
    splitcrit_real second;
    int64_t m;
    int64_t place;
    int64_t left;
    int64_t right;
    splitcrit_real total;
    splitcrit_real power;
    splitcrit_real low;
    splitcrit_real low_e;
    int64_t low_m;
    int64_t low_x;
    splitcrit_real high;
    splitcrit_real high_e;
    int64_t high_m;
    int64_t high_x;
    int64_t taken;
    int64_t at;
    splitcrit_real level;
    splitcrit_real scale;
    splitcrit_real above;
    splitcrit_real bar;
    int64_t least;
    int64_t most;
    n = splitcrit_two_classes(table, r, min_leaf, statistic, work);
    if (n < 0) {
        return NAN;
    }
    {
        splitcrit_several several = splitcrit_best_score(table, r, min_leaf, statistic, n, work[0], work);
        best = several.part[0];
        cut = several.part[1];
    }
    ones = ((work[0] < work[1]) ? work[0] : work[1]);
    if ((splitcrit_value(cut) == 0.0) || (ones == 0)) {
        return ((log_p != 0) ? 0.0 : 1.0);
    }
    pairs = splitcrit_same_pairs(work, 2);
    {
        splitcrit_several several = splitcrit_class_weights(work, 2, n);
        first = several.part[0];
        second = several.part[1];
    }
    for (int64_t x = 0; x < (ones + 3); x++) {
        chances[x] = 0.0;
    }
    chances[1] = 1.0;
    m = 0;
    place = 0;
    left = 0;
    right = 0;
    total = splitcrit_real_of(0);
    power = splitcrit_real_of(0);
    low = splitcrit_real_of(1);
    low_e = splitcrit_real_of(0);
    low_m = 0;
    low_x = 0;
    high = splitcrit_real_of(1);
    high_e = splitcrit_real_of(0);
    high_m = 0;
    high_x = 0;
    for (int64_t i = 0; i < (r - 1); i++) {
        taken = (table[(2 * i)] + table[((2 * i) + 1)]);
        place = (place + taken);
        if ((taken > 0) && (place < n) && ((n - place) >= min_leaf)) {
            for (int64_t t = 0; t < taken; t++) {
                m = (((place - taken) + t) + 1);
                left = ((left > ((m - n) + ones)) ? left : ((m - n) + ones));
                right = ((right < ones) ? (right + 1) : ones);
                for (int64_t j = 0; j < ((right - left) + 1); j++) {
                    at = (right - j);
                    chances[(at + 1)] = (((chances[(at + 1)] * (double)((m - at))) + (chances[at] * (double)(at))) / (double)(m));
                }
            }
            if (m >= min_leaf) {
                {
                    splitcrit_several several = splitcrit_score_line(n, m, pairs, first, second, statistic);
                    level = several.part[0];
                    scale = several.part[1];
                }
                above = splitcrit_multiply(scale, best);
                bar = splitcrit_subtract(splitcrit_add(level, above), splitcrit_multiply(splitcrit_wide(1e-24), splitcrit_add(level, ((splitcrit_value(best) > 0.0) ? above : splitcrit_subtract(splitcrit_real_of(0), above)))));
                least = splitcrit_end_inside(n, ones, m, left, right, bar, -1);
                most = splitcrit_end_inside(n, ones, m, left, right, bar, 1);
                if (splitcrit_value(scale) == 0.0) {
                    least = ((splitcrit_value(best) > 0.0) ? left : (right + 1));
                    most = right;
                }
                least = ((least <= most) ? least : (right + 1));
                most = ((least <= most) ? most : right);
                for (int64_t j = 0; j < (least - left); j++) {
                    at = (left + j);
                    if (chances[(at + 1)] > 1e-200) {
                        {
                            splitcrit_several several = splitcrit_moved(low, low_e, n, ones, low_m, low_x, m, at);
                            low = several.part[0];
                            low_e = several.part[1];
                        }
                        low_m = m;
                        low_x = at;
                        {
                            splitcrit_several several = splitcrit_added(total, power, splitcrit_multiply(low, splitcrit_wide(chances[(at + 1)])), low_e);
                            total = several.part[0];
                            power = several.part[1];
                        }
                    }
                    chances[(at + 1)] = 0.0;
                }
                for (int64_t j = 0; j < (right - most); j++) {
                    at = ((most + j) + 1);
                    if (chances[(at + 1)] > 1e-200) {
                        {
                            splitcrit_several several = splitcrit_moved(high, high_e, n, ones, high_m, high_x, m, at);
                            high = several.part[0];
                            high_e = several.part[1];
                        }
                        high_m = m;
                        high_x = at;
                        {
                            splitcrit_several several = splitcrit_added(total, power, splitcrit_multiply(high, splitcrit_wide(chances[(at + 1)])), high_e);
                            total = several.part[0];
                            power = several.part[1];
                        }
                    }
                    chances[(at + 1)] = 0.0;
                }
                if (least > right) {
                    return splitcrit_probability(total, power, log_p);
                }
                left = least;
                right = most;
            }
        }
    }
    return splitcrit_probability(total, power, log_p);
}

/* The mean of values[y], with y good ones among draws of n. */
static inline splitcrit_real splitcrit_expected(const double *values, int64_t n, int64_t good, int64_t draws) {
    int64_t top;
    splitcrit_real whole;
    splitcrit_real total;
    int64_t y;
    int64_t step;
    splitcrit_real w;
    top = (((good + 1) * (draws + 1)) / (n + 2));
    whole = splitcrit_real_of(1);
    total = splitcrit_wide(values[top]);
    for (int64_t side = 0; side < 2; side++) {
        y = top;
        step = (1 - (2 * side));
        w = splitcrit_neighbour(n, good, draws, top, (1 - (2 * side)));
        while (splitcrit_value(w) > 1e-36) {
            y = (y + step);
            whole = splitcrit_add(whole, w);
            total = splitcrit_add(total, splitcrit_multiply(w, splitcrit_wide(values[y])));
            w = splitcrit_multiply(w, splitcrit_neighbour(n, good, draws, y, step));
        }
    }
    return splitcrit_divide(total, whole);
}

/* The mean of the sum over classes, but for one of them, when m of n observations of the others are left. */
static inline splitcrit_real splitcrit_mean_of_cells(const double *values, const int64_t *columns, int64_t k, int64_t n, int64_t m, int64_t without) {
    splitcrit_real mean;
    int64_t place;
    mean = splitcrit_real_of(0);
    place = 0;
    for (int64_t i = 0; i < k; i++) {
        if (i != without) {
            mean = splitcrit_add(mean, splitcrit_expected((values + place), n, columns[i], m));
        }
        place = (place + (columns[i] + 1));
    }
    return mean;
}

/* The shift of the sum by y of class j, from its mean, times that of the part of the class. */
static inline splitcrit_real splitcrit_product(const double *values, const int64_t *columns, int64_t k, int64_t n, int64_t m, int64_t j, int64_t y, int64_t place, splitcrit_real mean, splitcrit_real own) {
    splitcrit_real x;
    x = splitcrit_wide(values[(place + y)]);
    return splitcrit_multiply(splitcrit_subtract(splitcrit_add(x, splitcrit_mean_of_cells(values, columns, k, (n - columns[j]), (m - y), j)), mean), splitcrit_subtract(x, own));
}

/* The covariance of the sum and the part of class j, whose values begin at a place. */
static inline splitcrit_real splitcrit_corner(const double *values, const int64_t *columns, int64_t k, int64_t n, int64_t m, int64_t j, int64_t place, splitcrit_real mean) {
    int64_t good;
    splitcrit_real own;
    int64_t top;
    splitcrit_real whole;
    splitcrit_real total;
    int64_t y;
    int64_t step;
    splitcrit_real w;
    good = columns[j];
    own = splitcrit_expected((values + place), n, columns[j], m);
    top = (((good + 1) * (m + 1)) / (n + 2));
    whole = splitcrit_real_of(1);
    total = splitcrit_product(values, columns, k, n, m, j, top, place, mean, own);
    for (int64_t side = 0; side < 2; side++) {
        y = top;
        step = (1 - (2 * side));
        w = splitcrit_neighbour(n, good, m, top, (1 - (2 * side)));
        while (splitcrit_value(w) > 1e-36) {
            y = (y + step);
            whole = splitcrit_add(whole, w);
            total = splitcrit_add(total, splitcrit_multiply(w, splitcrit_product(values, columns, k, n, m, j, y, place, mean, own)));
            w = splitcrit_multiply(w, splitcrit_neighbour(n, good, m, y, step));
        }
    }
    return splitcrit_divide(total, whole);
}

/* The mean, under permutations, of a sum over classes of a function of the class's count on the left.
 *
 * Of observations with the k class totals, m lie on the left. The function of class j at y = 0, ..., columns[j] is
 * values[b + y], with b values of the classes before; entropy_cells sets those of the information gain. NaN where
 * totals are negative, their sum exceeds 2^31 - 1, k is below 1, m is below 0 or above the sum, or a value is not
 * finite. The error is below 1e-26 k times the largest value, beside rounding once to a double. Time is O(k) times the
 * width of the law of a count.
 */
SPLITCRIT_API double splitcrit_cell_mean(const double *values, const int64_t *columns, int64_t k, int64_t m) {
    int64_t n;
    n = splitcrit_size(columns, k);
    return (((n >= 0) && (m >= 0) && (m <= n)) ? splitcrit_value(splitcrit_mean_of_cells(values, columns, k, n, m, -1)) : NAN);
}

/* The variance, under permutations, of a sum over classes; arguments and NaN as for cell_mean.
 *
 * The error is below 1e-26 k^2 times the square of the largest value, beside rounding once to a double. Time is O(k^2)
 * times the square of the width of the law of a count, which is about ten standard deviations to either side.
 */
SPLITCRIT_API double splitcrit_cell_variance(const double *values, const int64_t *columns, int64_t k, int64_t m) {
    int64_t n;
    splitcrit_real mean;
    splitcrit_real variance;
    int64_t place;
    n = splitcrit_size(columns, k);
    if ((n < 0) || (m < 0) || (m > n)) {
        return NAN;
    }
    mean = splitcrit_mean_of_cells(values, columns, k, n, m, -1);
    variance = splitcrit_real_of(0);
    place = 0;
    for (int64_t j = 0; j < k; j++) {
        variance = splitcrit_add(variance, splitcrit_corner(values, columns, k, n, m, j, place, mean));
        place = (place + (columns[j] + 1));
    }
    return ((splitcrit_value(variance) < 0.0) ? 0.0 : splitcrit_value(variance));
}

/* ``x log(x n / (m b))``, 0 for x = 0. */
static inline double splitcrit_half(int64_t x, int64_t n, int64_t m, int64_t b) {
    return ((x > 0) ? ((double)(x) * log1p(((double)(((n * x) - (m * b))) / ((double)(m) * (double)(b))))) : 0.0);
}

/* Set the values of which cell_mean and cell_variance make the moments of the information gain, in nats.
 *
 * values is room for k doubles and one for each observation. The gain is the mutual information of side and class: a
 * class of b observations, y of them on the left, adds y log(y n / (m b)) + (b - y) log((b - y) n / ((n - m) b)),
 * over n. Returns 0, or -1 where the totals and m give NaN in cell_mean; then no value is set.
 */
SPLITCRIT_API int64_t splitcrit_entropy_cells(const int64_t *columns, int64_t k, int64_t m, double *values) {
    int64_t n;
    int64_t place;
    int64_t b;
    int possible;
    n = splitcrit_size(columns, k);
    place = 0;
    if ((n < 0) || (m < 0) || (m > n)) {
        return -1;
    }
    for (int64_t j = 0; j < k; j++) {
        b = columns[j];
        for (int64_t y = 0; y < (b + 1); y++) {
            possible = (y <= m) && ((b - y) <= (n - m));
            values[(place + y)] = (((possible) && (n > 0)) ? ((splitcrit_half(y, n, m, b) + splitcrit_half((b - y), n, (n - m), b)) / (double)(n)) : 0.0);
        }
        place = (place + (b + 1));
    }
    return 0;
}

/* The mean gain by chance of the best partition, or of no split, of r levels of a category in boosting.
 *
 * A node where no partition gains is not split and counts as 0. g, gg, h, hh and gh are the sums of g, g^2, h, h^2 and
 * g h over the rows of the node, lam is the penalty. NaN where sizes are negative or sum to less than 2 or more than
 * 2^31 - 1, where h is not positive or lam negative, where a level has fewer than five expected events, and where the
 * penalty of the node's own value lowers the gain by more than a tenth, which the closed form overstates. The gain has
 * no factor of 1/2.
 */
SPLITCRIT_API double splitcrit_closed_excess_gain(const int64_t *sizes, int64_t r, double g, double gg, double h, double hh, double gh, double lam) {
    int64_t n;
    int64_t least;
    double roots;
    double total;
    double w;
    double rest;
    double variance;
    double spread;
    n = 0;
    least = 2147483647;
    roots = 0.0;
    for (int64_t i = 0; i < r; i++) {
        if ((sizes[i] < 0) || (sizes[i] > (2147483647 - n))) {
            return NAN;
        }
        n = (n + sizes[i]);
        if (sizes[i] > 0) {
            roots = (roots + sqrt(splitcrit_value(splitcrit_real_of(sizes[i]))));
        }
        if ((sizes[i] > 0) && (sizes[i] < least)) {
            least = sizes[i];
        }
    }
    total = splitcrit_value(splitcrit_real_of(n));
    if ((n < 2) || (h <= 0.0) || (lam < 0.0) || ((splitcrit_value(splitcrit_real_of(least)) * h) < (5.0 * total))) {
        return NAN;
    }
    w = (g / (h + lam));
    rest = (g - (w * h));
    variance = ((((gg - ((2.0 * w) * gh)) + ((w * w) * hh)) - ((rest * rest) / total)) / (total - 1.0));
    spread = (((0.6366197723675814 * variance) * roots) * roots);
    if (((lam * g) * w) > (0.1 * spread)) {
        return NAN;
    }
    return ((spread - ((lam * g) * w)) / (h + (2.0 * lam)));
}

#endif
