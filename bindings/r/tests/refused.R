# Bad input is refused in one sentence, and what cannot vary has the p-value 1.
library(splitcrit)

refused <- function(code, sentence) {
  message <- tryCatch({ code; "accepted" }, error = conditionMessage)
  if (!grepl(sentence, message, fixed = TRUE)) stop("expected: ", sentence, "; got: ", message)
}
counts <- rbind(c(3, 0), c(1, 6))

refused(sgini(c(1, 2)), "a table of counts is a matrix; got numeric")
refused(sgini(rbind(c(1, -1))), "counts are whole numbers that are not negative; got -1")
refused(sgini(rbind(c(1, NA))), "counts are whole numbers that are not negative; got NA")
refused(sgini(rbind(c(1, 1.5))), "got 1.5; pass counts")
refused(sgini(rbind(c("a", "b"))), "counts are numbers")
refused(sgini(matrix(0, 0, 2)), "counts are at least one number")
refused(sgini(rbind(c(2^31, 1))), "counts sum to 2^31 - 1 at most; got 2147483649")
refused(sgini(1:3, 1:2), "feature and label have one length; got 3 and 2")
refused(sgini(c(1, NA), 1:2), "feature and label are known; got NA")
refused(gini_null(c(1, 2), c(1, 1)), "row totals and column totals have the same sum; got 3 and 2")
refused(gini_null(c(1, 2), c(1, 2), order = 4), "order is 2 or 3; got 4")
refused(gini_pvalue(rbind(1:3, 3:1), method = "exact"), "the exact law is here that of two rows and two classes; got 2 x 3")
refused(selected_pvalue(rbind(1:3, 3:1)), "the p-value of the best cut is here that of two classes; got 3")
refused(selected_pvalue(c("a", "b"), 1:2), "the cuts of a feature follow the order of its values; got character")
refused(selected_pvalue(factor(1:2), 1:2), "the cuts of a feature follow the order of its values; got factor")
refused(selected_pvalue(counts, min_leaf = 0), "min_leaf is a whole number from 1 on; got 0")
refused(selected_pvalue(counts, statistic = "area"), "should be one of")
refused(sgini_scan(c(1, NA)), "class codes are known; got NA")
refused(sgini_scan(c(1, 2, 1), values = c(1, 3, 2)), "values are sorted and known")
refused(sgini_scan(c(1, 2, 1), values = 1:2), "values and class codes have one length; got 2 for 3 codes")

stopifnot(
  gini_pvalue(rbind(c(3, 5)))$p.value == 1,
  gini_pvalue(matrix(0, 2, 2))$p.value == 1,
  selected_pvalue(rbind(c(3, 0), c(5, 0)))$p.value == 1,
  selected_pvalue(counts, min_leaf = 6)$cut == 0,
  identical(selected_pvalue(ordered(c("lo", "hi"), c("lo", "hi")), 1:2)$p.value, 1),
  identical(sgini(c("a", "b", "a"), c(1, 2, 1)), sgini(rbind(c(2, 0), c(0, 1)))),
  length(sgini_scan("one")) == 0,
  all.equal(gini_pvalue(rbind(c(1000, 0), c(0, 1000)))$log.p.value, log(2) - lchoose(2000, 1000), tolerance = 1e-12)
)
