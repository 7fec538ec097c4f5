"""The contract of everything public: a right answer, or one sentence that says what is wrong.

`inputs` makes odd arrays and `roles` odd arguments, `table` says what signatures do not, `entries` makes calls of both,
`judge` runs one and says what came of it; `test_contract` runs all, one test a name.
"""
