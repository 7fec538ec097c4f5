"""The exact statistics in other people's code: a header of C99, functions for numba, and tables to test by.

Main definitions: ``header`` (the text of a C header), ``vectors`` (tables with exact results); ``export.compiled``
holds functions that code compiled by numba calls.
"""

from splitcrit.export.c_header import header
from splitcrit.export.vector_cases import Case, vectors

__all__ = ["Case", "header", "vectors"]
