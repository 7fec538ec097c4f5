"""The exact statistics for other code: a C99 header, JavaScript, functions for numba, and test vectors.

Main definitions: ``header`` (the text of a C header), ``vectors`` (tables with exact results); ``export.compiled``
holds functions that code compiled by numba calls.
"""

from splitcrit.export.c_header import header
from splitcrit.export.vector_cases import Case, vectors

__all__ = ["header", "vectors"]
