# The functions of the package: each checks what it is given, in one sentence, and calls C.

LARGEST <- 2^31 - 1
STATISTICS <- c("sgini", "gini", "pairwise_gain")

refuse <- function(rule, got, remedy) stop(rule, "; got ", got, "; ", remedy, call. = FALSE)

# Numbers that are counts of at most 2^31 - 1 observations, as doubles.
counted <- function(x, what) {
  if (!is.numeric(x) && !is.logical(x)) refuse(paste(what, "are numbers"), class(x)[1], "pass counts")
  found <- as.double(x)
  if (!length(found)) refuse(paste(what, "are at least one number"), "none", "pass counts")
  odd <- which(!is.finite(found) | found < 0 | found != floor(found))
  if (length(odd)) {
    refuse(paste(what, "are whole numbers that are not negative"), found[odd[1]], "pass counts")
  }
  if (sum(found) > LARGEST) {
    got <- format(sum(found), digits = 12)
    refuse(paste(what, "sum to 2^31 - 1 at most"), got, "count fewer observations")
  }
  found
}

# The table of a feature and a label, or a matrix of counts; `ordered` where the rows must have an order.
counts_of <- function(x, label, ordered = FALSE) {
  if (is.null(label)) {
    if (is.data.frame(x)) x <- as.matrix(x)
    if (length(dim(x)) != 2) {
      refuse("a table of counts is a matrix", class(x)[1], "pass rows of counts, or a feature and a label")
    }
    return(matrix(counted(x, "counts"), nrow(x), ncol(x)))
  }
  if (length(x) != length(label)) {
    got <- paste(length(x), "and", length(label))
    refuse("feature and label have one length", got, "pass the label of the same observations")
  }
  if (anyNA(x) || anyNA(label)) refuse("feature and label are known", "NA", "drop these observations")
  if (ordered && (is.character(x) || (is.factor(x) && !is.ordered(x)))) {
    remedy <- "pass numbers, an ordered factor, or the table with its rows in order"
    refuse("the cuts of a feature follow the order of its values", class(x)[1], remedy)
  }
  found <- table(x, label)
  matrix(as.double(found), nrow(found), ncol(found))
}

gini_null <- function(rows, columns, order = 2) {
  if (!(length(order) == 1 && order %in% 2:3)) refuse("order is 2 or 3", paste(order, collapse = " "), "pass 2 or 3")
  a <- counted(rows, "row totals")
  b <- counted(columns, "column totals")
  if (sum(a) != sum(b)) {
    got <- paste(sum(a), "and", sum(b))
    refuse("row totals and column totals have the same sum", got, "take both from one table")
  }
  found <- .Call(C_moments, a, b)
  as.list(setNames(found, c("mean", "variance", "third"))[seq_len(order)])
}


sgini <- function(x, label = NULL) {
  counts <- counts_of(x, label)
  .Call(C_score, as.vector(t(counts)), nrow(counts))
}

sgini_scan <- function(codes, values = NULL) {
  if (anyNA(codes)) refuse("class codes are known", "NA", "drop these observations")
  n <- length(codes)
  if (!n) refuse("class codes are at least one", "none", "pass the class of every observation")
  found <- match(codes, unique(codes))
  if (!is.null(values)) {
    if (length(values) != n) {
      got <- paste(length(values), "for", n, "codes")
      refuse("values and class codes have one length", got, "pass the feature of the same observations")
    }
    if (anyNA(values) || is.unsorted(values)) {
      refuse("values are sorted and known", "a value that falls, or NA", "sort values and codes together")
    }
  }
  counts <- matrix(0, max(found), n)
  counts[cbind(found, seq_len(n))] <- 1
  scores <- .Call(C_scan, as.vector(counts), n)
  if (!is.null(values)) scores[!(values[-1] > values[-n])] <- -Inf
  scores
}

gini_pvalue <- function(x, label = NULL, method = c("auto", "exact", "pearson3")) {
  method <- match.arg(method)
  counts <- counts_of(x, label)
  counts <- counts[rowSums(counts) > 0, colSums(counts) > 0, drop = FALSE]
  two <- all(dim(counts) == 2)
  certain <- !length(counts) || any(dim(counts) == 1)
  if (method == "exact" && !two && !certain) {
    got <- paste(dim(counts), collapse = " x ")
    refuse("the exact law is here that of two rows and two classes", got, "pass method = \"pearson3\"")
  }
  if (method == "auto") method <- if (two || certain) "exact" else "pearson3"
  if (certain) {
    p <- c(1, 0)
  } else if (method == "exact") {
    p <- .Call(C_pvalue, as.vector(t(counts)))
  } else {
    p <- pearson3(counts)
  }
  list(p.value = p[1], log.p.value = p[2], method = method)
}

# The upper tail of the Pearson III law with the mean, variance and skewness of the gain, and its logarithm.
pearson3 <- function(counts) {
  law <- gini_null(rowSums(counts), colSums(counts), order = 3)
  if (law$variance == 0) return(c(1, 0))
  z <- sgini(counts)
  skew <- law$third / law$variance^1.5
  if (abs(skew) < sqrt(.Machine$double.eps)) return(c(pnorm(-z), pnorm(-z, log.p = TRUE)))
  shape <- 4 / skew^2
  reach <- max(shape + 2 * z / skew, 0)
  c(pgamma(reach, shape, lower.tail = skew < 0), pgamma(reach, shape, lower.tail = skew < 0, log.p = TRUE))
}

selected_pvalue <- function(x, label = NULL, statistic = c("sgini", "gini", "pairwise_gain"), min_leaf = 1) {
  statistic <- match.arg(statistic)
  if (!(is.numeric(min_leaf) && length(min_leaf) == 1 && isTRUE(min_leaf >= 1 && min_leaf == floor(min_leaf)))) {
    refuse("min_leaf is a whole number from 1 on", paste(min_leaf, collapse = " "), "pass a count")
  }
  counts <- counts_of(x, label, ordered = TRUE)
  counts <- counts[rowSums(counts) > 0, colSums(counts) > 0, drop = FALSE]
  if (ncol(counts) > 2) {
    refuse("the p-value of the best cut is here that of two classes", ncol(counts), "join classes, or use the Python library")
  }
  if (nrow(counts) < 2 || ncol(counts) < 2) {
    return(list(p.value = 1, log.p.value = 0, score = 0, cut = 0))
  }
  kind <- match(statistic, STATISTICS) - 1L
  least <- min(min_leaf, LARGEST)
  found <- .Call(C_selected, as.vector(t(counts)), nrow(counts), min(colSums(counts)), least, kind)
  left <- colSums(counts[seq_len(found[3]), , drop = FALSE])
  list(p.value = found[1], log.p.value = found[2], score = score_of(left, colSums(counts), statistic), cut = sum(left))
}

# The score of a cut with these counts on the left, of two classes.
score_of <- function(left, totals, statistic) {
  n <- sum(totals)
  m <- sum(left)
  if (m == 0) return(0)
  d <- abs(n * left[1] - m * totals[1])
  switch(statistic,
    sgini = sgini(rbind(left, totals - left)),
    gini = 2 * (d / n)^2 / (m * (n - m)),
    pairwise_gain = d / 2
  )
}
