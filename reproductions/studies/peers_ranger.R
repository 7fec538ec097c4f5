# Times one fit of ranger: Rscript peers_ranger.R FILE ROWS N D TREES DEPTH MTRY FOREST SEED
#
# FILE holds float32 values: D columns of ROWS values, then the classes 0 and 1. The first N rows are fitted, the others
# held out. Prints seconds, seconds of processor time, accuracy and leaves a tree. A depth of 0 has no limit; a FOREST of
# 1 draws each tree's sample with replacement, 0 takes all rows.

suppressMessages(library(ranger))
given <- commandArgs(TRUE)
number <- as.numeric(given[-1])
names(number) <- c("rows", "n", "d", "trees", "depth", "mtry", "forest", "seed")
rows <- number["rows"]
d <- number["d"]
values <- readBin(given[1], "numeric", rows * (d + 1), size = 4)
x <- matrix(values[seq_len(rows * d)], rows, d, dimnames = list(NULL, paste0("x", seq_len(d))))
y <- factor(values[rows * d + seq_len(rows)])
fitted <- seq_len(number["n"])
train <- x[fitted, ]
labels <- y[fitted]
spent <- system.time(
  model <- ranger(
    x = train, y = labels, num.trees = number["trees"], max.depth = number["depth"], mtry = number["mtry"],
    min.node.size = 1, min.bucket = 1, replace = number["forest"] == 1,
    sample.fraction = 1, oob.error = FALSE, num.threads = 1, seed = number["seed"] + 1, verbose = FALSE
  )
)
right <- mean(predict(model, x[-fitted, ], num.threads = 1, verbose = FALSE)$predictions == y[-fitted])
leaves <- mean(sapply(model$forest$child.nodeIDs, function(tree) sum(tree[[1]] == 0 & tree[[2]] == 0)))
cat(spent["elapsed"], spent["user.self"] + spent["sys.self"], right, leaves)
