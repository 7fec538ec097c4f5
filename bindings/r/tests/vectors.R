# The shared test vectors: tables with exact results, rounded once to doubles.
library(splitcrit)

cases <- read.delim("vectors.tsv", colClasses = c("character", rep("numeric", 4), "character", "numeric"))
table_of <- function(text) {
  do.call(rbind, lapply(strsplit(strsplit(text, ";")[[1]], ","), as.numeric))
}
near <- function(found, wanted, unit = abs(wanted)) {
  stopifnot(length(found) == length(wanted), all(abs(found - wanted) <= 1e-14 * unit + 1e-300))
}

for (i in seq_len(nrow(cases))) {
  case <- cases[i, ]
  counts <- table_of(case$table)
  law <- gini_null(rowSums(counts), colSums(counts), order = 3)
  near(law$mean, case$mean)
  near(law$variance, case$variance)
  near(law$third, case$third, max(abs(case$third), case$variance^1.5))
  near(sgini(counts), case$sgini)
  if (!is.na(case$selected_pvalue)) {
    found <- selected_pvalue(counts)
    near(found$p.value, case$selected_pvalue)
    near(found$log.p.value, log(case$selected_pvalue), 1 + abs(log(case$selected_pvalue)))
    if (nrow(counts) == 2) near(gini_pvalue(counts, method = "exact")$p.value, case$selected_pvalue)
  }
  # A scan of observations one by one, at the ends of the rows.
  if (sum(counts) > 1 && sum(counts) <= 400 && nrow(counts) > 1) {
    codes <- unlist(lapply(seq_len(nrow(counts)), function(j) rep(seq_len(ncol(counts)), counts[j, ])))
    ends <- cumsum(rowSums(counts))[-nrow(counts)]
    inside <- ends > 0 & ends < sum(counts)
    wanted <- as.numeric(strsplit(case$scan, ";")[[1]])
    near(sgini_scan(codes)[ends[inside]], wanted[inside])
  }
}
stopifnot(nrow(cases) > 300, sum(!is.na(cases$selected_pvalue)) > 100)
