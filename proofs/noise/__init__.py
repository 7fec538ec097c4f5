"""What label noise makes of gains and of labels: scaling laws, expectations over random flips, tails."""
