"""The contract of everything public: a right answer, or one sentence that says what is wrong.

`inputs` and `arguments` make odd inputs, `judge` runs one call and says what came of it, `entries` says how a table of
calls is read, and the modules `calls_*` hold that table; the test files beside them run it, one test a name.
"""
