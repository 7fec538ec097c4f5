/* splitcrit.h: exact statistics of split criteria of a contingency table, under permutations of the labels.
 *
 * Printed by splitcrit $version (`splitcrit header`) from the formulas of the library; do not edit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * C99 or C++11; no allocation, no state, no other file. Link the library of mathematics (-lm). Compile without
 * -ffast-math. The functions to call, at the end of this file:
 *
$offered
 *
 * Counts are 64-bit integers that are not negative and sum to $largest at most; rows are values of a feature, columns
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

$functions

#endif
