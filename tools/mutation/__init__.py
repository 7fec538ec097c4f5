"""Mutation testing: small changes of the package, one at a time, and whether its own tests and theorems notice.

``make mutants`` runs it, ``python -m tools.mutation --help`` lists the options. A mutant is one change of one
expression or statement, made in a copy of the tree. It is judged by the tests of its own subpackage and by the examples
of its own module; where these pass, by the theorems that reach the changed function. What was found is kept line by
line in ``build/mutants/results.jsonl``; ``docs/mutants.md`` shows it as a table.

Main definitions: ``operators`` (which changes there are), ``sampling`` (which of them are tried), ``reach`` (which
tests run which lines), ``judging`` (one mutant), ``results`` (what is known), ``report`` (the table).
"""
