"""What the field says of split criteria beyond the five papers: each result as it is quoted, proved or refuted."""
