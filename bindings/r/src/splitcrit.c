/* What R calls: vectors of doubles that hold counts become 64-bit integers, and the header does the rest.
 * The functions of R check what they pass; a matrix is passed row by row.
 */
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Rdynload.h>
#include "splitcrit.h"

static int64_t *room(R_xlen_t length) {
    return (int64_t *)R_alloc((size_t)length + 1, sizeof(int64_t));
}

static int64_t *counts(SEXP x) {
    R_xlen_t length = XLENGTH(x);
    int64_t *found = room(length);
    for (R_xlen_t i = 0; i < length; i++)
        found[i] = (int64_t)REAL(x)[i];
    return found;
}

static SEXP moments(SEXP rows, SEXP columns) {
    int64_t *a = counts(rows), *b = counts(columns), r = XLENGTH(rows), k = XLENGTH(columns);
    SEXP found = PROTECT(allocVector(REALSXP, 3));
    REAL(found)[0] = splitcrit_mean(a, r, b, k);
    REAL(found)[1] = splitcrit_variance(a, r, b, k);
    REAL(found)[2] = splitcrit_third_moment(a, r, b, k);
    UNPROTECT(1);
    return found;
}

static SEXP score(SEXP table, SEXP rows) {
    int64_t r = asInteger(rows), k = XLENGTH(table) / r;
    return ScalarReal(splitcrit_sgini(counts(table), r, k, room(r + k)));
}

static SEXP scan(SEXP table, SEXP rows) {
    int64_t r = asInteger(rows), k = XLENGTH(table) / r;
    SEXP found = PROTECT(allocVector(REALSXP, r - 1));
    splitcrit_scan(counts(table), r, k, REAL(found), room(r + 2 * k));
    UNPROTECT(1);
    return found;
}

static SEXP pvalue(SEXP table) {
    int64_t *cells = counts(table);
    SEXP found = PROTECT(allocVector(REALSXP, 2));
    for (int log_p = 0; log_p < 2; log_p++)
        REAL(found)[log_p] = splitcrit_gini_pvalue(cells, log_p);
    UNPROTECT(1);
    return found;
}

static SEXP selected(SEXP table, SEXP rows, SEXP rarer, SEXP min_leaf, SEXP statistic) {
    int64_t *cells = counts(table), *work = room(2), r = asInteger(rows);
    int64_t least = (int64_t)asReal(min_leaf), kind = asInteger(statistic);
    double *chances = (double *)R_alloc((size_t)asReal(rarer) + 3, sizeof(double));
    SEXP found = PROTECT(allocVector(REALSXP, 3));
    for (int log_p = 0; log_p < 2; log_p++)
        REAL(found)[log_p] = splitcrit_selected_pvalue(cells, r, least, kind, log_p, chances, work);
    REAL(found)[2] = (double)splitcrit_best_cut(cells, r, least, kind, work);
    UNPROTECT(1);
    return found;
}

static const R_CallMethodDef called[] = {
    {"C_moments", (DL_FUNC)&moments, 2}, {"C_score", (DL_FUNC)&score, 2},
    {"C_scan", (DL_FUNC)&scan, 2},       {"C_pvalue", (DL_FUNC)&pvalue, 1},
    {"C_selected", (DL_FUNC)&selected, 5}, {NULL, NULL, 0},
};

void R_init_splitcrit(DllInfo *info) {
    R_registerRoutines(info, NULL, called, NULL, NULL);
    R_useDynamicSymbols(info, FALSE);
}
