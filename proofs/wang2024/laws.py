"""Names of ``proofs/null``, until their readers have moved."""

from splitcrit.proofs.null import laws, logarithms

Counts, Totals, Logs, LOGS, signed = laws.Counts, laws.Totals, logarithms.Logs, logarithms.LOGS, logarithms.signed
arrangements, gain, margins = laws.arrangements, laws.gain, laws.margins
sgini_squared, transposed = laws.sgini_squared, laws.transposed
