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

$functions

return {
    fraction: splitcrit_fraction,
    real_of: splitcrit_real_of,
    value: splitcrit_value,
    add: splitcrit_add,
    subtract: splitcrit_subtract,
    multiply: splitcrit_multiply,
    divide: splitcrit_divide,
    formula_signed_square: splitcrit_formula_signed_square,
$offered,
};
})();
if (typeof module === "object") module.exports = splitcrit;
