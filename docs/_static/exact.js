/* exact.js: exact statistics of the Gini gain of a contingency table, under permutations of the labels.
 *
 * Printed by splitcrit (`python -m splitcrit.export.javascript`) from the formulas of the library; do not edit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Integers are BigInt, margins and tables are BigInt64Array, a table lies row by row; `mean_of`, `variance_of` and
 * `third_of` return fractions {numerator, denominator}, the others doubles.
 */
"use strict";
const splitcrit = (() => {

const NAN = NaN, sqrt = Math.sqrt;

/* A rational number in lowest terms; the denominator is positive. */
function splitcrit_fraction(numerator, denominator) {
    let a = numerator < 0n ? -numerator : numerator, b = denominator < 0n ? -denominator : denominator;
    while (b > 0n) [a, b] = [b, a % b];
    if (denominator < 0n) a = -a;
    return {numerator: numerator / a, denominator: denominator / a};
}

function splitcrit_real_of(x) {
    return {numerator: x, denominator: 1n};
}

/* How many digits an integer has in base 2. */
function splitcrit_bits(x) {
    const digits = (x < 0n ? -x : x).toString(16);
    return 4 * digits.length - Math.clz32(parseInt(digits[0], 16)) + 28;
}

/* The double nearest to a number: 66 bits of the quotient, the last of which says whether something is left. */
function splitcrit_value(x) {
    if (x.numerator === 0n) return 0;
    const shift = 66 - splitcrit_bits(x.numerator) + splitcrit_bits(x.denominator);
    const above = x.numerator << BigInt(Math.max(shift, 0)), below = x.denominator << BigInt(Math.max(-shift, 0));
    let quotient = above / below;
    if (quotient * below !== above && (quotient & 1n) === 0n) quotient += x.numerator < 0n ? -1n : 1n;
    const half = Math.trunc(shift / 2);
    return Number(quotient) * 2 ** -half * 2 ** (half - shift);
}

function splitcrit_add(a, b) {
    return splitcrit_fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

function splitcrit_subtract(a, b) {
    return splitcrit_fraction(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);
}

function splitcrit_multiply(a, b) {
    return splitcrit_fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

function splitcrit_divide(a, b) {
    return splitcrit_fraction(a.numerator * b.denominator, a.denominator * b.numerator);
}

/* An array from an index on, which shares its entries. */
function splitcrit_tail(array, start) {
    return array.subarray(Number(start));
}

function splitcrit_formula_signed_square(above, variance) {
    let v0 = splitcrit_multiply(above, above);
    let v1 = splitcrit_divide(v0, variance);
    return v1;
}

function splitcrit_formula_mean(n, r, unlike) {
    let v0 = splitcrit_subtract(r, splitcrit_real_of(1n));
    let v1 = splitcrit_multiply(v0, unlike);
    let v2 = splitcrit_subtract(n, splitcrit_real_of(1n));
    let v3 = splitcrit_multiply(n, n);
    let v4 = splitcrit_multiply(v2, v3);
    let v5 = splitcrit_divide(v1, v4);
    return v5;
}

function splitcrit_formula_uneven_class(b, apart) {
    let v0 = splitcrit_multiply(apart, apart);
    let v1 = splitcrit_multiply(b, v0);
    return v1;
}

function splitcrit_formula_thick_class(n, b, others) {
    let v0 = splitcrit_subtract(b, splitcrit_real_of(1n));
    let v1 = splitcrit_multiply(b, v0);
    let v2 = splitcrit_subtract(n, b);
    let v3 = splitcrit_subtract(v2, splitcrit_real_of(1n));
    let v4 = splitcrit_multiply(v2, v3);
    let v5 = splitcrit_add(v4, others);
    let v6 = splitcrit_multiply(v1, v5);
    return v6;
}

function splitcrit_formula_uneven_weight(n, uneven) {
    let v0 = splitcrit_multiply(splitcrit_real_of(4n), uneven);
    let v1 = splitcrit_subtract(n, splitcrit_real_of(1n));
    let v2 = splitcrit_subtract(n, splitcrit_real_of(2n));
    let v3 = splitcrit_multiply(v2, v2);
    let v4 = splitcrit_multiply(v1, v3);
    let v5 = splitcrit_divide(v0, v4);
    let v6 = splitcrit_multiply(n, n);
    let v7 = splitcrit_multiply(v6, n);
    let v8 = splitcrit_multiply(v7, n);
    let v9 = splitcrit_divide(v5, v8);
    return v9;
}

function splitcrit_formula_thick_weight(n, thick) {
    let v0 = splitcrit_subtract(n, splitcrit_real_of(1n));
    let v1 = splitcrit_multiply(n, v0);
    let v2 = splitcrit_subtract(n, splitcrit_real_of(2n));
    let v3 = splitcrit_multiply(v1, v2);
    let v4 = splitcrit_subtract(n, splitcrit_real_of(3n));
    let v5 = splitcrit_multiply(v3, v4);
    let v6 = splitcrit_divide(thick, v5);
    let v7 = splitcrit_multiply(splitcrit_real_of(2n), v6);
    let v8 = splitcrit_multiply(v0, v2);
    let v9 = splitcrit_divide(v7, v8);
    let v10 = splitcrit_multiply(n, n);
    let v11 = splitcrit_divide(v9, v10);
    return v11;
}

function splitcrit_formula_uneven_row(n, r, a, w) {
    let v0 = splitcrit_multiply(r, a);
    let v1 = splitcrit_subtract(n, v0);
    let v2 = splitcrit_multiply(v1, v1);
    let v3 = splitcrit_multiply(v2, w);
    return v3;
}

function splitcrit_formula_thick_row(n, r, a, w) {
    let v0 = splitcrit_subtract(a, splitcrit_real_of(1n));
    let v1 = splitcrit_subtract(n, a);
    let v2 = splitcrit_subtract(v1, splitcrit_real_of(1n));
    let v3 = splitcrit_multiply(v1, v2);
    let v4 = splitcrit_multiply(v3, w);
    let v5 = splitcrit_subtract(n, r);
    let v6 = splitcrit_subtract(v5, v0);
    let v7 = splitcrit_add(v4, v6);
    let v8 = splitcrit_multiply(v0, v7);
    return v8;
}

function splitcrit_formula_variance(uneven_weight, uneven, thick_weight, thick) {
    let v0 = splitcrit_multiply(uneven_weight, uneven);
    let v1 = splitcrit_multiply(thick_weight, thick);
    let v2 = splitcrit_add(v0, v1);
    return v2;
}

function splitcrit_formula_class_block(n, b, others) {
    let v0 = splitcrit_subtract(n, b);
    let v1 = splitcrit_subtract(n, splitcrit_real_of(1n));
    let v2 = splitcrit_divide(v0, v1);
    let v3 = splitcrit_subtract(v0, splitcrit_real_of(1n));
    let v4 = splitcrit_subtract(n, splitcrit_real_of(2n));
    let v5 = splitcrit_divide(v3, v4);
    let v6 = splitcrit_multiply(v2, v5);
    let v7 = splitcrit_multiply(v1, v4);
    let v8 = splitcrit_divide(others, v7);
    let v9 = splitcrit_add(v6, v8);
    return v9;
}

function splitcrit_formula_row_block(n, r, a, w) {
    let v0 = splitcrit_subtract(n, splitcrit_real_of(1n));
    let v1 = splitcrit_subtract(n, a);
    let v2 = splitcrit_multiply(v0, v1);
    let v3 = splitcrit_multiply(v2, w);
    let v4 = splitcrit_subtract(r, splitcrit_real_of(1n));
    let v5 = splitcrit_subtract(v3, v4);
    let v6 = splitcrit_subtract(n, splitcrit_real_of(2n));
    let v7 = splitcrit_multiply(v0, v6);
    let v8 = splitcrit_divide(v5, v7);
    let v9 = splitcrit_multiply(r, a);
    let v10 = splitcrit_subtract(v9, n);
    let v11 = splitcrit_multiply(v10, w);
    let v12 = splitcrit_multiply(n, v6);
    let v13 = splitcrit_divide(v11, v12);
    let results = {part: []};
    results.part[0] = v8;
    results.part[1] = v13;
    return results;
}

function splitcrit_formula_class_across(n, b, other, rest) {
    let v0 = splitcrit_subtract(b, splitcrit_real_of(1n));
    let v1 = splitcrit_multiply(splitcrit_real_of(2n), v0);
    let v2 = splitcrit_subtract(other, splitcrit_real_of(1n));
    let v3 = splitcrit_multiply(v1, v2);
    let v4 = splitcrit_subtract(rest, v3);
    let v5 = splitcrit_subtract(n, b);
    let v6 = splitcrit_subtract(v5, other);
    let v7 = splitcrit_add(b, other);
    let v8 = splitcrit_subtract(v7, splitcrit_real_of(2n));
    let v9 = splitcrit_multiply(v6, v8);
    let v10 = splitcrit_subtract(v4, v9);
    let v11 = splitcrit_subtract(n, splitcrit_real_of(1n));
    let v12 = splitcrit_subtract(n, splitcrit_real_of(2n));
    let v13 = splitcrit_multiply(v11, v12);
    let v14 = splitcrit_divide(v10, v13);
    return v14;
}

function splitcrit_formula_row_across(n, r, w, other) {
    let v0 = splitcrit_subtract(n, splitcrit_real_of(1n));
    let v1 = splitcrit_add(w, other);
    let v2 = splitcrit_multiply(v0, v1);
    let v3 = splitcrit_subtract(n, splitcrit_real_of(2n));
    let v4 = splitcrit_add(v3, r);
    let v5 = splitcrit_subtract(v2, v4);
    let v6 = splitcrit_multiply(v0, v3);
    let v7 = splitcrit_divide(v5, v6);
    return v7;
}

function splitcrit_formula_invariant_terms(a, same, squares, cubes, apart) {
    let v0 = splitcrit_subtract(a, splitcrit_real_of(1n));
    let v1 = splitcrit_multiply(v0, same);
    let v2 = splitcrit_multiply(v1, same);
    let v3 = splitcrit_multiply(v2, same);
    let v4 = splitcrit_add(v3, cubes);
    let v5 = splitcrit_multiply(a, v4);
    let v6 = splitcrit_subtract(a, splitcrit_real_of(2n));
    let v7 = splitcrit_multiply(v6, same);
    let v8 = splitcrit_multiply(v7, same);
    let v9 = splitcrit_multiply(splitcrit_real_of(3n), squares);
    let v10 = splitcrit_add(v8, v9);
    let v11 = splitcrit_multiply(v1, v10);
    let v12 = splitcrit_multiply(a, v11);
    let v13 = splitcrit_multiply(a, apart);
    let v14 = splitcrit_add(v2, squares);
    let v15 = splitcrit_multiply(v13, v14);
    let v16 = splitcrit_multiply(a, v1);
    let v17 = splitcrit_multiply(v16, apart);
    let v18 = splitcrit_multiply(v17, apart);
    let v19 = splitcrit_multiply(apart, apart);
    let v20 = splitcrit_multiply(v19, apart);
    let v21 = splitcrit_multiply(a, v20);
    let results = {part: []};
    results.part[0] = v5;
    results.part[1] = v12;
    results.part[2] = v15;
    results.part[3] = v18;
    results.part[4] = v21;
    return results;
}

function splitcrit_formula_third_by_invariants(n0, n1, n2, n3, n4, n5, c0, c1, t0, t1, d0, d1, p0, p1, f0, f1) {
    let v0 = splitcrit_multiply(splitcrit_real_of(4n), c0);
    let v1 = splitcrit_multiply(v0, c1);
    let v2 = splitcrit_multiply(n0, n1);
    let v3 = splitcrit_divide(v1, v2);
    let v4 = splitcrit_multiply(splitcrit_real_of(24n), c0);
    let v5 = splitcrit_multiply(v4, c1);
    let v6 = splitcrit_multiply(splitcrit_real_of(8n), t0);
    let v7 = splitcrit_multiply(v6, t1);
    let v8 = splitcrit_add(v5, v7);
    let v9 = splitcrit_multiply(v2, n2);
    let v10 = splitcrit_divide(v8, v9);
    let v11 = splitcrit_add(v3, v10);
    let v12 = splitcrit_multiply(splitcrit_real_of(56n), c0);
    let v13 = splitcrit_multiply(v12, c1);
    let v14 = splitcrit_subtract(c0, t0);
    let v15 = splitcrit_multiply(splitcrit_real_of(24n), v14);
    let v16 = splitcrit_subtract(c1, t1);
    let v17 = splitcrit_multiply(v15, v16);
    let v18 = splitcrit_add(v13, v17);
    let v19 = splitcrit_multiply(v9, n3);
    let v20 = splitcrit_divide(v18, v19);
    let v21 = splitcrit_add(v11, v20);
    let v22 = splitcrit_multiply(splitcrit_real_of(2n), c0);
    let v23 = splitcrit_subtract(v22, t0);
    let v24 = splitcrit_multiply(splitcrit_real_of(2n), c1);
    let v25 = splitcrit_subtract(v24, t1);
    let v26 = splitcrit_divide(v25, v19);
    let v27 = splitcrit_multiply(v23, v26);
    let v28 = splitcrit_multiply(splitcrit_real_of(48n), v27);
    let v29 = splitcrit_divide(v28, n4);
    let v30 = splitcrit_add(v21, v29);
    let v31 = splitcrit_multiply(splitcrit_real_of(64n), v27);
    let v32 = splitcrit_multiply(n4, n5);
    let v33 = splitcrit_divide(v31, v32);
    let v34 = splitcrit_add(v30, v33);
    let v35 = splitcrit_multiply(n2, n2);
    let v36 = splitcrit_multiply(n1, n3);
    let v37 = splitcrit_multiply(v36, n4);
    let v38 = splitcrit_divide(d1, v37);
    let v39 = splitcrit_multiply(d0, v38);
    let v40 = splitcrit_multiply(n0, n3);
    let v41 = splitcrit_divide(p1, v40);
    let v42 = splitcrit_multiply(p0, v41);
    let v43 = splitcrit_add(v39, v42);
    let v44 = splitcrit_multiply(splitcrit_real_of(24n), v43);
    let v45 = splitcrit_multiply(splitcrit_real_of(8n), f0);
    let v46 = splitcrit_multiply(f1, n0);
    let v47 = splitcrit_divide(v46, n1);
    let v48 = splitcrit_multiply(v45, v47);
    let v49 = splitcrit_add(v44, v48);
    let v50 = splitcrit_multiply(v35, v49);
    let v51 = splitcrit_add(v34, v50);
    let v52 = splitcrit_multiply(n0, n0);
    let v53 = splitcrit_multiply(v52, n0);
    let v54 = splitcrit_divide(v51, v53);
    return v54;
}

/* The sum of totals, -1 where one is negative, the sum exceeds 2^31 - 1, or there are none. */
function splitcrit_size(totals, length) {
    let n;
    n = 0n;
    if (length < 1n) {
        return -1n;
    }
    for (let i = 0n; i < length; i++) {
        if ((totals[i] < 0n) || (totals[i] > (2147483647n - n))) {
            return -1n;
        }
        n = (n + totals[i]);
    }
    return n;
}

/* The number of observations of two margins, -1 where they are no margins of one table. */
function splitcrit_agreed(rows, r, columns, k) {
    let n;
    n = splitcrit_size(rows, r);
    return ((n == splitcrit_size(columns, k)) ? n : -1n);
}

/* Count the positive totals. */
function splitcrit_occurring(totals, length) {
    let count;
    count = 0n;
    for (let i = 0n; i < length; i++) {
        if (totals[i] > 0n) {
            count = (count + 1n);
        }
    }
    return count;
}

/* The sum of b (b - 1): the ordered pairs of observations that share a row or a class. */
function splitcrit_same_pairs(totals, length) {
    let pairs;
    pairs = 0n;
    for (let j = 0n; j < length; j++) {
        pairs = (pairs + (totals[j] * (totals[j] - 1n)));
    }
    return pairs;
}

/* The mean of the Gini gain for r rows that are not empty and the same_pairs of the classes. */
function splitcrit_mean_by_pairs(n, r, pairs) {
    return ((n >= 2n) ? splitcrit_formula_mean(splitcrit_real_of(n), splitcrit_real_of(r), splitcrit_real_of((((n * n) - n) - pairs))) : splitcrit_real_of(0n));
}

/* The mean of the Gini gain. */
function splitcrit_mean_of(rows, r, columns, k, n) {
    return splitcrit_mean_by_pairs(n, splitcrit_occurring(rows, r), splitcrit_same_pairs(columns, k));
}

/* The multipliers of the two factors of the rows in the variance. */
function splitcrit_class_weights(columns, k, n) {
    let results = {part: []};
    let uneven;
    let thick;
    let pairs;
    let b;
    let first;
    if (n < 3n) {
        results.part[0] = splitcrit_real_of(0n);
        results.part[1] = splitcrit_real_of(0n);
        return results;
    }
    uneven = splitcrit_real_of(0n);
    thick = splitcrit_real_of(0n);
    pairs = splitcrit_same_pairs(columns, k);
    for (let j = 0n; j < k; j++) {
        b = columns[j];
        uneven = splitcrit_add(uneven, splitcrit_formula_uneven_class(splitcrit_real_of(b), splitcrit_divide(splitcrit_real_of((((n * b) - pairs) - n)), splitcrit_real_of(n))));
        thick = splitcrit_add(thick, splitcrit_formula_thick_class(splitcrit_real_of(n), splitcrit_real_of(b), splitcrit_real_of((pairs - (b * (b - 1n))))));
    }
    first = splitcrit_formula_uneven_weight(splitcrit_real_of(n), uneven);
    results.part[0] = first;
    results.part[1] = ((n >= 4n) ? splitcrit_formula_thick_weight(splitcrit_real_of(n), thick) : splitcrit_real_of(0n));
    return results;
}

/* The terms of a row of a observations in the two factors of the rows. */
function splitcrit_row_terms(a, n, r) {
    let w;
    let results = {part: []};
    w = splitcrit_divide(splitcrit_real_of(1n), splitcrit_real_of(a));
    results.part[0] = splitcrit_formula_uneven_row(splitcrit_real_of(n), splitcrit_real_of(r), splitcrit_real_of(a), w);
    results.part[1] = splitcrit_formula_thick_row(splitcrit_real_of(n), splitcrit_real_of(r), splitcrit_real_of(a), w);
    return results;
}

/* The variance of the Gini gain of a cut of m of n observations, given the weights of the classes. */
function splitcrit_cut_variance(n, m, first, second) {
    let uneven;
    let thick;
    let more;
    let thicker;
    {
        let several = splitcrit_row_terms(m, n, 2n);
        uneven = several.part[0];
        thick = several.part[1];
    }
    {
        let several = splitcrit_row_terms((n - m), n, 2n);
        more = several.part[0];
        thicker = several.part[1];
    }
    return splitcrit_formula_variance(first, splitcrit_add(uneven, more), second, splitcrit_add(thick, thicker));
}

/* The variance of the Gini gain. */
function splitcrit_variance_of(rows, r, columns, k, n) {
    let first;
    let second;
    let uneven;
    let thick;
    let present;
    let more;
    let thicker;
    {
        let several = splitcrit_class_weights(columns, k, n);
        first = several.part[0];
        second = several.part[1];
    }
    uneven = splitcrit_real_of(0n);
    thick = splitcrit_real_of(0n);
    present = splitcrit_occurring(rows, r);
    for (let i = 0n; i < r; i++) {
        if (rows[i] > 0n) {
            {
                let several = splitcrit_row_terms(rows[i], n, present);
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
function splitcrit_mean(rows, r, columns, k) {
    let n;
    n = splitcrit_agreed(rows, r, columns, k);
    return ((n >= 0n) ? splitcrit_value(splitcrit_mean_of(rows, r, columns, k, n)) : NAN);
}

/* The variance of the Gini gain over all permutations of the labels; NaN as for the mean.
 *
 * It is 0 exactly where the gain is the same for every permutation.
 */
function splitcrit_variance(rows, r, columns, k) {
    let n;
    n = splitcrit_agreed(rows, r, columns, k);
    return ((n >= 0n) ? splitcrit_value(splitcrit_variance_of(rows, r, columns, k, n)) : NAN);
}

/* An entry within a row or a class of the matrix of row sums 0, and its part of the rest. */
function splitcrit_block(total, n, present, pairs, classes) {
    let rest;
    let results = {part: []};
    if (classes) {
        rest = splitcrit_divide(splitcrit_divide(splitcrit_real_of((((n * total) - pairs) - n)), splitcrit_real_of(n)), splitcrit_real_of((n - 2n)));
        results.part[0] = splitcrit_formula_class_block(splitcrit_real_of(n), splitcrit_real_of(total), splitcrit_real_of((pairs - (total * (total - 1n)))));
        results.part[1] = rest;
        return results;
    }
    return splitcrit_formula_row_block(splitcrit_real_of(n), splitcrit_real_of(present), splitcrit_real_of(total), splitcrit_divide(splitcrit_real_of(1n), splitcrit_real_of(total)));
}

/* An entry between two rows or two classes. */
function splitcrit_across(total, other, n, present, pairs, classes) {
    let rest;
    if (classes) {
        rest = ((pairs - (total * (total - 1n))) - (other * (other - 1n)));
        return splitcrit_formula_class_across(splitcrit_real_of(n), splitcrit_real_of(total), splitcrit_real_of(other), splitcrit_real_of(rest));
    }
    return splitcrit_formula_row_across(splitcrit_real_of(n), splitcrit_real_of(present), splitcrit_divide(splitcrit_real_of(1n), splitcrit_real_of(total)), splitcrit_divide(splitcrit_real_of(1n), splitcrit_real_of(other)));
}

/* Sum N^3, tr N^3, sum N^2 f, f'Nf and sum f^3 of the matrix N of row sums 0 and the rest f. */
function splitcrit_invariants(totals, length, n, classes) {
    let present;
    let pairs;
    let c;
    let t;
    let d;
    let p;
    let f;
    let a;
    let same;
    let apart;
    let squares;
    let cubes;
    let products;
    let triangles;
    let x;
    let other;
    let weighed;
    let y;
    let z;
    let more_c;
    let more_t;
    let more_d;
    let more_p;
    let more_f;
    let results = {part: []};
    present = splitcrit_occurring(totals, length);
    pairs = splitcrit_same_pairs(totals, length);
    c = splitcrit_real_of(0n);
    t = splitcrit_real_of(0n);
    d = splitcrit_real_of(0n);
    p = splitcrit_real_of(0n);
    f = splitcrit_real_of(0n);
    for (let i = 0n; i < length; i++) {
        if (totals[i] > 0n) {
            a = splitcrit_real_of(totals[i]);
            {
                let several = splitcrit_block(totals[i], n, present, pairs, classes);
                same = several.part[0];
                apart = several.part[1];
            }
            squares = splitcrit_real_of(0n);
            cubes = splitcrit_real_of(0n);
            products = splitcrit_real_of(0n);
            triangles = splitcrit_real_of(0n);
            for (let j = 0n; j < length; j++) {
                if ((j != i) && (totals[j] > 0n)) {
                    x = splitcrit_across(totals[i], totals[j], n, present, pairs, classes);
                    {
                        let several = splitcrit_block(totals[j], n, present, pairs, classes);
                        other = several.part[1];
                    }
                    weighed = splitcrit_multiply(splitcrit_real_of(totals[j]), x);
                    squares = splitcrit_add(squares, splitcrit_multiply(weighed, x));
                    cubes = splitcrit_add(cubes, splitcrit_multiply(splitcrit_multiply(weighed, x), x));
                    products = splitcrit_add(products, splitcrit_multiply(weighed, other));
                    for (let h = 0n; h < ((j < i) ? j : 0n); h++) {
                        if (totals[h] > 0n) {
                            y = splitcrit_across(totals[j], totals[h], n, present, pairs, classes);
                            z = splitcrit_across(totals[i], totals[h], n, present, pairs, classes);
                            triangles = splitcrit_add(triangles, splitcrit_multiply(splitcrit_multiply(weighed, splitcrit_real_of(totals[h])), splitcrit_multiply(y, z)));
                        }
                    }
                }
            }
            {
                let several = splitcrit_formula_invariant_terms(a, same, squares, cubes, apart);
                more_c = several.part[0];
                more_t = several.part[1];
                more_d = several.part[2];
                more_p = several.part[3];
                more_f = several.part[4];
            }
            c = splitcrit_add(c, more_c);
            t = splitcrit_add(splitcrit_add(t, more_t), splitcrit_multiply(splitcrit_multiply(splitcrit_real_of(6n), a), triangles));
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
function splitcrit_third_of(rows, r, columns, k, n) {
    let c;
    let t;
    let d;
    let p;
    let f;
    let cc;
    let tt;
    let dd;
    let pp;
    let ff;
    let three;
    let four;
    let five;
    if (splitcrit_value(splitcrit_variance_of(rows, r, columns, k, n)) == 0.0) {
        return splitcrit_real_of(0n);
    }
    {
        let several = splitcrit_invariants(rows, r, n, 0);
        c = several.part[0];
        t = several.part[1];
        d = several.part[2];
        p = several.part[3];
        f = several.part[4];
    }
    {
        let several = splitcrit_invariants(columns, k, n, 1);
        cc = several.part[0];
        tt = several.part[1];
        dd = several.part[2];
        pp = several.part[3];
        ff = several.part[4];
    }
    three = ((n > 3n) ? (n - 3n) : 1n);
    four = ((n > 4n) ? (n - 4n) : 1n);
    five = ((n > 5n) ? (n - 5n) : 1n);
    return splitcrit_formula_third_by_invariants(splitcrit_real_of(n), splitcrit_real_of((n - 1n)), splitcrit_real_of((n - 2n)), splitcrit_real_of(three), splitcrit_real_of(four), splitcrit_real_of(five), c, cc, t, tt, d, dd, p, pp, f, ff);
}

/* The third central moment of the Gini gain over all permutations of the labels; NaN as for the mean.
 *
 * Its error is relative to the larger of itself and the variance to the power 1.5. Time is O(r^3 + k^3).
 */
function splitcrit_third_moment(rows, r, columns, k) {
    let n;
    n = splitcrit_agreed(rows, r, columns, k);
    return ((n >= 0n) ? splitcrit_value(splitcrit_third_of(rows, r, columns, k, n)) : NAN);
}

/* Set the margins of a table and return its number of observations, -1 where it is no table of counts. */
function splitcrit_margins(table, r, k, rows, columns) {
    for (let j = 0n; j < k; j++) {
        columns[j] = 0n;
    }
    for (let i = 0n; i < r; i++) {
        rows[i] = splitcrit_size(splitcrit_tail(table, (i * k)), k);
        if (rows[i] < 0n) {
            return -1n;
        }
        for (let j = 0n; j < k; j++) {
            columns[j] = (columns[j] + table[((i * k) + j)]);
        }
    }
    return splitcrit_agreed(rows, r, columns, k);
}

/* The sum of (n x - a b)^2 over the cells x of a row of a observations and the class totals b. */
function splitcrit_apart(cells, columns, k, a, n) {
    let square;
    let x;
    square = splitcrit_real_of(0n);
    for (let j = 0n; j < k; j++) {
        x = splitcrit_real_of(((n * cells[j]) - (a * columns[j])));
        square = splitcrit_add(square, splitcrit_multiply(x, x));
    }
    return square;
}

/* The standard deviations of a gain above its mean, 0 where the variance is 0 or the two agree. */
function splitcrit_standard(gain, mean, variance) {
    let above;
    let least;
    let apart;
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
function splitcrit_sgini(table, r, k, work) {
    let rows;
    let columns;
    let n;
    let gain;
    rows = work;
    columns = splitcrit_tail(work, r);
    n = splitcrit_margins(table, r, k, rows, columns);
    if (n < 0n) {
        return NAN;
    }
    gain = splitcrit_real_of(0n);
    for (let i = 0n; i < r; i++) {
        if (rows[i] > 0n) {
            gain = splitcrit_add(gain, splitcrit_divide(splitcrit_divide(splitcrit_divide(splitcrit_apart(splitcrit_tail(table, (i * k)), columns, k, rows[i], n), splitcrit_real_of(rows[i])), splitcrit_real_of(n)), splitcrit_real_of((n * n))));
        }
    }
    return splitcrit_standard(gain, splitcrit_mean_of(rows, r, columns, k, n), splitcrit_variance_of(rows, r, columns, k, n));
}

/* Set scores[i], for i < r - 1, to SGini of the rows up to i against the rows after i.
 *
 * The rows are the values of a feature in their order, and the table is that of sgini; work is room for r + 2 k
 * integers. The score is 0 where one side is empty. Returns 0, or -1 where sgini returns NaN; then no score is set.
 */
function splitcrit_scan(table, r, k, scores, work) {
    let rows;
    let columns;
    let left;
    let m;
    let n;
    let first;
    let second;
    let chance;
    let gain;
    rows = work;
    columns = splitcrit_tail(work, r);
    left = splitcrit_tail(work, (r + k));
    m = 0n;
    n = splitcrit_margins(table, r, k, rows, columns);
    if (n < 0n) {
        return -1n;
    }
    {
        let several = splitcrit_class_weights(columns, k, n);
        first = several.part[0];
        second = several.part[1];
    }
    chance = splitcrit_mean_by_pairs(n, 2n, splitcrit_same_pairs(columns, k));
    for (let j = 0n; j < k; j++) {
        left[j] = 0n;
    }
    for (let i = 0n; i < (r - 1n); i++) {
        for (let j = 0n; j < k; j++) {
            left[j] = (left[j] + table[((i * k) + j)]);
        }
        m = (m + rows[i]);
        scores[i] = 0.0;
        if ((m > 0n) && (m < n)) {
            gain = splitcrit_divide(splitcrit_divide(splitcrit_divide(splitcrit_apart(left, columns, k, m, n), splitcrit_real_of(m)), splitcrit_real_of((n - m))), splitcrit_real_of((n * n)));
            scores[i] = splitcrit_standard(gain, chance, splitcrit_cut_variance(n, m, first, second));
        }
    }
    return 0n;
}

return {
    fraction: splitcrit_fraction,
    real_of: splitcrit_real_of,
    value: splitcrit_value,
    add: splitcrit_add,
    subtract: splitcrit_subtract,
    multiply: splitcrit_multiply,
    divide: splitcrit_divide,
    formula_signed_square: splitcrit_formula_signed_square,
    size: splitcrit_size,
    agreed: splitcrit_agreed,
    occurring: splitcrit_occurring,
    same_pairs: splitcrit_same_pairs,
    mean_by_pairs: splitcrit_mean_by_pairs,
    mean_of: splitcrit_mean_of,
    class_weights: splitcrit_class_weights,
    row_terms: splitcrit_row_terms,
    cut_variance: splitcrit_cut_variance,
    variance_of: splitcrit_variance_of,
    mean: splitcrit_mean,
    variance: splitcrit_variance,
    block: splitcrit_block,
    across: splitcrit_across,
    invariants: splitcrit_invariants,
    third_of: splitcrit_third_of,
    third_moment: splitcrit_third_moment,
    margins: splitcrit_margins,
    apart: splitcrit_apart,
    standard: splitcrit_standard,
    sgini: splitcrit_sgini,
    scan: splitcrit_scan,
};
})();
if (typeof module === "object") module.exports = splitcrit;
