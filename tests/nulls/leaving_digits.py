"""Digits of the law of the largest Gini gain, by a recursion in integers that shares nothing with the package.

``python tests/nulls/leaving_digits.py`` prints ``DIGITS``, in some minutes. A path goes from (0, 0) to (n, b); the
chance to be at ``x`` inside after ``m`` steps, times a power of ten, is an integer, rounded down at every step.
"""

from math import isqrt

# n, ones, and the least d^2 / (m (n - m)) that leaves (an integer): the probability, all n - 1 cuts looked at
CASES = ((100_000, 40_000, 158_000), (100_000, 40_000, 830_000), (10_000, 4000, 1_137_000))
DIGITS = {
    (100_000, 40_000, 158_000): "4.73570141972282403067728879433963658680609657771289193097262e-1",
    (100_000, 40_000, 830_000): "9.51000705364587171981113581568498750185750454073041211212248e-7",
    (10_000, 4000, 1_137_000): "8.12855841124441076906457656212076463068024154968891036544883e-101",
}


def digits(n: int, ones: int, square: int, places: int = 180) -> str:
    """The probability that some cut has ``d^2 >= square m (n - m)``, with 60 significant digits."""
    whole = 10**places
    row, first, left = [whole], 0, 0
    for m in range(1, n):
        take, rest = ones - first, n - ones - (m - 1) + first
        grown = [0] * (len(row) + 1)
        for i, chance in enumerate(row):  # the next label is of the first class with chance (ones - x) / (n - m + 1)
            grown[i] += chance * (rest + i)
            grown[i + 1] += chance * (take - i)
        reach = isqrt(square * m * (n - m) - 1)  # the largest |d| inside
        low, high = -((reach - m * ones) // n), (m * ones + reach) // n
        grown = [chance // (n - m + 1) for chance in grown]
        kept = [chance for x, chance in enumerate(grown, first) if low <= x <= high]
        left += sum(grown) - sum(kept)
        row, first = kept, max(first, low)
    shown = str(left)
    return f"{shown[0]}.{shown[1:60]}e{len(shown) - 1 - places}"


if __name__ == "__main__":
    for case in CASES:
        print(f"    {case}: {digits(*case)!r},", flush=True)
